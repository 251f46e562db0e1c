import { confirmByMail, expect, newAddress, newPerson, register, test } from '../support/test.ts';

test('a stranger joins by the mailed link and reads at once; a profile comes with the wish to write', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const headers = { origin: baseURL! };
  await register(page, mailbox);
  const made = await page.request.post('/api/zones', { headers, data: { name: 'Watercolour course', type: 'public' } });
  expect(made.status()).toBe(201);
  const zone = (await made.json()) as { id: number; publicLink: string };

  const email = newAddress('ayse');
  const context = await browser.newContext({ baseURL });
  const visitor = await context.newPage();
  const asked = await visitor.request.post(`/api/public-zones/${zone.publicLink}/join`, {
    headers,
    data: { email, emailConsent: true },
  });
  expect(asked.status()).toBe(200);

  await visitor.goto(await mailbox.link(email, '/verify-email'));
  await expect(visitor.getByRole('heading', { name: 'Join “Watercolour course”' })).toBeVisible();
  await expect(visitor.getByText(email)).toBeVisible();
  await visitor.getByRole('button', { name: 'Confirm and join' }).click();
  await expect(visitor).toHaveURL(`/zones/${zone.id}`);
  await expect(visitor.getByRole('heading', { level: 1, name: 'Watercolour course' })).toBeVisible();
  await visitor.getByRole('link', { name: 'Set a Password' }).click();
  await expect(visitor).toHaveURL(`/complete-profile?next=%2Fzones%2F${zone.id}`);

  const person = newPerson('Ayşe', 'Yılmaz');
  await visitor.getByLabel('First name').fill(person.firstName);
  await visitor.getByLabel('Last name').fill(person.lastName);
  await visitor.getByLabel('Username').fill(person.username);
  await visitor.getByLabel('New password').fill(person.password);
  await visitor.getByLabel('Confirm password').fill(person.password);
  await visitor.getByRole('button', { name: 'Save and continue' }).click();
  await confirmByMail(visitor, mailbox, email);
  await expect(visitor.getByText('Profile Completed!')).toBeVisible();
  await expect(visitor).toHaveURL(`/zones/${zone.id}`);
  const shared = await visitor.request.get('/api/shared-zones');
  expect(((await shared.json()) as { id: number }[]).map(({ id }) => id)).toEqual([zone.id]);
  await context.close();
});
