import { createEncryptedPdf } from '../../../backend/test/e2e/files/rendering/generated/pdf-samples.ts';
import { pdfFile } from '../support/sample-files.ts';
import { findFileId, expectPageRendered } from '../support/reader.ts';
import { expect, expectAccessible, expectNoOverflow, saveScreenshot, test } from '../support/test.ts';
import { fileButton, createUserWithZone, uploadFiles } from '../support/zones.ts';

const pageContent = 'BT /F1 12 Tf 10 50 Td (Quiet light) Tj ET';
const contract = {
  name: 'Contract.pdf',
  mimeType: 'application/pdf',
  buffer: createEncryptedPdf('swallow', pageContent, 3),
};
const damagedPdf = { name: 'Torn.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 torn') };

test('a user unlocks a password-protected document and reads it until signing out', async ({ page, mailbox }) => {
  const zone = await createUserWithZone(page, mailbox);
  await uploadFiles(page, zone, [contract]);
  await page.goto(`/zones/${zone}`);
  // A job renders the preview, and the list refetches on reload.
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('img', { name: /^Members are asked for a password/ })).toBeVisible({ timeout: 2000 });
  }).toPass();
  await fileButton(page, contract.name).click();
  const passwordField = page.getByLabel('Password', { exact: true });
  await expect(passwordField).toBeFocused();
  await expect(page.getByRole('heading', { name: 'This document is password-protected' })).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await saveScreenshot(page, 'reader-locked.png');

  await page.keyboard.type('guess');
  await page.keyboard.press('Enter');
  await expect(passwordField).toHaveAccessibleDescription('Wrong password for this document.');
  await expect(passwordField).toBeFocused();
  await passwordField.fill('swallow');
  await page.keyboard.press('Enter');
  await expectPageRendered(page, 1);
  await expect(page.getByLabel('Page, out of 3')).toHaveValue('1');
  await page.reload();
  await expectPageRendered(page, 1);
  await page.keyboard.press('End');
  await expectPageRendered(page, 3);

  const id = await findFileId(page, zone, contract.name);
  const getPageStatus = async () => (await page.request.get(`/api/files/${id}/pages/1`)).status();
  expect(await getPageStatus()).toBe(200);
  const { origin } = new URL(page.url());
  expect((await page.request.post('/api/logout', { headers: { origin } })).status()).toBe(200);
  expect(await getPageStatus()).toBe(401);
});

test('a manager sees in the list why a file can’t be displayed and retries it', async ({ page, mailbox }) => {
  const zone = await createUserWithZone(page, mailbox);
  await uploadFiles(page, zone, [damagedPdf, pdfFile('Whole.pdf', 'Lesson')]);
  await page.goto(`/zones/${zone}`);
  const badge = page.getByRole('img', { name: 'Members can’t view it: this document is damaged' });
  await expect(async () => {
    await page.reload();
    await expect(badge).toBeVisible({ timeout: 2000 });
  }).toPass();
  await expect(badge).toHaveCount(1);
  await expectAccessible(page);
  await expectNoOverflow(page);
  await saveScreenshot(page, 'files-failed.png');
  await page.getByRole('button', { name: 'List' }).click();
  await expect(badge).toBeVisible();
  await page.getByRole('button', { name: 'Actions for Torn.pdf' }).click();
  await page.getByRole('menuitem', { name: 'Try Again' }).click();
  await expect(page.getByText('Processing it again')).toBeVisible();
  await page.getByRole('button', { name: 'Actions for Whole.pdf' }).click();
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Try Again' })).toHaveCount(0);
});
