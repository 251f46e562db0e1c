import {
  expect,
  expectAccessible,
  expectNoOverflow,
  saveScreenshot,
  makeUser,
  registerUser,
  test,
} from './support/test.ts';

const phone = { width: 360, height: 740 };
const desktop = { width: 1440, height: 900 };

test('an owner sees views of a file in the dashboard, the analytics and its viewers', async ({
  page,
  browser,
  mailbox,
}) => {
  await registerUser(page, mailbox);
  const baseURL = test.info().project.use.baseURL!;
  const headers = { origin: new URL(baseURL).origin };
  const zone = await (
    await page.request.post('/api/zones', { headers, data: { name: 'Yoga', type: 'public' } })
  ).json();
  const multipart = { files: { name: 'Plan.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') } };
  const [file] = await (await page.request.post(`/api/zones/${zone.id}/files`, { headers, multipart })).json();
  const memberPage = await (await browser.newContext({ baseURL })).newPage();
  const { email } = await registerUser(memberPage, mailbox, makeUser('Ece', 'Can'));
  const joinRequest = { headers, data: { email, emailConsent: true } };
  expect((await memberPage.request.post(`/api/public-zones/${zone.publicLink}/join`, joinRequest)).status()).toBe(200);
  // The owner's own views are not counted.
  for (const { request } of [page, memberPage]) {
    expect((await request.get(`/api/files/${file.id}/view`)).status()).toBe(200);
    expect((await request.get(`/api/files/${file.id}/download`)).status()).toBe(200);
  }

  await page.goto('/');
  await expect(page.getByLabel('Statistics').getByText('+1 vs. the previous 30 days')).toBeVisible();

  await page.getByRole('link', { name: 'Analytics' }).click();
  await expect(page.getByRole('img', { name: /Views 1, Downloads 1/ })).toBeVisible();
  await page.getByRole('button', { name: 'Show as Table' }).click();
  await expect(page.getByRole('region', { name: 'Statistics over time' }).getByRole('row').nth(1)).toContainText(
    '1110',
  );
  for (const [size, scheme] of [
    [desktop, 'light'],
    [desktop, 'dark'],
    [phone, 'light'],
    [phone, 'dark'],
  ] as const) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: scheme });
    await expectNoOverflow(page);
    await expectAccessible(page);
    await saveScreenshot(page, `analytics-${size.width}-${scheme}.png`, true);
  }
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download Zones as CSV' }).click();
  expect((await download).suggestedFilename()).toBe('analytics-zones.csv');

  await page.goto(`/zones/${zone.id}`);
  await page
    .getByRole('button', { name: /Plan\.txt/ })
    .last()
    .click();
  await page.getByRole('menuitem', { name: 'Who Opened It' }).click();
  const viewersDialog = page.getByRole('dialog', { name: 'Who Opened It' });
  await expect(viewersDialog.getByText('viewed once · downloaded once')).toBeVisible();
  await expectAccessible(page);
  await saveScreenshot(page, 'openings.png');
});
