import { expect, expectWrongPasswordError, makeUser, registerUser, test } from '../support/test.ts';

test('a visitor registers with an emailed code, signs out and signs in again', async ({ page, mailbox }) => {
  const user = makeUser('Deniz', 'Şahin');
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Share your documents');
  await page.getByRole('link', { name: 'Create Account' }).click();

  await page.getByLabel('First name').fill(user.firstName);
  await page.getByLabel('Last name').fill(user.lastName);
  await page.getByLabel('Username').fill(user.username);
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription(/available/i);
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByRole('status').getByText('The email wasn’t sent', { exact: true })).toBeVisible();

  await page.getByLabel('Verification code').fill(await mailbox.waitForCode(user.email));
  await page.getByRole('main').getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByText('Account created!')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(page.getByText('Deniz Şahin')).toBeVisible();
  await expect(page).toHaveURL('/');

  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Share your documents');

  await page.getByRole('link', { name: 'Sign In' }).click();
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Welcome back!', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test('a user sees errors for a wrong code and a wrong password and keeps the entered values', async ({
  page,
  mailbox,
}) => {
  const user = makeUser();
  await page.goto('/auth?mode=register');
  await page.getByLabel('First name').fill(user.firstName);
  await page.getByLabel('Last name').fill(user.lastName);
  await page.getByLabel('Username').fill(user.username);
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  const code = await mailbox.waitForCode(user.email);
  await page.getByLabel('Verification code').fill(code === '000000' ? '111111' : '000000');
  await page.getByRole('main').getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByText('Registration failed')).toBeVisible();
  await expect(page.getByLabel('Verification code')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Verification code').fill(code);
  await page.getByRole('main').getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();

  await page.getByRole('button', { name: 'Sign out' }).click();
  // Signing out reloads the page; navigating earlier would interrupt that.
  await expect(page.getByRole('link', { name: 'Start Building Your Audience' }).first()).toBeVisible();
  await page.goto('/login');
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  await expectWrongPasswordError(page);
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('not the password');
});

test('a signed-out visitor signs in on a protected page and stays on it', async ({ page, mailbox, context }) => {
  const user = await registerUser(page, mailbox);
  await context.clearCookies();
  await page.goto('/dashboard?from=mail');
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(page).toHaveURL('/dashboard?from=mail');
});

test('a user chooses language and colour mode by keyboard and keeps them after a reload', async ({ page, mailbox }) => {
  await registerUser(page, mailbox);
  await page.goto('/');
  await page.getByRole('button', { name: 'Account menu' }).press('Enter');
  await page.getByRole('menuitemradio', { name: 'Türkçe' }).press('Enter');
  await page.getByRole('menuitemradio', { name: 'Koyu' }).press('Enter');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Panel' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'tr');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(19, 20, 22)');
});

test('a signed-out visitor is redirected from an unknown URL below /zones/ to sign-in', async ({ page }) => {
  await page.goto('/zones/not/a/zone');
  await expect(page.getByRole('heading', { name: 'Zones can’t be reached this way' })).toBeVisible();
  await expect(page).toHaveURL('/login');
});
