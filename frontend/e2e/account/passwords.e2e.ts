import type { Browser, Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectWrongPasswordError,
  uniqueEmail,
  registerUser,
  signIn,
  test,
} from '../support/test.ts';

const newPassword = 'another horse battery';

async function setNewPassword(page: Page, password = newPassword): Promise<void> {
  await page.getByLabel('New password').fill(password);
  await page.getByLabel('Confirm password').fill(password);
  await page.getByRole('button', { name: 'Save the Password' }).click();
}

/** A page in another browser without a session. */
async function openOtherBrowser(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({ baseURL });
  return context.newPage();
}

test('a user resets a forgotten password by email, which ends the old password and all sessions', async ({
  page,
  browser,
  baseURL,
  mailbox,
}) => {
  const user = await registerUser(page, mailbox);
  const visitor = await openOtherBrowser(browser, baseURL);
  await visitor.goto('/auth');
  await visitor.getByLabel('Email').fill(user.email);
  await visitor.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(visitor.getByLabel('Email')).toHaveValue(user.email);
  await visitor.getByRole('button', { name: 'Send the Link' }).click();
  await expect(visitor.getByRole('status').getByText('The email wasn’t sent', { exact: true })).toBeVisible();
  await expect(visitor.getByRole('heading', { name: 'The email wasn’t sent' })).toBeVisible();
  await expectAccessible(visitor);

  const link = await mailbox.waitForLink(user.email, '/reset-password', 2);
  await visitor.goto(link);
  await setNewPassword(visitor, 'short');
  await expect(visitor.getByLabel('New password')).toHaveAccessibleDescription(
    'Password must be at least 8 characters',
  );
  await setNewPassword(visitor, user.password);
  await expect(visitor.getByLabel('New password')).toHaveAccessibleDescription(/already your password/);
  await setNewPassword(visitor);
  await expect(visitor.getByText('Password reset successful!')).toBeVisible();
  await expect(visitor).toHaveURL('/auth');

  await page.goto('/settings');
  await expect(page.getByRole('heading', { name: 'Sign In', exact: true })).toBeVisible();
  await signIn(visitor, user);
  await expectWrongPasswordError(visitor);
  await signIn(visitor, { ...user, password: newPassword });
  await expect(visitor.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();

  const secondVisitor = await openOtherBrowser(browser, baseURL);
  await secondVisitor.goto(link);
  await expect(secondVisitor.getByRole('heading', { name: 'Invalid Reset Link' })).toBeVisible();
  await expectAccessible(secondVisitor);
  await secondVisitor.getByRole('link', { name: 'Ask for a New Link' }).click();
  await expect(secondVisitor).toHaveURL('/forgot-password');
  await secondVisitor.context().close();
  await visitor.context().close();
});

test('a visitor without an account sees the same reset message but gets no email', async ({ page, mailbox }) => {
  const address = uniqueEmail('nobody');
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill(address);
  await page.getByRole('button', { name: 'Send the Link' }).click();
  await expect(page.getByRole('status').getByText('The email wasn’t sent', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'The email wasn’t sent' })).toBeVisible();
  // Emails are sent in order: once a later user's email has arrived, this one would have, too.
  await registerUser(page, mailbox);
  expect(mailbox.listEmails(address)).toEqual([]);
});

test('a user who changes the password is notified by email and signed out on other devices', async ({
  page,
  browser,
  baseURL,
  mailbox,
}) => {
  const user = await registerUser(page, mailbox);
  const otherPage = await openOtherBrowser(browser, baseURL);
  await otherPage.goto('/auth');
  await signIn(otherPage, user);
  await expect(otherPage.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();

  await page.goto('/change-password');
  await expect(page).toHaveURL('/settings#password');
  const section = page.getByRole('region', { name: 'Password' });
  await expect(section).toBeInViewport();
  await section.getByLabel('Current password').fill('not the password');
  const newPasswordField = section.getByLabel('New password', { exact: true });
  await newPasswordField.fill('Passw0rd!');
  await expect(newPasswordField).toHaveAccessibleDescription(
    /^Easy to guess\. It’s very similar to a common password\./,
  );
  await newPasswordField.fill(`${user.username}1`);
  await expect(newPasswordField).toHaveAccessibleDescription(/^Easy to guess\. It contains your name/);
  await newPasswordField.fill(newPassword);
  await expect(newPasswordField).toHaveAccessibleDescription('Strong password.');
  await section.getByLabel('Confirm new password').fill(newPassword);
  await section.getByRole('button', { name: 'Change Password' }).click();
  await expect(section.getByLabel('Current password')).toHaveAccessibleDescription(
    'The current password is incorrect.',
  );
  await section.getByLabel('Current password').fill(user.password);
  await section.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByText('Password Changed', { exact: true })).toBeVisible();
  await expect(section.getByLabel('Current password')).toHaveValue('');
  await mailbox.waitForSubject(user.email, 'Your password has been changed');

  await page.reload();
  await expect(page.getByRole('region', { name: 'Where You’re Signed In' }).getByRole('listitem')).toHaveCount(1);
  await otherPage.reload();
  await expect(otherPage.getByRole('heading', { level: 1, name: 'Share your documents' })).toBeVisible();
  await otherPage.goto('/auth');
  await signIn(otherPage, { ...user, password: newPassword });
  await expect(otherPage.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await otherPage.context().close();
});
