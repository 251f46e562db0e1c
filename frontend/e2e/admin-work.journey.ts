import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { signInAsSuperAdmin } from './support/super-admin.ts';
import { expect, expectAccessible, newPerson, register, test } from './support/test.ts';
import { call } from './support/zones.ts';

const toast = (page: Page) => page.locator('.z-toaster');

test('a super admin looks after an account: limits, role, reset, sessions', async ({ page, mailbox, browser }) => {
  const theirs = await (await browser.newContext({ baseURL: test.info().project.use.baseURL })).newPage();
  const person = await register(theirs, mailbox, newPerson('Nazlı', `K${Date.now()}`));
  await signInAsSuperAdmin(page);
  await page.goto('/admin/users');
  await page.getByRole('searchbox', { name: 'Name, email or username' }).fill(person.email);
  await page.getByRole('button', { name: /^Open Nazlı/ }).click();
  const panel = page.getByRole('dialog', { name: /^Nazlı/ });

  await panel.getByRole('button', { name: 'Change Plan' }).click();
  const plan = page.getByRole('dialog', { name: /^Plan of Nazlı/ });
  await plan.getByLabel('Granted plan').selectOption({ label: 'Enterprise' });
  await plan.getByLabel('Zones').fill('7');
  await expectAccessible(page);
  await plan.getByRole('button', { name: 'Save plan' }).click();
  await expect(toast(page)).toContainText('Plan saved');
  await expect(panel.getByText('0 of 7')).toBeVisible();

  await panel.getByRole('button', { name: 'Make admin' }).click();
  await page
    .getByRole('dialog', { name: /^Make admin/ })
    .getByRole('button', { name: 'Make admin' })
    .click();
  await expect(toast(page)).toContainText(/Role of .* changed/);
  await expect(panel.getByRole('button', { name: 'Remove admin' })).toBeVisible();
  expect((await theirs.request.get('/api/admin/stats')).status()).toBe(200);

  await panel.getByRole('button', { name: 'Send password reset' }).click();
  await expect(toast(page)).toContainText('Kept here, not sent');
  await expect
    .poll(async () => (await mailbox.to(person.email)).some(({ text }) => text.includes('/reset-password?')))
    .toBe(true);
  await panel.getByRole('button', { name: 'End sessions and tokens' }).click();
  await expect(toast(page)).toContainText('1 session ended');
  expect((await theirs.request.get('/api/user')).status()).toBe(401);
  await theirs.context().close();
});

test('a zone of somebody else is deleted only by its name, and the list of zones is taken along', async ({
  page,
  mailbox,
  browser,
}) => {
  const theirs = await (await browser.newContext({ baseURL: test.info().project.use.baseURL })).newPage();
  const owner = await register(theirs, mailbox, newPerson('Oya', `T${Date.now()}`));
  const name = `=Closing ${Date.now()}`;
  const zone = await call<{ id: number }>(theirs, '/api/zones', { name, type: 'private' });
  await signInAsSuperAdmin(page);
  await page.goto('/admin/zones');
  await page.getByRole('searchbox', { name: 'Name or owner' }).fill(owner.email);
  const row = page.getByRole('row', { name: new RegExp(owner.email) });
  await expect(row).toHaveCount(1);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('zones.csv');
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`${zone.id},'${name},`);

  await row.getByRole('button', { name: `Delete the zone ${name}` }).click();
  const question = page.getByRole('dialog', { name: `Delete “${name}”?` });
  await expect(question).toContainText('Are you sure you want to delete this zone? This action cannot be undone.');
  const button = question.getByRole('button', { name: 'Delete zone' });
  await expect(button).toBeDisabled();
  await expectAccessible(page);
  await question.getByRole('textbox').fill(name);
  await button.click();
  await expect(toast(page)).toContainText(`Zone ${name} deleted`);
  await expect(page.getByText('Nothing found')).toBeVisible();
  expect((await theirs.request.get(`/api/zones/${zone.id}`)).status()).toBe(404);
  await theirs.context().close();
});
