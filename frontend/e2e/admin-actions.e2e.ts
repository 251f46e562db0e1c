import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { signInAsSuperAdmin } from './support/super-admin.ts';
import { expect, expectAccessible, makeUser, registerUser, test } from './support/test.ts';
import { postApi } from './support/zones.ts';

const toast = (page: Page) => page.locator('.z-toaster');

test('a super admin manages an account: limits, role, password reset and sessions', async ({
  page,
  mailbox,
  browser,
}) => {
  const userPage = await (await browser.newContext({ baseURL: test.info().project.use.baseURL })).newPage();
  const user = await registerUser(userPage, mailbox, makeUser('Nazlı', `K${Date.now()}`));
  await signInAsSuperAdmin(page);
  await page.goto('/admin/users');
  await page.getByRole('searchbox', { name: 'Name, email or username' }).fill(user.email);
  await page.getByRole('link', { name: /^Open Nazlı/ }).click();
  const userDialog = page.getByRole('dialog', { name: /^Nazlı/ });

  await userDialog.getByRole('button', { name: 'Change Plan' }).click();
  const planDialog = page.getByRole('dialog', { name: /^Plan of Nazlı/ });
  await planDialog.getByLabel('Granted plan').selectOption({ label: 'Enterprise' });
  await planDialog.getByLabel('Zones').fill('7');
  await expectAccessible(page);
  await planDialog.getByRole('button', { name: 'Save Plan' }).click();
  await expect(toast(page)).toContainText('Plan saved');
  await expect(userDialog.getByText('0 of 7')).toBeVisible();

  await userDialog.getByRole('button', { name: 'Make Administrator' }).click();
  await page
    .getByRole('dialog', { name: /^Make Administrator/ })
    .getByRole('button', { name: 'Make Administrator' })
    .click();
  await expect(toast(page)).toContainText(/Role of .* changed/);
  await expect(userDialog.getByRole('button', { name: 'Remove Administrator' })).toBeVisible();
  expect((await userPage.request.get('/api/admin/stats')).status()).toBe(200);

  await userDialog.getByRole('button', { name: 'Send Password Reset' }).click();
  await expect(toast(page)).toContainText('On hold, not sent');
  await expect
    .poll(() => mailbox.listEmails(user.email).some(({ text }) => text.includes('/reset-password?')))
    .toBe(true);
  await userDialog.getByRole('button', { name: 'End Sessions and Tokens' }).click();
  await expect(toast(page)).toContainText('1 session ended');
  expect((await userPage.request.get('/api/user')).status()).toBe(401);
  await userPage.context().close();
});

test('a super admin exports the zones and deletes another user’s zone after typing its name', async ({
  page,
  mailbox,
  browser,
}) => {
  const userPage = await (await browser.newContext({ baseURL: test.info().project.use.baseURL })).newPage();
  const owner = await registerUser(userPage, mailbox, makeUser('Oya', `T${Date.now()}`));
  const name = `=Closing ${Date.now()}`;
  const zone = await postApi<{ id: number }>(userPage, '/api/zones', { name, type: 'private' });
  await signInAsSuperAdmin(page);
  await page.goto('/admin/zones');
  await page.getByRole('searchbox', { name: 'Name or owner' }).fill(owner.email);
  const row = page.getByRole('row', { name: new RegExp(owner.email) });
  await expect(row).toHaveCount(1);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('zones.csv');
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`${zone.id},'${name},`);

  await row.getByRole('button', { name: `Delete the zone ${name}` }).click();
  const deleteDialog = page.getByRole('dialog', { name: `Delete “${name}”?` });
  await expect(deleteDialog).toContainText('Are you sure you want to delete this zone? This action cannot be undone.');
  const deleteButton = deleteDialog.getByRole('button', { name: 'Delete Zone' });
  await expect(deleteButton).toBeDisabled();
  await expectAccessible(page);
  await deleteDialog.getByRole('textbox').fill(name);
  await deleteButton.click();
  await expect(toast(page)).toContainText(`Zone ${name} deleted`);
  await expect(page.getByText('Nothing found')).toBeVisible();
  expect((await userPage.request.get(`/api/zones/${zone.id}`)).status()).toBe(404);
  await userPage.context().close();
});
