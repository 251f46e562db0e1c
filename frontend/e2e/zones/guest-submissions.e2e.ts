import type { Locator, Page } from '@playwright/test';
import { textFile } from '../support/sample-files.ts';
import { expect, expectAccessible, expectNoOverflow, saveScreenshot, test, uniqueEmail } from '../support/test.ts';
import { createFolder, createUserWithZone, fileButton, folderLink } from '../support/zones.ts';

/** Checks a screen on a dark phone and a light desktop, and returns to the given width. */
async function checkScreen(page: Page, name: string, width: number): Promise<void> {
  for (const [viewportWidth, colorScheme] of [
    [360, 'dark'],
    [1440, 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: viewportWidth, height: 740 });
    await expectNoOverflow(page);
    await expectAccessible(page);
    await saveScreenshot(page, `guest-submissions-${name}-${viewportWidth}-${colorScheme}.png`);
  }
  await page.setViewportSize({ width, height: 740 });
}

const chooseFiles = (panel: Locator, files: ReturnType<typeof textFile>[]) =>
  panel.locator('input[type=file][multiple]').setInputFiles(files);

test('a visitor sends two files by a link on a phone, and the owner sees who sent what', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const zoneId = await createUserWithZone(page, mailbox);
  const folderId = await createFolder(page, zoneId, 'Homework');
  const terms = {
    instructions: 'Your essay\nAt most 3 pages',
    isPrivate: true,
    maxFilesPerPerson: 2,
    maxFileBytes: 1000,
  };
  const saved = await page.request.put(`/api/folders/${folderId}/file-request`, {
    headers: { origin: new URL(baseURL!).origin },
    data: { ...terms, closesAt: '2999-12-31T12:00:00Z' },
  });
  expect(saved.status()).toBe(200);

  await page.goto(`/zones/${zoneId}`);
  await page.getByRole('button', { name: 'Actions for Homework' }).click();
  await page.getByRole('menuitem', { name: 'Share by Link…' }).click();
  const drawer = page.getByRole('dialog', { name: 'Share by Link' });
  await drawer.getByRole('button', { name: 'Create Link' }).click();
  const form = page.getByRole('dialog', { name: 'Create Link' });
  await form.getByLabel('Let visitors send files').check();
  await expect(form.getByLabel('Ask for an email address')).toBeChecked();
  await expect(form.getByLabel('Ask for an email address')).toBeDisabled();
  await checkScreen(page, 'dialog', 1280);
  await form.getByRole('button', { name: 'Create Link' }).click();
  const ready = page.getByRole('dialog', { name: 'Your link is ready' });
  const path = new URL(await ready.getByLabel('Link', { exact: true }).inputValue()).pathname;
  await ready.getByRole('button', { name: 'Close' }).click();
  await expect(drawer.getByRole('listitem')).toContainText('asks for an email address · accepts files');

  const context = await browser.newContext({ baseURL, locale: 'en-US', viewport: { width: 360, height: 740 } });
  const guest = await context.newPage();
  await guest.goto(path);
  const email = uniqueEmail('ada');
  await guest.getByLabel('Email address').fill(email);
  await guest.keyboard.press('Enter');
  const panel = guest.getByRole('region', { name: 'File Request' });
  await expect(panel).toContainText(/Your essay\s*At most 3 pages.*Open until .*2999.*You sent 0 of 2 files.*up to/s);
  await checkScreen(guest, 'visitor', 360);
  await chooseFiles(panel, [textFile('Essay.txt', 'first'), textFile('Big.txt', 'x'.repeat(2000))]);
  const list = guest.getByRole('list', { name: 'Files and folders' });
  await expect(list.getByRole('link', { name: /^Essay \([0-9a-f]{6}\)\.txt$/ })).toBeVisible();
  const sending = panel.getByRole('list', { name: 'Files that are being sent' });
  await expect(sending.getByRole('alert')).toHaveText('“Big.txt” is too large. A file can be up to 1000 B.');
  await checkScreen(guest, 'failed', 360);
  await sending.getByRole('button', { name: 'Dismiss Big.txt' }).click();
  await chooseFiles(panel, [textFile('Notes.txt', 'second')]);
  await expect(panel).toContainText('You sent 2 of 2 files');
  await expect(panel.getByRole('button', { name: 'Choose Files' })).toHaveCount(0);
  await expect(list.getByText('Sent by you')).toHaveCount(2);
  await checkScreen(guest, 'sent', 360);
  await list.getByRole('button', { name: /^Remove Notes/ }).click();
  await list.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(panel).toContainText('You sent 1 of 2 files');
  await chooseFiles(panel, [textFile('Notes.txt', 'third')]);
  await expect(panel).toContainText('You sent 2 of 2 files');

  const peerContext = await browser.newContext({ baseURL, locale: 'tr-TR', viewport: { width: 360, height: 740 } });
  const peer = await peerContext.newPage();
  await peer.goto(path);
  await peer.getByLabel('E-posta adresi').fill(email);
  await peer.keyboard.press('Enter');
  const peerPanel = peer.getByRole('region', { name: 'Dosya İsteği' });
  await expect(peerPanel).toContainText('2 dosyadan 0 tanesini gönderdiniz');
  await expect(peer.getByRole('link', { name: /Essay/ })).toHaveCount(0);
  await checkScreen(peer, 'turkish', 360);

  await page.goto(`/zones/${zoneId}`);
  await folderLink(page, 'Homework').click();
  await page.getByRole('button', { name: 'Who Sent What' }).click();
  const submissions = page.getByRole('dialog', { name: 'Who Sent What' });
  await expect(submissions.getByRole('region', { name: email })).toContainText(
    /by link, [0-9a-f]{6} · 2 items.*Essay/s,
  );
  await checkScreen(page, 'owner', 1280);
  await page.keyboard.press('Escape');
  await expect(fileButton(page, 'Homework')).toHaveCount(0);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('File request stopped')).toBeVisible();
  await chooseFiles(peerPanel, [textFile('Late.txt', 'late')]);
  await expect(peerPanel).toHaveCount(0);
  await peer.reload();
  await expect(peer.getByRole('heading', { level: 1, name: 'Homework' })).toBeVisible();
  await context.close();
  await peerContext.close();
});
