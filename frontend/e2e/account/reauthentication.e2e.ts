import { expireReauthentication } from '../support/database.ts';
import { signInWithProvider } from '../support/identity-provider.ts';
import {
  reauthenticateByEmail,
  expect,
  expectAccessible,
  expectWrongPasswordError,
  uniqueEmail,
  registerUser,
  signIn,
  test,
} from '../support/test.ts';

test('a user reauthenticates once for sensitive actions, which then continue automatically', async ({
  page,
  mailbox,
}) => {
  const user = await registerUser(page, mailbox);
  await page.goto('/settings');
  const dialog = page.getByRole('dialog', { name: 'Confirm That It’s You' });
  const dataSection = page.getByRole('region', { name: 'Your Data' });
  await expireReauthentication(user.email);
  await dataSection.getByRole('button', { name: 'Export My Data' }).click();
  await expect(dialog.getByLabel('Your password')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Couldn’t export your data')).toBeVisible();

  await dataSection.getByRole('button', { name: 'Export My Data' }).click();
  await dialog.getByLabel('Your password').fill('not the password');
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Your password')).toHaveAccessibleDescription('The current password is incorrect.');
  await dialog.getByLabel('Your password').fill(user.password);
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await download).suggestedFilename()).toContain('export');
  await expect(dialog).toBeHidden();

  // The reauthentication is valid for ten minutes.
  const tokens = page.getByRole('region', { name: 'API Tokens' });
  await tokens.getByRole('button', { name: 'New Token' }).click();
  await page.getByLabel('Name', { exact: true }).last().fill('Backup');
  await page.getByRole('button', { name: 'Create Token' }).click();
  await expect(page.getByText('Copy Your Token Now')).toBeVisible();
});

test('a user changes the email from the new mailbox and reverts it from the old one', async ({ page, mailbox }) => {
  const user = await registerUser(page, mailbox);
  const newEmail = uniqueEmail('moved');
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Change Email' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change Your Email' });
  await expireReauthentication(user.email);
  await dialog.getByLabel('New email').fill(newEmail);
  await page.keyboard.press('Enter');
  const reauthenticationDialog = page.getByRole('dialog', { name: 'Confirm That It’s You' });
  await expect(reauthenticationDialog.getByLabel('Your password')).toBeFocused();
  await reauthenticationDialog.getByLabel('Your password').fill(user.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('On hold, not sent', { exact: true })).toBeVisible();
  await expect(dialog).toBeHidden();

  await page.goto(await mailbox.waitForLink(newEmail, '/change-email'));
  await expect(page.getByRole('heading', { level: 1, name: 'Change Your Email Address' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Change My Email Address' }).click();
  await expect(page.getByText('Your email address has been changed.')).toBeVisible();
  await page.goto('/settings');
  await expect(page.getByText(newEmail).first()).toBeVisible();

  // The second email, after the code: the notice with the undo link.
  await page.goto(await mailbox.waitForLink(user.email, '/undo-email-change', 2));
  await expect(page.getByText(user.email)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Undo the Change' }).click();
  await expect(page.getByRole('link', { name: 'Set a New Password' })).toHaveAttribute('href', '/forgot-password');
  // All sessions end, even those opened with the password: the person who changed the address may know it.
  await page.goto('/auth');
  await signIn(page, { ...user, email: newEmail });
  await expectWrongPasswordError(page);
});

test('a user signs in with a provider and deletes the account without a password', async ({ page, mailbox }) => {
  const email = uniqueEmail('grace');
  await page.goto('/auth');
  await signInWithProvider(page, email);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto('/settings');
  const identities = page.getByRole('region', { name: 'Single Sign-On' });
  await expect(identities).toContainText('Example ID');
  await expireReauthentication(email);
  await page.getByRole('button', { name: 'Delete My Account' }).click();
  const deleteDialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await deleteDialog.getByLabel(`Type “${email}” to confirm`).fill(email);
  await page.keyboard.press('Enter');
  await reauthenticateByEmail(page, mailbox, email);
  await expect(page.getByText('Your account has been deleted')).toBeVisible();
});

test('a user connects a provider to an existing account after proving ownership', async ({
  page,
  mailbox,
  context,
}) => {
  const user = await registerUser(page, mailbox);
  await context.clearCookies();
  await page.goto('/auth');
  await signInWithProvider(page, user.email);
  await expect(
    page.getByRole('heading', { level: 1, name: 'This email address already has an account' }),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Connect and Sign In' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await page.goto('/settings');
  const identities = page.getByRole('region', { name: 'Single Sign-On' });
  await identities.getByRole('button', { name: 'Disconnect Example ID' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText('Example ID disconnected')).toBeVisible();
  await expect(identities).toBeHidden();
});
