import { TOTP } from 'otpauth';
import type { Page } from '@playwright/test';
import { expireReauthentication } from '../support/database.ts';
import { expect, expectAccessible, registerUser, signIn, test, type TestUser } from '../support/test.ts';

const section = (page: Page) => page.getByRole('region', { name: 'Two-Step Sign-In' });

/** An authenticator's code for the secret, optionally of a later period, because each code works only once. */
const totpCode = (secret: string, periodsAhead = 0) =>
  new TOTP({ secret: secret.replaceAll(' ', '') }).generate({ timestamp: Date.now() + periodsAhead * 30_000 });

async function signOutAndIn(page: Page, user: TestUser): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/auth');
  await signIn(page, user);
  await expect(page.getByRole('heading', { level: 1, name: 'One More Step' })).toBeVisible();
}

test('a user sets up an authenticator app and signs in with it or a recovery code', async ({ page, mailbox }) => {
  const user = await registerUser(page, mailbox);
  await expireReauthentication(user.email);
  await page.goto('/settings');
  await section(page).getByRole('button', { name: 'Set Up an Authenticator App' }).click();
  const reauthenticationDialog = page.getByRole('dialog', { name: 'Confirm That It’s You' });
  await reauthenticationDialog.getByLabel('Your password').fill(user.password);
  await page.keyboard.press('Enter');
  const setUpDialog = page.getByRole('dialog', { name: 'Set Up an Authenticator App' });
  const secret = await setUpDialog.getByRole('group', { name: 'Or enter this key in the app' }).innerText();
  await expect(setUpDialog.getByLabel('6-digit code')).toBeFocused();
  await expectAccessible(page);
  await setUpDialog.getByLabel('6-digit code').fill(totpCode(secret));
  await page.keyboard.press('Enter');
  const recoveryCodesDialog = page.getByRole('dialog', { name: 'Save Your Recovery Codes' });
  await expect(recoveryCodesDialog.getByRole('listitem')).toHaveCount(10);
  const codes = await recoveryCodesDialog.getByRole('listitem').allTextContents();
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await recoveryCodesDialog.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('recovery-codes.txt');
  await recoveryCodesDialog.getByLabel('I’ve saved the codes').check();
  await recoveryCodesDialog.getByRole('button', { name: 'Done' }).click();
  await expect(section(page)).toContainText('10 codes left');

  await signOutAndIn(page, user);
  await expectAccessible(page);
  const codeField = page.getByLabel('6-digit code');
  await expect(codeField).toBeFocused();
  await codeField.fill('000000');
  await expect(codeField).toHaveAccessibleDescription(/wrong/);
  await codeField.fill(totpCode(secret, 1));
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();

  await signOutAndIn(page, user);
  await page.getByRole('button', { name: 'Use a Recovery Code' }).click();
  await page.getByLabel('Recovery code').fill(codes[0]!);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await page.goto('/settings');
  await expect(section(page)).toContainText('9 codes left');

  await section(page).getByRole('button', { name: 'Remove the Authenticator App' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(section(page).getByRole('button', { name: 'Set Up an Authenticator App' })).toBeVisible();
});
