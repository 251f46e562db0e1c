import type { Page } from '@playwright/test';
import { randomFile, pdfFile, pngFile, textFile, type SampleFile } from '../support/sample-files.ts';
import { expect, expectAccessible, saveScreenshot, makeUser, registerUser, test } from '../support/test.ts';
import type { Mailbox } from '../support/mailbox.ts';

const fileButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const uploadsPanel = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const chooseFiles = (page: Page, ...files: SampleFile[]) =>
  page.locator('input[type=file][multiple]').setInputFiles(files);

/** A signed-in user in the files of a new zone. */
async function openNewZone(page: Page, mailbox: Mailbox): Promise<number> {
  await registerUser(page, mailbox, makeUser());
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const response = await page.request.post('/api/zones', { headers, data: { name: 'Studio', type: 'private' } });
  expect(response.status()).toBe(201);
  const { id } = (await response.json()) as { id: number };
  await page.goto(`/zones/${id}`);
  await expect(page.getByText('No files yet')).toBeVisible();
  return id;
}

/** Drops files on the page, as from the desktop. */
async function dropFiles(page: Page, files: SampleFile[], { onlyHold: withoutDrop = false } = {}): Promise<void> {
  const payload = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, content: buffer.toString('base64') }));
  await page.evaluate(
    ([list, skipDrop]) => {
      const dataTransfer = new DataTransfer();
      for (const { name, mimeType, content } of list) {
        const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
        dataTransfer.items.add(new File([bytes], name, { type: mimeType }));
      }
      const dispatch = (type: string) =>
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      dispatch('dragenter');
      dispatch('dragover');
      if (!skipDrop) dispatch('drop');
    },
    [payload, withoutDrop] as const,
  );
}

test('a user sees upload progress, navigates during uploads and cancels one', async ({ page, mailbox }) => {
  const id = await openNewZone(page, mailbox);
  let releaseUploads = () => {};
  const uploadsReleased = new Promise<void>((resolve) => (releaseUploads = resolve));
  await page.route('**/api/uploads', async (route) => {
    if (route.request().method() === 'POST') await uploadsReleased;
    await route.continue();
  });
  // Large enough to be uploaded one by one.
  const files = [1, 2, 3, 4].map((number) => randomFile(`Take ${number}.bin`, 2 ** 20 + 1));
  await chooseFiles(page, ...files, randomFile('Refused.bin', 0), {
    name: 'Huge.bin',
    mimeType: '',
    buffer: Buffer.alloc(0),
  });
  await expect(uploadsPanel(page).getByRole('heading')).toHaveText('Uploading 6 files');
  await uploadsPanel(page).getByRole('button', { name: 'Show the files of Take 1.bin and 5 more' }).click();
  await expect(uploadsPanel(page).getByText('Waiting').first()).toBeVisible();
  await expect(uploadsPanel(page).getByRole('progressbar', { name: 'In total' })).toBeVisible();
  await expectAccessible(page);
  await saveScreenshot(page, 'uploading.png');

  await uploadsPanel(page).getByRole('button', { name: 'Cancel upload of Huge.bin' }).click();
  await uploadsPanel(page).getByRole('button', { name: 'Cancel upload of Take 2.bin' }).click();
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(uploadsPanel(page).getByRole('heading')).toHaveText('Uploading 4 files');
  releaseUploads();
  await expect(page.getByRole('status').filter({ hasText: 'Files uploaded successfully' }).first()).toBeVisible();
  await expect(uploadsPanel(page)).toHaveCount(0);
  await page.goto(`/zones/${id}`);
  for (const name of ['Take 1.bin', 'Take 3.bin', 'Take 4.bin', 'Refused.bin']) {
    await expect(fileButton(page, name)).toBeVisible();
  }
  await expect(fileButton(page, 'Take 2.bin')).toHaveCount(0);
  await expect(fileButton(page, 'Huge.bin')).toHaveCount(0);
});

test('a user drops files, decides about duplicate names and sees a large file rejected', async ({ page, mailbox }) => {
  await openNewZone(page, mailbox);
  await dropFiles(page, [pngFile('Sketch.png')], { onlyHold: true });
  await expect(page.getByText('Drop to upload to “Studio”')).toBeVisible();
  await dropFiles(page, [pngFile('Sketch.png'), pdfFile('Plan.pdf', 'A plan')]);
  await expect(page.getByText('Drop to upload to “Studio”')).toHaveCount(0);
  await expect(fileButton(page, 'Sketch.png')).toBeVisible();
  await expect(fileButton(page, 'Plan.pdf')).toBeVisible();

  await chooseFiles(page, pngFile('SKETCH.png', 10, 10), textFile('New.txt', 'new'));
  const conflictDialog = page.getByRole('dialog', { name: 'A file with this name is already here' });
  await expect(conflictDialog).toContainText('SKETCH.png');
  await expect(conflictDialog).not.toContainText('New.txt');
  await expectAccessible(page);
  await conflictDialog.getByRole('button', { name: 'Rename & Upload' }).click();
  await expect(fileButton(page, 'SKETCH (1).png')).toBeVisible();
  await expect(fileButton(page, 'New.txt')).toBeVisible();

  await chooseFiles(page, pngFile('Sketch.png', 10, 10));
  await conflictDialog.getByRole('button', { name: 'Cancel Upload' }).click();
  await expect(conflictDialog).toHaveCount(0);

  await page.locator('input[type=file][multiple]').evaluate((input: HTMLInputElement) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(100 * 2 ** 20 + 1)], 'Film.mov'));
    input.files = transfer.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await expect(uploadsPanel(page)).toContainText('“Film.mov” is larger than 100 MB');
  await uploadsPanel(page).getByRole('button', { name: 'Remove Film.mov from the list' }).click();
  await expect(uploadsPanel(page)).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(4);
});

test('a user does everything in the file list by keyboard', async ({ page, mailbox }) => {
  await openNewZone(page, mailbox);
  await page.getByRole('button', { name: 'New Folder' }).press('Enter');
  await page.keyboard.type('Drafts');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Drafts' })).toBeVisible();
  await chooseFiles(page, textFile('Alpha.txt', 'alpha'), textFile('Beta.txt', 'beta'), textFile('Gamma.txt', 'gamma'));
  for (const name of ['Alpha.txt', 'Beta.txt', 'Gamma.txt']) await expect(fileButton(page, name)).toBeVisible();
  await page.getByRole('button', { name: 'List' }).press('Enter');

  await page.getByRole('link', { name: 'Drafts' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(fileButton(page, 'Alpha.txt')).toBeFocused();
  await page.keyboard.press('End');
  await expect(fileButton(page, 'Gamma.txt')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('F2');
  await page.keyboard.type('Second');
  await page.keyboard.press('Enter');
  await expect(page.getByText('File renamed')).toBeVisible();
  await expect(fileButton(page, 'Second.txt')).toBeFocused();

  await page.keyboard.press('Space');
  await expect(page.getByRole('document', { name: 'Second.txt' })).toContainText('beta');
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('document', { name: 'Gamma.txt' })).toContainText('gamma');
  await page.goBack();
  await expect(fileButton(page, 'Gamma.txt')).toBeFocused();

  await fileButton(page, 'Gamma.txt').press('Delete');
  await expect(page.getByText('File deleted')).toBeVisible();
  await expect(fileButton(page, 'Gamma.txt')).toHaveCount(0);
  await expect(fileButton(page, 'Second.txt')).toBeFocused();

  await page.getByRole('link', { name: 'Drafts' }).press('Enter');
  await expect(page.getByText('This folder is empty')).toBeVisible();
  for (const name of ['Two', 'Three', 'Four', 'Five']) {
    await page.getByRole('button', { name: 'New Folder' }).press('Enter');
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name, exact: true }).press('Enter');
    await expect(page.getByRole('navigation', { name: 'Folder path' }).locator('[aria-current]')).toHaveText(name);
  }
  await expect(page.getByRole('button', { name: 'New Folder' })).toBeDisabled();
  await expectAccessible(page);
});

test('a user sees errors for a missing zone, folder or link', async ({ page, mailbox }) => {
  const id = await openNewZone(page, mailbox);
  await page.goto('/zones/999999');
  await expect(page.getByText('Zone not found')).toBeVisible();
  await page.goto('/zones/nonsense');
  await expect(page.getByText('Zone not found')).toBeVisible();
  await page.goto(`/zones/${id}/folders/999999`);
  await expect(page.getByText('Folder not found')).toBeVisible();
  await page.getByRole('link', { name: 'Go to All Files' }).click();
  await expect(page.getByText('No files yet')).toBeVisible();
  await page.goto('/join/nothing');
  await expect(page.getByRole('heading', { name: 'Zone Not Found' })).toBeVisible();
  await expectAccessible(page);
});
