import { lockedWith } from '../../../backend/test/e2e/files/drawing/generated/odd-pdf.ts';
import { pdf } from '../support/files.ts';
import { idOf, isDrawn } from '../support/reading.ts';
import { expect, expectAccessible, expectNoOverflow, keepPicture, test } from '../support/test.ts';
import { file, openStudio, store } from '../support/zones.ts';

const words = 'BT /F1 12 Tf 10 50 Td (Quiet light) Tj ET';
const contract = {
  name: 'Contract.pdf',
  mimeType: 'application/pdf',
  buffer: lockedWith('swallow', words, 3),
};
const torn = { name: 'Torn.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 torn') };

test('a document with a password asks for it in its frame, and is read with it until one signs out', async ({
  page,
  mailbox,
}) => {
  const zone = await openStudio(page, mailbox);
  await store(page, zone, [contract]);
  await page.goto(`/zones/${zone}`);
  // It is drawn by a job, and the list asks when it is looked at again.
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('img', { name: /^Members are asked for a password/ })).toBeVisible({ timeout: 2000 });
  }).toPass();
  await file(page, contract.name).click();
  const field = page.getByLabel('Password', { exact: true });
  await expect(field).toBeFocused();
  await expect(page.getByRole('heading', { name: 'This document is password-protected' })).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await keepPicture(page, 'reader-locked.png');

  await page.keyboard.type('guess');
  await page.keyboard.press('Enter');
  await expect(field).toHaveAccessibleDescription('Wrong password for this document.');
  await expect(field).toBeFocused();
  await field.fill('swallow');
  await page.keyboard.press('Enter');
  await isDrawn(page, 1);
  await expect(page.getByLabel('Page, out of 3')).toHaveValue('1');
  await page.reload();
  await isDrawn(page, 1);
  await page.keyboard.press('End');
  await isDrawn(page, 3);

  const id = await idOf(page, zone, contract.name);
  const statusOf = async () => (await page.request.get(`/api/files/${id}/pages/1`)).status();
  expect(await statusOf()).toBe(200);
  const { origin } = new URL(page.url());
  expect((await page.request.post('/api/logout', { headers: { origin } })).status()).toBe(200);
  expect(await statusOf()).toBe(401);
});

test('who looks after a file sees in the list why it is not shown, and has it tried again', async ({
  page,
  mailbox,
}) => {
  const zone = await openStudio(page, mailbox);
  await store(page, zone, [torn, pdf('Whole.pdf', 'Lesson')]);
  await page.goto(`/zones/${zone}`);
  const badge = page.getByRole('img', { name: 'Members can’t view it: this document is damaged' });
  await expect(async () => {
    await page.reload();
    await expect(badge).toBeVisible({ timeout: 2000 });
  }).toPass();
  await expect(badge).toHaveCount(1);
  await expectAccessible(page);
  await expectNoOverflow(page);
  await keepPicture(page, 'files-failed.png');
  await page.getByRole('button', { name: 'List' }).click();
  await expect(badge).toBeVisible();
  await page.getByRole('button', { name: 'Actions for Torn.pdf' }).click();
  await page.getByRole('menuitem', { name: 'Try Again' }).click();
  await expect(page.getByText('Processing it again')).toBeVisible();
  await page.getByRole('button', { name: 'Actions for Whole.pdf' }).click();
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Try Again' })).toHaveCount(0);
});
