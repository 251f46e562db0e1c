import { expect, expectAccessible, expectNoOverflow, register, test } from './support/test.ts';

const phone = { width: 360, height: 740 };
const desk = { width: 1440, height: 900 };

test('an owner sees what becomes of a file: dashboard, analytics, who opened it', async ({ page, mailbox }) => {
  await register(page, mailbox);
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const zone = await (
    await page.request.post('/api/zones', { headers, data: { name: 'Yoga', type: 'private' } })
  ).json();
  const multipart = { files: { name: 'Plan.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') } };
  const [file] = await (await page.request.post(`/api/zones/${zone.id}/files`, { headers, multipart })).json();
  expect((await page.request.get(`/api/files/${file.id}/view`)).status()).toBe(200);
  expect((await page.request.get(`/api/files/${file.id}/download`)).status()).toBe(200);

  await page.goto('/');
  await expect(page.getByLabel('Figures').getByText('+1 against the 30 days before')).toBeVisible();

  await page.getByRole('link', { name: 'Analytics' }).click();
  await expect(page.getByRole('img', { name: /Views 1, Downloads 1/ })).toBeVisible();
  await page.getByRole('button', { name: 'Show as a table' }).click();
  await expect(page.getByRole('region', { name: 'Figures over time' }).getByRole('row').nth(1)).toContainText('1100');
  for (const [size, scheme] of [
    [desk, 'light'],
    [desk, 'dark'],
    [phone, 'light'],
    [phone, 'dark'],
  ] as const) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: scheme });
    await expectNoOverflow(page);
    await expectAccessible(page);
    await page.screenshot({ path: test.info().outputPath(`analytics-${size.width}-${scheme}.png`), fullPage: true });
  }
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export zones (CSV)' }).click();
  expect((await download).suggestedFilename()).toBe('analytics-zones.csv');

  await page.goto(`/zones/${zone.id}`);
  await page
    .getByRole('button', { name: /Plan\.txt/ })
    .last()
    .click();
  await page.getByRole('menuitem', { name: 'Who opened it' }).click();
  const people = page.getByRole('dialog', { name: 'Who opened it' });
  await expect(people.getByText('viewed once · downloaded once')).toBeVisible();
  await expectAccessible(page);
  await page.screenshot({ path: test.info().outputPath('openings.png') });
});
