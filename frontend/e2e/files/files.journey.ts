import type { Page } from '@playwright/test';
import { noise, pdf, png, text, type SampleFile } from '../support/files.ts';
import { expect, expectAccessible, keepPicture, newPerson, register, test } from '../support/test.ts';
import type { Mailbox } from '../support/mailbox.ts';

const file = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const choose = (page: Page, ...files: SampleFile[]) => page.locator('input[type=file]').setInputFiles(files);

/** Somebody signed in who stands in the files of a new zone of theirs. */
async function openNewZone(page: Page, mailbox: Mailbox): Promise<number> {
  await register(page, mailbox, newPerson());
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const made = await page.request.post('/api/zones', { headers, data: { name: 'Studio', type: 'private' } });
  expect(made.status()).toBe(201);
  const { id } = (await made.json()) as { id: number };
  await page.goto(`/zones/${id}`);
  await expect(page.getByText('No files yet')).toBeVisible();
  return id;
}

/** Drops files on the page as a desktop does. */
async function drop(page: Page, files: SampleFile[], { onlyHold = false } = {}): Promise<void> {
  const sent = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, content: buffer.toString('base64') }));
  await page.evaluate(
    ([list, held]) => {
      const dataTransfer = new DataTransfer();
      for (const { name, mimeType, content } of list) {
        const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
        dataTransfer.items.add(new File([bytes], name, { type: mimeType }));
      }
      const fire = (type: string) =>
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      fire('dragenter');
      fire('dragover');
      if (!held) fire('drop');
    },
    [sent, onlyHold] as const,
  );
}

test('uploads show where they stand, go on while one moves about, and can be cancelled', async ({ page, mailbox }) => {
  const id = await openNewZone(page, mailbox);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/uploads', async (route) => {
    if (route.request().method() === 'POST') await held;
    await route.continue();
  });
  // Large enough to go one by one.
  const files = [1, 2, 3, 4].map((number) => noise(`Take ${number}.bin`, 2 ** 20 + 1));
  await choose(page, ...files, noise('Refused.bin', 0), { name: 'Huge.bin', mimeType: '', buffer: Buffer.alloc(0) });
  await expect(tray(page).getByRole('heading')).toHaveText('Uploading 6 files');
  await tray(page).getByRole('button', { name: 'Show the files of Take 1.bin and 5 more' }).click();
  await expect(tray(page).getByText('Waiting').first()).toBeVisible();
  await expect(tray(page).getByRole('progressbar', { name: 'In total' })).toBeVisible();
  await expectAccessible(page);
  await keepPicture(page, 'uploading.png');

  await tray(page).getByRole('button', { name: 'Cancel upload of Huge.bin' }).click();
  await tray(page).getByRole('button', { name: 'Cancel upload of Take 2.bin' }).click();
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(tray(page).getByRole('heading')).toHaveText('Uploading 4 files');
  release();
  await expect(page.getByRole('status').filter({ hasText: 'Files uploaded successfully' }).first()).toBeVisible();
  await expect(tray(page)).toHaveCount(0);
  await page.goto(`/zones/${id}`);
  for (const name of ['Take 1.bin', 'Take 3.bin', 'Take 4.bin', 'Refused.bin']) {
    await expect(file(page, name)).toBeVisible();
  }
  await expect(file(page, 'Take 2.bin')).toHaveCount(0);
  await expect(file(page, 'Huge.bin')).toHaveCount(0);
});

test('files are dropped from the desktop; taken names are renamed or left, large files refused', async ({
  page,
  mailbox,
}) => {
  await openNewZone(page, mailbox);
  await drop(page, [png('Sketch.png')], { onlyHold: true });
  await expect(page.getByText('Drop to upload to “Studio”')).toBeVisible();
  await drop(page, [png('Sketch.png'), pdf('Plan.pdf', 'A plan')]);
  await expect(page.getByText('Drop to upload to “Studio”')).toHaveCount(0);
  await expect(file(page, 'Sketch.png')).toBeVisible();
  await expect(file(page, 'Plan.pdf')).toBeVisible();

  await choose(page, png('SKETCH.png', 10, 10), text('New.txt', 'new'));
  const question = page.getByRole('dialog', { name: 'A file with this name is already here' });
  await expect(question).toContainText('SKETCH.png');
  await expect(question).not.toContainText('New.txt');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Rename & Upload' }).click();
  await expect(file(page, 'SKETCH (1).png')).toBeVisible();
  await expect(file(page, 'New.txt')).toBeVisible();

  await choose(page, png('Sketch.png', 10, 10));
  await question.getByRole('button', { name: 'Cancel Upload' }).click();
  await expect(question).toHaveCount(0);

  await page.locator('input[type=file]').evaluate((input: HTMLInputElement) => {
    const chosen = new DataTransfer();
    chosen.items.add(new File([new Uint8Array(100 * 2 ** 20 + 1)], 'Film.mov'));
    input.files = chosen.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await expect(tray(page)).toContainText('“Film.mov” is larger than 100 MB');
  await tray(page).getByRole('button', { name: 'Remove Film.mov from the list' }).click();
  await expect(tray(page)).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(4);
});

test('the keyboard suffices for everything in the list', async ({ page, mailbox }) => {
  await openNewZone(page, mailbox);
  await page.getByRole('button', { name: 'New folder' }).press('Enter');
  await page.keyboard.type('Drafts');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Drafts' })).toBeVisible();
  await choose(page, text('Alpha.txt', 'alpha'), text('Beta.txt', 'beta'), text('Gamma.txt', 'gamma'));
  for (const name of ['Alpha.txt', 'Beta.txt', 'Gamma.txt']) await expect(file(page, name)).toBeVisible();
  await page.getByRole('button', { name: 'List' }).press('Enter');

  await page.getByRole('link', { name: 'Drafts' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(file(page, 'Alpha.txt')).toBeFocused();
  await page.keyboard.press('End');
  await expect(file(page, 'Gamma.txt')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('F2');
  await page.keyboard.type('Second');
  await page.keyboard.press('Enter');
  await expect(page.getByText('File renamed')).toBeVisible();
  await expect(file(page, 'Second.txt')).toBeFocused();

  await page.keyboard.press('Space');
  await expect(page.getByRole('document', { name: 'Second.txt' })).toContainText('beta');
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('document', { name: 'Gamma.txt' })).toContainText('gamma');
  await page.goBack();
  await expect(file(page, 'Gamma.txt')).toBeFocused();

  await file(page, 'Gamma.txt').press('Delete');
  await expect(page.getByText('File deleted')).toBeVisible();
  await expect(file(page, 'Gamma.txt')).toHaveCount(0);
  await expect(file(page, 'Second.txt')).toBeFocused();

  await page.getByRole('link', { name: 'Drafts' }).press('Enter');
  await expect(page.getByText('This folder is empty')).toBeVisible();
  for (const name of ['Two', 'Three', 'Four', 'Five']) {
    await page.getByRole('button', { name: 'New folder' }).press('Enter');
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name, exact: true }).press('Enter');
    await expect(page.getByRole('navigation', { name: 'Folder path' }).locator('[aria-current]')).toHaveText(name);
  }
  await expect(page.getByRole('button', { name: 'New folder' })).toBeDisabled();
  await expectAccessible(page);
});

test('a zone, a folder or a link that is not there is said to be so', async ({ page, mailbox }) => {
  const id = await openNewZone(page, mailbox);
  await page.goto('/zones/999999');
  await expect(page.getByText('Zone not found')).toBeVisible();
  await page.goto('/zones/nonsense');
  await expect(page.getByText('Zone not found')).toBeVisible();
  await page.goto(`/zones/${id}/folders/999999`);
  await expect(page.getByText('Folder not found')).toBeVisible();
  await page.getByRole('link', { name: 'Go to all files' }).click();
  await expect(page.getByText('No files yet')).toBeVisible();
  await page.goto('/join/nothing');
  await expect(page.getByRole('heading', { name: 'Zone Not Found' })).toBeVisible();
  await expectAccessible(page);
});
