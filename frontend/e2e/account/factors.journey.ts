import { TOTP } from 'otpauth';
import type { Page } from '@playwright/test';
import { forgetConfirmations } from '../support/database.ts';
import { expect, expectAccessible, register, signIn, test, type Person } from '../support/test.ts';

const section = (page: Page) => page.getByRole('region', { name: 'Two-Step Sign-In' });

/** What an app shows that has the secret; the code of the next half minute, since one counts once. */
const codeOf = (secret: string, ahead = 0) =>
  new TOTP({ secret: secret.replaceAll(' ', '') }).generate({ timestamp: Date.now() + ahead * 30_000 });

async function signOutAndIn(page: Page, person: Person): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/auth');
  await signIn(page, person);
  await expect(page.getByRole('heading', { level: 1, name: 'One More Step' })).toBeVisible();
}

test('an authenticator app protects the account: it, or a recovery code, is asked for', async ({ page, mailbox }) => {
  const person = await register(page, mailbox);
  await forgetConfirmations(person.email);
  await page.goto('/settings');
  await section(page).getByRole('button', { name: 'Set Up an Authenticator App' }).click();
  const confirming = page.getByRole('dialog', { name: 'Confirm That It’s You' });
  await confirming.getByLabel('Your password').fill(person.password);
  await page.keyboard.press('Enter');
  const setUp = page.getByRole('dialog', { name: 'Set Up an Authenticator App' });
  const secret = await setUp.getByRole('group', { name: 'Or enter this key in the app' }).innerText();
  await expect(setUp.getByLabel('6-digit code')).toBeFocused();
  await expectAccessible(page);
  await setUp.getByLabel('6-digit code').fill(codeOf(secret));
  await page.keyboard.press('Enter');
  const keeping = page.getByRole('dialog', { name: 'Save Your Recovery Codes' });
  await expect(keeping.getByRole('listitem')).toHaveCount(10);
  const codes = await keeping.getByRole('listitem').allTextContents();
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await keeping.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('recovery-codes.txt');
  await keeping.getByLabel('I’ve saved the codes').check();
  await keeping.getByRole('button', { name: 'Done' }).click();
  await expect(section(page)).toContainText('10 codes left');

  await signOutAndIn(page, person);
  await expectAccessible(page);
  const field = page.getByLabel('6-digit code');
  await expect(field).toBeFocused();
  await field.fill('000000');
  await expect(field).toHaveAccessibleDescription(/wrong/);
  await field.fill(codeOf(secret, 1));
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();

  await signOutAndIn(page, person);
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
