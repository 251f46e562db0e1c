import type { Page } from '@playwright/test';
import { insertDeadJob } from './support/database.ts';
import { signInAsSuperAdmin } from './support/super-admin.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  makeUser,
  registerUser,
  test,
  type TestUser,
} from './support/test.ts';
import type { Mailbox } from './support/mailbox.ts';

const toast = (page: Page) => page.locator('.z-toaster');
const tabs = [
  'users',
  'zones',
  'activity',
  'audit-log',
  'jobs',
  'suppressions',
  'suggestions',
  'installation',
  'system',
];

/** A new user in their own browser. */
async function createUser(page: Page, mailbox: Mailbox): Promise<{ user: TestUser; userPage: Page }> {
  const context = await page.context().browser()!.newContext({ baseURL: test.info().project.use.baseURL });
  const userPage = await context.newPage();
  return { user: await registerUser(userPage, mailbox, makeUser('Nilay', `K${Date.now()}`)), userPage };
}

test('a super admin deactivates and reactivates a user and sees it in the audit log', async ({ page, mailbox }) => {
  const { user: person, userPage } = await createUser(page, mailbox);
  await signInAsSuperAdmin(page);
  await page.goto('/admin');
  await expect(page.getByRole('heading', { level: 1, name: 'Administration' })).toBeVisible();
  await expect(page.getByText(/new this month/)).toBeVisible();
  await expect(page.getByRole('img', { name: /^People: New users/ })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Users' }).click();
  await page.getByRole('searchbox', { name: 'Name, email or username' }).fill(person.email);
  const row = page.getByRole('row', { name: new RegExp(person.email) });
  await expect(row).toContainText('Active');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expectAccessible(page);
  await row.getByRole('button', { name: /^Deactivate/ }).click();
  const deactivateDialog = page.getByRole('dialog', { name: /^Deactivate Nilay/ });
  await expectAccessible(page);
  await deactivateDialog.getByRole('button', { name: 'Deactivate' }).click();
  await expect(toast(page)).toContainText('is deactivated');
  await expect(row).toContainText('Deactivated');
  expect((await userPage.request.get('/api/user')).status()).toBe(401);

  await page.getByRole('tab', { name: 'Audit Log' }).click();
  await page.getByRole('searchbox', { name: 'Name or email of a person' }).fill(person.email);
  const entry = page.getByRole('row', { name: /Account deactivated/ });
  await expect(entry).toContainText(person.email);
  await entry.getByRole('link', { name: /^Account deactivated, entry/ }).click();
  await expect(page.getByRole('dialog', { name: 'Account deactivated' })).toContainText('user.deactivated');
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Users' }).click();
  await page.getByRole('searchbox', { name: 'Name, email or username' }).fill(person.email);
  await row.getByRole('link', { name: /^Open Nilay/ }).click();
  const detailDialog = page.getByRole('dialog', { name: /^Nilay/ });
  await detailDialog.getByRole('button', { name: /^Activate/ }).click();
  await expect(toast(page)).toContainText('is active again');
  await expect(detailDialog.getByText('Active', { exact: true })).toBeVisible();
  await expectAccessible(page);
});

test('a user has an address that can be opened, closed and linked', async ({ page, mailbox }) => {
  const { user: person, userPage } = await createUser(page, mailbox);
  const { id } = (await (await userPage.request.get('/api/user')).json()) as { id: number };
  await signInAsSuperAdmin(page);
  await page.goto('/admin/users');
  await page.getByRole('searchbox', { name: 'Name, email or username' }).fill(person.email);
  const row = page.getByRole('row', { name: new RegExp(person.email) });
  await expect(page.getByRole('row')).toHaveCount(2);
  const link = row.getByRole('link', { name: /^Open Nilay/ });
  const drawer = page.getByRole('dialog', { name: /^Nilay/ });
  const closeButton = drawer.getByRole('button', { name: 'Close' });

  await link.press('Enter');
  await expect(drawer.getByText('Plan usage')).toBeVisible();
  await expect(closeButton).toBeFocused();
  expect(new URL(page.url()).pathname).toBe(`/admin/users/${id}`);
  await expectAccessible(page);
  await page.goBack();
  await expect(drawer).toBeHidden();
  await expect(link).toBeFocused();
  await expect(page.getByRole('row')).toHaveCount(2);

  await row.getByText(person.email).click();
  await expect(closeButton).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(link).toBeFocused();
  expect(new URL(page.url()).pathname).toBe('/admin/users');

  await page.goto(`/admin/users/${id}`);
  await expect(drawer.getByText('Plan usage')).toBeVisible();
  await expect(drawer.getByText(person.email).first()).toBeVisible();
  await closeButton.click();
  await expect(drawer).toBeHidden();
  expect(new URL(page.url()).pathname).toBe('/admin/users');
  await userPage.context().close();
});

test('a super admin retries a failed job', async ({ page }) => {
  const error = `The mail server is away ${Date.now()}`;
  await insertDeadJob(error);
  await signInAsSuperAdmin(page);
  await page.goto('/admin/jobs');
  await page.getByRole('combobox', { name: 'State' }).selectOption('dead');
  const row = page.getByRole('row', { name: new RegExp(error) });
  await row.getByRole('link', { name: /^zones\.notify-join-request-approved/ }).click();
  const detailDialog = page.getByRole('dialog', { name: 'zones.notify-join-request-approved' });
  await expect(detailDialog).toContainText(error);
  await expectAccessible(page);
  await detailDialog.getByRole('button', { name: 'Retry Now' }).click();
  await expect(toast(page)).toContainText('Retrying the job');
  await expect(row).toHaveCount(0);
});

for (const width of [360, 1440]) {
  test(`every admin tab fits ${width} pixels and is accessible`, async ({ page }) => {
    await signInAsSuperAdmin(page);
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: width < 1000 ? 'dark' : 'light' });
    for (const tab of ['', ...tabs]) {
      await page.goto(`/admin/${tab}`);
      await expect(page.getByRole('heading', { level: 1, name: 'Administration' })).toBeVisible();
      await expect(page.getByRole('tabpanel')).not.toBeEmpty();
      await expect(page.getByRole('tabpanel').locator('[aria-busy="true"]')).toHaveCount(0);
      await expect(page.getByRole('tabpanel').getByRole('alert')).toHaveCount(0);
      await expectNoOverflow(page);
      await expectAccessible(page);
    }
  });
}

test('a regular user can’t open the administration and loads none of its code', async ({ page, mailbox }) => {
  await registerUser(page, mailbox);
  const loaded: string[] = [];
  page.on('request', (request) => void loaded.push(new URL(request.url()).pathname));
  for (const address of ['/admin', '/admin/users', '/feature-suggestions']) {
    await page.goto(address);
    const title = address.startsWith('/admin') ? 'You don’t have access to this page' : 'Feature Requests';
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole('navigation').getByRole('button', { name: 'Administration' })).toHaveCount(0);
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Super Admin' })).toHaveCount(0);
  }
  expect(loaded.filter((path) => /admin|edit-dialog|react-admin/.test(path) && /\.js$|^\/api/.test(path))).toEqual([]);
  for (const resource of ['users', 'zones', 'audit-log', 'jobs', 'stats', 'system', 'suppressions', 'activity']) {
    expect((await page.request.get(`/api/admin/${resource}`)).status()).toBe(403);
  }
});
