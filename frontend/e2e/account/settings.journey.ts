import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  expectWrongPassword,
  keepPicture,
  newPerson,
  register,
  signIn,
  test,
} from '../support/test.ts';

const section = (page: Page, name: string) => page.getByRole('region', { name });

async function open(page: Page): Promise<void> {
  await page.goto('/settings');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
}

test('name and username are changed, with the live check, and are everywhere at once', async ({ page, mailbox }) => {
  const taken = await register(page, mailbox);
  const person = await register(page, mailbox);
  await page.goto('/');
  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
  const profile = section(page, 'Profile');
  const username = profile.getByLabel('Username');
  await username.fill(taken.username);
  await expect(username).toHaveAccessibleDescription('This username is already taken');
  await profile.getByLabel('Name', { exact: true }).fill('Ece');
  await profile.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Username is not available')).toBeVisible();
  await username.fill(`${person.username.toUpperCase()} -2`);
  await expect(username).toHaveValue(`${person.username}-2`);
  await expect(username).toHaveAccessibleDescription('Username is available');
  await profile.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Profile Updated')).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Menu' })).toContainText(`Ece@${person.username}-2`);
  await page.reload();
  await expect(profile.getByLabel('Name', { exact: true })).toHaveValue('Ece');

  await username.fill(`${person.username}-3`);
  await profile.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Profile Updated')).toBeVisible();
  await username.fill(`${person.username}-4`);
  await expect(username).toHaveAccessibleDescription('Username is available');
  await profile.getByRole('button', { name: 'Save changes' }).click();
  await expect(username).toHaveAccessibleDescription(/You can change your username 2 times in 10 days/);
});

test('a language chosen in the menu becomes the setting, which other browsers and mails follow', async ({
  page,
  browser,
  baseURL,
  mailbox,
}) => {
  const person = await register(page, mailbox);
  await page.goto('/');
  await page.getByRole('button', { name: 'Account menu' }).click();
  const saved = page.waitForResponse((answer) => answer.url().endsWith('/api/user/profile'));
  await page.getByRole('menuitemradio', { name: 'Türkçe' }).click();
  expect((await saved).status()).toBe(200);

  const context = await browser.newContext({ baseURL, locale: 'en-US' });
  const other = await context.newPage();
  await other.goto('/auth');
  await signIn(other, person);
  await expect(other.getByRole('heading', { level: 1, name: 'Panel' })).toBeVisible();
  await other.goto('/settings');
  const zone = other.getByRole('combobox', { name: 'Saat dilimi' });
  await zone.fill('tokyo');
  await other.getByRole('option', { name: /Tokyo/ }).click();
  await expect(other.getByText('Saat dilimi kaydedildi')).toBeVisible();
  await other.reload();
  await expect(zone).toHaveValue('Tokyo (GMT+9)');
  await context.close();

  await page.request.post('/api/forgot-password', { headers: { origin: baseURL! }, data: { email: person.email } });
  // The code, the sign-in in another browser, the reset.
  expect((await mailbox.newest(person.email, 3)).subject).toBe('Yeni bir parola belirleyin');
});

test('a session ended in another browser covers the page, and nothing typed is lost', async ({
  page,
  browser,
  baseURL,
  mailbox,
}) => {
  const person = await register(page, mailbox);
  const context = await browser.newContext({ baseURL });
  const other = await context.newPage();
  await other.goto('/login');
  await signIn(other, person);
  await expect(other.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await open(other);
  await section(other, 'Emails to your members').getByLabel('Postal address').fill('Deniz Acar\nAnkara');

  await open(page);
  const sessions = section(page, 'Where you are signed in');
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expect(sessions.getByRole('listitem').first()).toContainText('Chrome on LinuxThis device');
  await sessions.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(page.getByText('Signed out everywhere else')).toBeVisible();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  expect((await mailbox.newest(person.email, 2)).subject).toBe('You have been signed out everywhere else');

  await section(other, 'Emails to your members').getByRole('button', { name: 'Save changes' }).click();
  const cover = other.getByRole('dialog', { name: 'Please sign in again' });
  await expect(cover.getByLabel('Email')).toHaveValue(person.email);
  await expect(cover.getByLabel('Password', { exact: true })).toBeFocused();
  await expectAccessible(other);
  await cover.getByLabel('Password', { exact: true }).fill(person.password);
  await other.keyboard.press('Enter');
  await expect(cover).toBeHidden();
  const address = section(other, 'Emails to your members').getByLabel('Postal address');
  await expect(address).toHaveValue('Deniz Acar\nAnkara');
  await section(other, 'Emails to your members').getByRole('button', { name: 'Save changes' }).click();
  await expect(other.getByText('Postal address saved')).toBeVisible();

  await page.reload();
  await sessions.getByRole('button', { name: /^Sign out Chrome/ }).click();
  await expect(page.getByText('Chrome on Linux signed out')).toBeVisible();
  await other.goto('/settings');
  await expect(other.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible();
  await context.close();
});

test('a token is made, works for a program and in Swagger UI, and is refused once it is revoked', async ({
  page,
  playwright,
  baseURL,
  mailbox,
}) => {
  const person = await register(page, mailbox);
  await open(page);
  const tokens = section(page, 'API tokens');
  await tokens.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await dialog.getByLabel('Name').fill('Nightly backup');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Copy your token now' })).toBeVisible();
  await expectAccessible(page);
  const token = await dialog.getByLabel('API token').inputValue();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(tokens.getByRole('listitem')).toContainText('Nightly backupRead');
  expect((await mailbox.newest(person.email, 2)).subject).toBe('A new API token for your account');

  const program = await playwright.request.newContext({
    baseURL,
    extraHTTPHeaders: { authorization: `Bearer ${token}` },
  });
  expect(await (await program.get('/api/user')).json()).toMatchObject({ email: person.email });
  expect((await program.get('/api/user/sessions')).status()).toBe(403);
  expect((await program.post('/api/zones', { data: { name: 'From a program', type: 'private' } })).status()).toBe(403);
  await tryInSwagger(page, token);

  await open(page);
  await tokens.getByRole('button', { name: 'Revoke Nightly backup' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Token revoked')).toBeVisible();
  await expect(tokens.getByText('No tokens yet')).toBeVisible();
  expect((await program.get('/api/user')).status()).toBe(401);
  await program.dispose();
});

async function tryInSwagger(page: Page, token: string): Promise<void> {
  await page.goto('/api/docs');
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const bearer = page.locator('.auth-container').filter({ hasText: 'http, Bearer' });
  await bearer.getByRole('textbox').fill(token);
  await bearer.getByRole('button', { name: 'Apply credentials' }).click();
  await page.getByRole('button', { name: 'Close' }).first().click();
  const operation = page
    .locator('.opblock')
    .filter({ has: page.locator('[data-path="/api/user"]') })
    .first();
  // Swagger UI draws only the operations near the view: look screen by screen, and from the top again after the last.
  await expect(async () => {
    await page.evaluate(() => {
      const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
      scrollTo(0, atEnd ? 0 : scrollY + innerHeight);
    });
    await expect(operation).toBeVisible({ timeout: 500 });
  }).toPass();
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/user'));
  await operation.getByRole('button', { name: 'Execute' }).click();
  expect((await sent).headers().authorization).toBe(`Bearer ${token}`);
  await expect(operation.locator('.live-responses-table tbody .response-col_status')).toContainText('200');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  // A path stands in a line of its own and not letter below letter.
  const path = operation.locator('.opblock-summary-path');
  expect((await path.boundingBox())!.width).toBeGreaterThan(60);
  expect((await path.boundingBox())!.height).toBeLessThan(50);
  await keepPicture(page, 'docs-360.png');
}

test('the export is a JSON file with what is held of the person', async ({ page, mailbox, baseURL }) => {
  const person = await register(page, mailbox);
  const zone = { name: 'Watercolour course', type: 'private' };
  await page.request.post('/api/zones', { headers: { origin: baseURL! }, data: zone });
  await open(page);
  const download = page.waitForEvent('download');
  await section(page, 'Your data').getByRole('button', { name: 'Export my data' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^zonary-export-\d{4}-\d\d-\d\d\.json$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(JSON.parse(text)).toHaveProperty('exportedAt');
  expect(text).toContain(person.email);
  expect(text).toContain('Watercolour course');
  await expect(page.getByText('Your data has been exported')).toBeVisible();
});

test('an account is deleted once its address has been typed, and nothing of it answers any more', async ({
  page,
  mailbox,
  baseURL,
}) => {
  const person = await register(page, mailbox, newPerson('Ayşe', 'Yılmaz'));
  const zone = { name: 'Watercolour course', type: 'private' };
  await page.request.post('/api/zones', { headers: { origin: baseURL! }, data: zone });
  await open(page);
  await section(page, 'Your data').getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await expect(dialog).toContainText('1 zone, with all its files, folders and links');
  const address = dialog.getByLabel(`Type “${person.email}” to confirm`);
  await expect(dialog.getByRole('button', { name: 'Delete my account' })).toBeDisabled();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await address.fill(person.email);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your account has been deleted')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Share your documents');

  await page.goto('/auth');
  await signIn(page, person);
  await expectWrongPassword(page);
  const subjects = async () => (await mailbox.to(person.email)).map(({ subject }) => subject);
  await expect.poll(subjects).toContain('Your account has been deleted');
});
