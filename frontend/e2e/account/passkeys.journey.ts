import type { CDPSession, Page } from '@playwright/test';
import { forgetConfirmations } from '../support/database.ts';
import { expect, expectAccessible, register, signIn, test } from '../support/test.ts';

/** A device with a fingerprint reader that always knows its owner. */
async function addDevice(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
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

test('a passkey signs in alone, as a second step and at a confirmation, until it is removed', async ({
  page,
  mailbox,
}) => {
  const person = await register(page, mailbox);
  const { cdp, authenticatorId } = await addDevice(page);
  const sleeps = (asleep: boolean) =>
    cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: !asleep });
  await page.goto('/settings');
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  await passkeys.getByRole('button', { name: 'Add a Passkey' }).click();
  const keeping = page.getByRole('dialog', { name: 'Save Your Recovery Codes' });
  await keeping.getByLabel('I’ve saved the codes').check();
  await keeping.getByRole('button', { name: 'Done' }).click();
  await expect(passkeys.getByRole('listitem')).toContainText('Chrome on Linux');
  await expectAccessible(page);
  await passkeys.getByRole('button', { name: 'Rename Chrome on Linux' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Work laptop');
  await page.keyboard.press('Enter');
  await expect(passkeys.getByRole('listitem')).toContainText('Work laptop');

  // Alone. What the browser offers in the field would be taken at once here, so the device sleeps until the button.
  await sleeps(true);
  await page.context().clearCookies();
  await page.goto('/auth');
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn');
  await expectAccessible(page);
  const button = page.getByRole('button', { name: 'Sign In with a Passkey' });
  await sleeps(false);
  await button.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();

  // At a confirmation.
  await forgetConfirmations(person.email);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Export my data' }).click();
  const confirming = page.getByRole('dialog', { name: 'Confirm That It’s You' });
  await expect(confirming.getByRole('button', { name: 'Use Your Password' })).toBeVisible();
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await confirming.getByRole('button', { name: 'Use a Passkey' }).click();
  await download;

  // After the password.
  await sleeps(true);
  await page.context().clearCookies();
  await page.goto('/auth');
  await signIn(page, person);
  await expect(page.getByRole('heading', { level: 1, name: 'One More Step' })).toBeVisible();
  await expectAccessible(page);
  await sleeps(false);
  await page.getByRole('button', { name: 'Use a Passkey' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();

  await page.goto('/settings');
  await expect(passkeys.getByRole('listitem')).toContainText('last used');
  await passkeys.getByRole('button', { name: 'Remove Work laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('“Work laptop” removed')).toBeVisible();
  await sleeps(true);
  await page.context().clearCookies();
  await page.goto('/auth');
  await signIn(page, person);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});
