import { reauthenticateByEmail, expect, uniqueEmail, makeUser, registerUser, test } from '../support/test.ts';

test('a visitor joins by the emailed link, reads at once and completes a profile only to create', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const headers = { origin: baseURL! };
  await registerUser(page, mailbox);
  const zoneResponse = await page.request.post('/api/zones', {
    headers,
    data: { name: 'Watercolour course', type: 'public' },
  });
  expect(zoneResponse.status()).toBe(201);
  const zone = (await zoneResponse.json()) as { id: number; publicLink: string };

  const email = uniqueEmail('ayse');
  const context = await browser.newContext({ baseURL });
  const visitor = await context.newPage();
  const joinResponse = await visitor.request.post(`/api/public-zones/${zone.publicLink}/join`, {
    headers,
    data: { email, emailConsent: true },
  });
  expect(joinResponse.status()).toBe(200);

  await visitor.goto(await mailbox.waitForLink(email, '/verify-email'));
  await expect(visitor.getByRole('heading', { name: 'Join “Watercolour course”' })).toBeVisible();
  await expect(visitor.getByText(email)).toBeVisible();
  await visitor.getByRole('button', { name: 'Confirm and Join' }).click();
  await expect(visitor).toHaveURL(`/zones/${zone.id}`);
  await expect(visitor.getByRole('heading', { level: 1, name: 'Watercolour course' })).toBeVisible();
  await visitor.getByRole('link', { name: 'Set a Password' }).click();
  await expect(visitor).toHaveURL(`/complete-profile?next=%2Fzones%2F${zone.id}`);

  const user = makeUser('Ayşe', 'Yılmaz');
  await visitor.getByLabel('First name').fill(user.firstName);
  await visitor.getByLabel('Last name').fill(user.lastName);
  await visitor.getByLabel('Username').fill(user.username);
  await visitor.getByLabel('New password').fill(user.password);
  await visitor.getByLabel('Confirm password').fill(user.password);
  await visitor.getByRole('button', { name: 'Save and Continue' }).click();
  await reauthenticateByEmail(visitor, mailbox, email);
  await expect(visitor.getByText('Profile Completed!')).toBeVisible();
  await expect(visitor).toHaveURL(`/zones/${zone.id}`);
  const sharedZonesResponse = await visitor.request.get('/api/shared-zones');
  expect(((await sharedZonesResponse.json()) as { id: number }[]).map(({ id }) => id)).toEqual([zone.id]);
  await context.close();
});
