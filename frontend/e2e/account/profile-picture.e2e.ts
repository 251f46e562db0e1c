import { pngFile } from '../support/sample-files.ts';
import { expect, expectAccessible, registerUser, test } from '../support/test.ts';

// Playwright's trace recorder loads images the content security policy blocks.
test.use({ trace: 'off' });

test('a user previews, saves and removes a profile picture', async ({ page, mailbox }) => {
  await registerUser(page, mailbox);
  await page.goto('/settings');
  const profile = page.getByRole('region', { name: 'Profile' });
  const chooser = page.waitForEvent('filechooser');
  await profile.getByRole('button', { name: 'Upload a Picture' }).click();
  await (await chooser).setFiles(pngFile('me.png'));
  const dialog = page.getByRole('dialog', { name: 'Your New Picture' });
  await expect(dialog.getByRole('img', { name: 'Your New Picture' })).toHaveJSProperty('complete', true);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Use This Picture' }).click();
  await expect(page.getByText('Picture saved')).toBeVisible();
  const menuPicture = page.getByRole('button', { name: 'Account menu' }).locator('img');
  await expect(menuPicture).toHaveJSProperty('naturalWidth', 256);
  await page.goto('/home');
  await expect(page.locator('header img.z-avatar')).toHaveJSProperty('naturalWidth', 256);

  await page.goto('/settings');
  await profile.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Picture removed')).toBeVisible();
  await expect(menuPicture).toHaveCount(0);
  const brokenImage = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') };
  await page.locator('input[type=file]').setInputFiles(brokenImage);
  await expect(profile.getByRole('alert')).toHaveText('This picture can’t be shown. Please choose another one.');
});
