import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoOverflow, registerUser, signIn, test } from '../support/test.ts';

/** Opens the sign-in page without any script file, as on a slow connection; returns a function that lets them load. */
async function openWithoutApp(page: Page): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>();
  const pattern = '**/*.js';
  await page.route(pattern, async (route) => {
    await gate.promise;
    await route.continue();
  });
  // The load event would wait for the app.
  await page.goto('/auth', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1, name: 'Sign In' })).toBeVisible();
  return async () => {
    gate.resolve();
    await page.waitForLoadState('load');
    await page.unroute(pattern);
  };
}

test('a visitor uses the sign-in page before the app has loaded', async ({ page, mailbox }) => {
  const user = await registerUser(page, mailbox);
  await page.context().clearCookies();

  const loadForReset = await openWithoutApp(page);
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByLabel('Email').fill(user.email);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page).toHaveURL('/auth');
  await loadForReset();
  await expect(page).toHaveURL('/forgot-password');
  await expect(page.getByLabel('Email')).toHaveValue(user.email);

  const loadForRegistration = await openWithoutApp(page);
  await page.getByRole('button', { name: 'Create account' }).click();
  await loadForRegistration();
  await expect(page.getByRole('heading', { level: 1, name: 'Create Your Account' })).toBeVisible();

  const loadForSignIn = await openWithoutApp(page);
  await signIn(page, user);
  // A submission by the browser would load the page again, with the password in its URL or without what was typed.
  await expect(page).toHaveURL('/auth');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(user.password);
  await loadForSignIn();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});
