import { devices, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pdfFile, pngFile, textFile } from '../support/sample-files.ts';
import { waitForRenderedPages, listFiles, findFileId, expectPageRendered, type StoredFile } from '../support/reader.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  saveScreenshot,
  makeUser,
  registerUser,
  test,
} from '../support/test.ts';
import { postApi, fileButton, joinZone, createUserWithZone, uploadFiles } from '../support/zones.ts';

const course = pdfFile('Course.pdf', 'Lesson', 30);

/** Swipes up on a phone by some pixels. */
async function swipeUp(phone: Page, distance: number): Promise<void> {
  const touch = await phone.context().newCDPSession(phone);
  const dispatchTouch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: 200, y }] });
  await dispatchTouch('touchStart', 780);
  for (let offset = 20; offset <= distance; offset += 20) await dispatchTouch('touchMove', 780 - offset);
  await dispatchTouch('touchEnd');
  await touch.detach();
}

test('a member reads a 30-page document on a phone to its end while the URL follows', async ({
  browser,
  page,
  mailbox,
  baseURL,
}) => {
  const zone = await createUserWithZone(page, mailbox, { type: 'public' });
  await uploadFiles(page, zone, [course]);
  const id = await findFileId(page, zone, course.name);
  await waitForRenderedPages(page, id);
  const { publicLink } = (await (await page.request.get(`/api/zones/${zone}`)).json()) as { publicLink: string };

  const context = await browser.newContext({ ...devices['Pixel 7'], baseURL, locale: 'en-US' });
  const phone = await context.newPage();
  const { email } = await registerUser(phone, mailbox, makeUser('Ada', 'Kaya'));
  await joinZone(phone, publicLink, email);
  await phone.goto(`/zones/${zone}`);
  await fileButton(phone, course.name).tap();
  await expect(phone).toHaveURL(new RegExp(`/zones/${zone}/files/${id}$`));
  await expectPageRendered(phone, 1);
  await expect(phone.getByLabel('Page, out of 30')).toHaveValue('1');
  await expectNoOverflow(phone);
  await expectAccessible(phone);
  expect((await listFiles(page, zone))[0]!.viewCount).toBe(1);

  await swipeUp(phone, 700);
  await swipeUp(phone, 700);
  await expect(phone).toHaveURL(/\?page=\d$/);
  // Pages far away are not rendered, wherever the user scrolls.
  await phone.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(phone).toHaveURL(/\?page=30$/);
  await expectPageRendered(phone, 30);
  expect(await phone.getByRole('listitem').count()).toBeLessThanOrEqual(7);
  await expect(phone.getByLabel('Page, out of 30')).toHaveValue('30');
  await saveScreenshot(phone, 'reader-phone.png');

  await phone.reload();
  await expectPageRendered(phone, 30);
  await expect(phone).toHaveURL(/\?page=30$/);
  await expect(phone.getByLabel('Page, out of 30')).toHaveValue('30');
  await context.close();
});

test('a user reads by keyboard and returns to the same position in the list', async ({ page, mailbox }) => {
  const zone = await createUserWithZone(page, mailbox);
  const textFiles = Array.from({ length: 60 }, (_, index) =>
    textFile(`A${String(index).padStart(2, '0')}.txt`, `text ${index}`),
  );
  await uploadFiles(page, zone, [...textFiles, course, pngFile('Drawing.png')]);
  await waitForRenderedPages(page, await findFileId(page, zone, course.name));
  await page.goto(`/zones/${zone}`);
  await page.getByRole('button', { name: 'List' }).press('Enter');
  await fileButton(page, course.name).focus();
  const before = await page.evaluate(() => scrollY);
  expect(before).toBeGreaterThan(500);
  await page.keyboard.press('Enter');
  await expectPageRendered(page, 1);
  await page.keyboard.press('End');
  await expect(page).toHaveURL(/\?page=30$/);
  await page.keyboard.press('Home');
  await expect(page).toHaveURL(/\/files\/\d+$/);
  await page.keyboard.press('PageDown');
  await page.keyboard.press('Space');
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(/\?page=\d$/);
  await expectAccessible(page);

  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('img', { name: 'Drawing.png' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('ArrowLeft');
  await expectPageRendered(page, 1);
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('document', { name: 'A59.txt' })).toContainText('text 59');
  await page.keyboard.press('ArrowRight');
  await expectPageRendered(page, 1);
  await page.keyboard.press('Escape');
  await expect(fileButton(page, course.name)).toBeFocused();
  await expect(page).toHaveURL(new RegExp(`/zones/${zone}$`));
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(before);

  // The command palette works in the reader too.
  await page.keyboard.press('Enter');
  await expectPageRendered(page, 1);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search or jump to…' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByLabel('Page, out of 30')).toHaveValue('1');
});

test('a member opens a page by URL and goes from there to the folder', async ({ page, browser, mailbox, baseURL }) => {
  const zone = await createUserWithZone(page, mailbox, { name: 'Course', type: 'public' });
  const { publicLink } = (await (await page.request.get(`/api/zones/${zone}`)).json()) as { publicLink: string };
  const { id: folderId } = await postApi<{ id: number }>(page, `/api/zones/${zone}/folders`, { name: 'Part one' });
  await uploadFiles(page, zone, [course], folderId);
  const response = await page.request.get(`/api/zones/${zone}/files?folderId=${folderId}`);
  const [{ id }] = (await response.json()) as [StoredFile];
  await waitForRenderedPages(page, id);
  const context = await browser.newContext({ baseURL, locale: 'en-US' });
  const member = await context.newPage();
  const { email } = await registerUser(member, mailbox, makeUser('Ada', 'Kaya'));
  await joinZone(member, publicLink, email);
  await member.goto(`/zones/${zone}/files/${id}?page=12`);
  await expectPageRendered(member, 12);
  await expect(member.getByLabel('Page, out of 30')).toHaveValue('12');
  await expect(member).toHaveURL(/\?page=12$/);
  await member.getByRole('link', { name: 'Back to the Files' }).click();
  await expect(member).toHaveURL(new RegExp(`/zones/${zone}/folders/${folderId}\\?item=file-${id}$`));
  await expect(fileButton(member, course.name)).toBeFocused();
  await context.close();
});

test('a user sees in the reader why a file can’t be displayed', async ({ page, mailbox }) => {
  const zone = await createUserWithZone(page, mailbox);
  const damagedPdf = { name: 'Torn.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 torn') };
  await uploadFiles(page, zone, [damagedPdf, textFile('Nothing.txt', ''), textFile('Notes.txt', 'light and shade')]);
  await page.goto(`/zones/${zone}/files/${await findFileId(page, zone, 'Torn.pdf')}`);
  await expect(page.getByText('This document is damaged and can’t be shown')).toBeVisible();
  await expectAccessible(page);
  const retryResponse = page.waitForResponse((response) => response.url().endsWith('/pages/retry'));
  await page.getByRole('button', { name: 'Try Again' }).click();
  expect((await retryResponse).status()).toBe(204);
  await expect(page.getByText('This document is damaged and can’t be shown')).toBeVisible();
  await page.goto(`/zones/${zone}/files/${await findFileId(page, zone, 'Nothing.txt')}`);
  await expect(page.getByText('This file is empty')).toBeVisible();
  await page.goto(`/zones/${zone}/files/${await findFileId(page, zone, 'Notes.txt')}`);
  await expect(page.getByText('light and shade')).toBeVisible();
  await page.goto(`/zones/${zone}/files/999999`);
  await expect(page.getByText('This file no longer exists')).toBeVisible();
  await expectAccessible(page);
});

test('the reader adds at most 40 kB of scripts to the app shell', () => {
  const distDir = join(import.meta.dirname, '../../../dist/frontend');
  const { pages } = JSON.parse(readFileSync(join(distDir, 'pages.json'), 'utf8')) as {
    pages: { pattern: string; parts: { en: string[] } }[];
  };
  const listScripts = (address: string) => pages.find(({ pattern }) => new RegExp(pattern).test(address))!.parts.en;
  const sharedScripts = new Set(listScripts('/settings').filter((part) => listScripts('/analytics').includes(part)));
  const readerScripts = listScripts('/zones/1/files/2').filter((part) => !sharedScripts.has(part));
  const bytes = readerScripts
    .map((part) => gzipSync(readFileSync(join(distDir, part))).length)
    .reduce((sum, size) => sum + size, 0);
  expect(readerScripts.length).toBeGreaterThan(0);
  expect(bytes).toBeGreaterThan(1000);
  expect(bytes, readerScripts.join(', ')).toBeLessThanOrEqual(40 * 1024);
});
