import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  expectWrongPasswordError,
  saveScreenshot,
  makeUser,
  registerUser,
  signIn,
  test,
} from '../support/test.ts';

const section = (page: Page, name: string) => page.getByRole('region', { name });

async function openSettings(page: Page): Promise<void> {
  await page.goto('/settings');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
}

test('a user changes name and username with a live check and sees them everywhere at once', async ({
  page,
  mailbox,
}) => {
  const otherUser = await registerUser(page, mailbox);
  const user = await registerUser(page, mailbox);
  await page.goto('/');
  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
  const profileSection = section(page, 'Profile');
  const usernameField = profileSection.getByLabel('Username');
  await usernameField.fill(otherUser.username);
  await expect(usernameField).toHaveAccessibleDescription('This username is already taken');
  await profileSection.getByLabel('Name', { exact: true }).fill('Ece');
  await profileSection.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Username is not available')).toBeVisible();
  await usernameField.fill(`${user.username.toUpperCase()} -2`);
  await expect(usernameField).toHaveValue(`${user.username}-2`);
  await expect(usernameField).toHaveAccessibleDescription('Username is available');
  await profileSection.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Profile Updated')).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Menu' })).toContainText(`Ece@${user.username}-2`);
  await page.reload();
  await expect(profileSection.getByLabel('Name', { exact: true })).toHaveValue('Ece');

  await usernameField.fill(`${user.username}-3`);
  await profileSection.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Profile Updated')).toBeVisible();
  await usernameField.fill(`${user.username}-4`);
  await expect(usernameField).toHaveAccessibleDescription('Username is available');
  await profileSection.getByRole('button', { name: 'Save Changes' }).click();
  await expect(usernameField).toHaveAccessibleDescription(/You can change your username twice in 10 days/);
});

test('a user chooses a language in the menu that other browsers and emails use too', async ({
  page,
  browser,
  baseURL,
  mailbox,
}) => {
  const user = await registerUser(page, mailbox);
  await page.goto('/');
  await page.getByRole('button', { name: 'Account menu' }).click();
  const profileResponse = page.waitForResponse((response) => response.url().endsWith('/api/user/profile'));
  await page.getByRole('menuitemradio', { name: 'Türkçe' }).click();
  expect((await profileResponse).status()).toBe(200);

  const context = await browser.newContext({ baseURL, locale: 'en-US' });
  const otherPage = await context.newPage();
  await otherPage.goto('/auth');
  await signIn(otherPage, user);
  await expect(otherPage.getByRole('heading', { level: 1, name: 'Panel' })).toBeVisible();
  await otherPage.goto('/settings');
  const zone = otherPage.getByRole('combobox', { name: 'Saat dilimi' });
  await zone.fill('tokyo');
  await otherPage.getByRole('option', { name: /Tokyo/ }).click();
  await expect(otherPage.getByText('Saat dilimi kaydedildi')).toBeVisible();
  await otherPage.reload();
  await expect(zone).toHaveValue('Tokyo (GMT+9)');
  await context.close();

  await page.request.post('/api/forgot-password', { headers: { origin: baseURL! }, data: { email: user.email } });
  await mailbox.waitForSubject(user.email, 'Yeni bir parola belirleyin');
});

test('a user whose session was ended in another browser signs in again and keeps the entered values', async ({
  page,
  browser,
  baseURL,
  mailbox,
}) => {
  const user = await registerUser(page, mailbox);
  const context = await browser.newContext({ baseURL });
  const otherPage = await context.newPage();
  await otherPage.goto('/login');
  await signIn(otherPage, user);
  await expect(otherPage.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await openSettings(otherPage);
  await section(otherPage, 'Emails to Your Members').getByLabel('Postal address').fill('Deniz Acar\nAnkara');

  await openSettings(page);
  const sessionsSection = section(page, 'Where You’re Signed In');
  await expect(sessionsSection.getByRole('listitem')).toHaveCount(2);
  await expect(sessionsSection.getByRole('listitem').first()).toContainText('Chrome on LinuxThis device');
  await sessionsSection.getByRole('button', { name: 'Sign Out Everywhere Else' }).click();
  await expect(page.getByText('Signed out everywhere else')).toBeVisible();
  await expect(sessionsSection.getByRole('listitem')).toHaveCount(1);
  await mailbox.waitForSubject(user.email, 'You have been signed out everywhere else');

  await section(otherPage, 'Emails to Your Members').getByRole('button', { name: 'Save Changes' }).click();
  const signInDialog = otherPage.getByRole('dialog', { name: 'Please sign in again' });
  await expect(signInDialog.getByLabel('Email')).toHaveValue(user.email);
  await expect(signInDialog.getByLabel('Password', { exact: true })).toBeFocused();
  await expectAccessible(otherPage);
  await signInDialog.getByLabel('Password', { exact: true }).fill(user.password);
  await otherPage.keyboard.press('Enter');
  await expect(signInDialog).toBeHidden();
  const addressField = section(otherPage, 'Emails to Your Members').getByLabel('Postal address');
  await expect(addressField).toHaveValue('Deniz Acar\nAnkara');
  await section(otherPage, 'Emails to Your Members').getByRole('button', { name: 'Save Changes' }).click();
  await expect(otherPage.getByText('Postal address saved')).toBeVisible();

  await page.reload();
  await sessionsSection.getByRole('button', { name: /^Sign Out Chrome/ }).click();
  await expect(page.getByText('Chrome on Linux signed out')).toBeVisible();
  await otherPage.goto('/settings');
  await expect(otherPage.getByRole('heading', { name: 'Sign In', exact: true })).toBeVisible();
  await context.close();
});

test('a user creates an API token that works in programs and Swagger UI until it is revoked', async ({
  page,
  playwright,
  baseURL,
  mailbox,
}) => {
  const user = await registerUser(page, mailbox);
  await openSettings(page);
  const tokensSection = section(page, 'API Tokens');
  await tokensSection.getByRole('button', { name: 'New Token' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await dialog.getByLabel('Name').fill('Nightly backup');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Copy Your Token Now' })).toBeVisible();
  await expectAccessible(page);
  const token = await dialog.getByLabel('API token').inputValue();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(tokensSection.getByRole('listitem')).toContainText('Nightly backupRead');
  await mailbox.waitForSubject(user.email, 'A new API token for your account');

  const apiClient = await playwright.request.newContext({
    baseURL,
    extraHTTPHeaders: { authorization: `Bearer ${token}` },
  });
  expect(await (await apiClient.get('/api/user')).json()).toMatchObject({ email: user.email });
  expect((await apiClient.get('/api/user/sessions')).status()).toBe(403);
  expect((await apiClient.post('/api/zones', { data: { name: 'From a program', type: 'private' } })).status()).toBe(
    403,
  );
  await tryInSwagger(page, token);

  await openSettings(page);
  await tokensSection.getByRole('button', { name: 'Revoke Nightly backup' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Token revoked')).toBeVisible();
  await expect(tokensSection.getByText('No tokens yet')).toBeVisible();
  expect((await apiClient.get('/api/user')).status()).toBe(401);
  await apiClient.dispose();
});

async function tryInSwagger(page: Page, token: string): Promise<void> {
  await page.goto('/api/docs');
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const bearerSection = page.locator('.auth-container').filter({ hasText: 'http, Bearer' });
  await bearerSection.getByRole('textbox').fill(token);
  await bearerSection.getByRole('button', { name: 'Apply credentials' }).click();
  await page.getByRole('button', { name: 'Close' }).first().click();
  const operation = page
    .locator('.opblock')
    .filter({ has: page.locator('[data-path="/api/user"]') })
    .first();
  // Swagger UI renders only the operations near the viewport: scroll screen by screen, and restart at the top.
  await expect(async () => {
    await page.evaluate(() => {
      const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
      scrollTo(0, atEnd ? 0 : scrollY + innerHeight);
    });
    await expect(operation).toBeVisible({ timeout: 500 });
  }).toPass();
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  const apiRequest = page.waitForRequest((request) => request.url().endsWith('/api/user'));
  await operation.getByRole('button', { name: 'Execute' }).click();
  expect((await apiRequest).headers().authorization).toBe(`Bearer ${token}`);
  await expect(operation.locator('.live-responses-table tbody .response-col_status')).toContainText('200');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  // The path must be on one line, not one letter per line.
  const path = operation.locator('.opblock-summary-path');
  expect((await path.boundingBox())!.width).toBeGreaterThan(60);
  expect((await path.boundingBox())!.height).toBeLessThan(50);
  await saveScreenshot(page, 'docs-360.png');
}

test('a user exports their data as a JSON file', async ({ page, mailbox, baseURL }) => {
  const user = await registerUser(page, mailbox);
  const zone = { name: 'Watercolour course', type: 'private' };
  await page.request.post('/api/zones', { headers: { origin: baseURL! }, data: zone });
  await openSettings(page);
  const download = page.waitForEvent('download');
  await section(page, 'Your Data').getByRole('button', { name: 'Export My Data' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^zonary-export-\d{4}-\d\d-\d\d\.json$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(JSON.parse(text)).toHaveProperty('exportedAt');
  expect(text).toContain(user.email);
  expect(text).toContain('Watercolour course');
  await expect(page.getByText('Your data has been exported')).toBeVisible();
});

test('a user deletes the account after typing its email and loses all access', async ({ page, mailbox, baseURL }) => {
  const user = await registerUser(page, mailbox, makeUser('Ayşe', 'Yılmaz'));
  const zone = { name: 'Watercolour course', type: 'private' };
  await page.request.post('/api/zones', { headers: { origin: baseURL! }, data: zone });
  await openSettings(page);
  await section(page, 'Your Data').getByRole('button', { name: 'Delete My Account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await expect(dialog).toContainText('1 zone, with all its files, folders and links');
  const addressField = dialog.getByLabel(`Type “${user.email}” to confirm`);
  await expect(dialog.getByRole('button', { name: 'Delete My Account' })).toBeDisabled();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await addressField.fill(user.email);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your account has been deleted')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Share your documents');

  await page.goto('/auth');
  await signIn(page, user);
  await expectWrongPasswordError(page);
  const listSubjects = () => mailbox.listEmails(user.email).map(({ subject }) => subject);
  await expect.poll(listSubjects).toContain('Your account has been deleted');
});
