import type { CDPSession, Page } from '@playwright/test';
import { expireReauthentication } from '../support/database.ts';
import { expect, expectAccessible, registerUser, signIn, test } from '../support/test.ts';

/** A device with a fingerprint reader that always recognises its owner. */
async function addVirtualAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

test('a user signs in and reauthenticates with a passkey until it is removed', async ({ page, mailbox }) => {
  const user = await registerUser(page, mailbox);
  const { cdp, authenticatorId } = await addVirtualAuthenticator(page);
  const setUnavailable = (unavailable: boolean) =>
    cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: !unavailable });
  await page.goto('/settings');
  const passkeysSection = page.getByRole('region', { name: 'Passkeys' });
  await passkeysSection.getByRole('button', { name: 'Add a Passkey' }).click();
  const recoveryCodesDialog = page.getByRole('dialog', { name: 'Save Your Recovery Codes' });
  await recoveryCodesDialog.getByLabel('I’ve saved the codes').check();
  await recoveryCodesDialog.getByRole('button', { name: 'Done' }).click();
  await expect(passkeysSection.getByRole('listitem')).toContainText('Chrome on Linux');
  await expectAccessible(page);
  await passkeysSection.getByRole('button', { name: 'Rename Chrome on Linux' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Work laptop');
  await page.keyboard.press('Enter');
  await expect(passkeysSection.getByRole('listitem')).toContainText('Work laptop');

  // Passkey as the only credential. Autofill would accept the passkey at once here, so the device is disabled until the
  // button is used.
  await setUnavailable(true);
  await page.context().clearCookies();
  await page.goto('/auth');
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn');
  await expectAccessible(page);
  const passkeyButton = page.getByRole('button', { name: 'Sign In with a Passkey' });
  await setUnavailable(false);
  await passkeyButton.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();

  // As a reauthentication.
  await expireReauthentication(user.email);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Export My Data' }).click();
  const reauthenticationDialog = page.getByRole('dialog', { name: 'Confirm That It’s You' });
  await expect(reauthenticationDialog.getByRole('button', { name: 'Use Your Password' })).toBeVisible();
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await reauthenticationDialog.getByRole('button', { name: 'Use a Passkey' }).click();
  await download;

  // As a second factor after the password.
  await setUnavailable(true);
  await page.context().clearCookies();
  await page.goto('/auth');
  await signIn(page, user);
  await expect(page.getByRole('heading', { level: 1, name: 'One More Step' })).toBeVisible();
  await expectAccessible(page);
  await setUnavailable(false);
  await page.getByRole('button', { name: 'Use a Passkey' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();

  await page.goto('/settings');
  await expect(passkeysSection.getByRole('listitem')).toContainText('last used');
  await passkeysSection.getByRole('button', { name: 'Remove Work laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('“Work laptop” removed')).toBeVisible();
  await setUnavailable(true);
  await page.context().clearCookies();
  await page.goto('/auth');
  await signIn(page, user);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});
