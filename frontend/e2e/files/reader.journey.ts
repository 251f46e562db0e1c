import { devices, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pdf, png, text } from '../support/files.ts';
import { drawn, filesOf, idOf, isDrawn, type Stored } from '../support/reading.ts';
import { expect, expectAccessible, expectNoOverflow, keepPicture, newPerson, register, test } from '../support/test.ts';
import { call, file, joinZone, openStudio, store } from '../support/zones.ts';

const course = pdf('Course.pdf', 'Lesson', 30);

/** Moves what a phone shows by a finger, some pixels up. */
async function swipeUp(phone: Page, distance: number): Promise<void> {
  const touch = await phone.context().newCDPSession(phone);
  const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: 200, y }] });
  await finger('touchStart', 780);
  for (let moved = 20; moved <= distance; moved += 20) await finger('touchMove', 780 - moved);
  await finger('touchEnd');
  await touch.detach();
}

test('a document of 30 pages is read on a phone to its end, and its address follows', async ({
  browser,
  page,
  mailbox,
  baseURL,
}) => {
  const zone = await openStudio(page, mailbox, { type: 'public' });
  await store(page, zone, [course]);
  const id = await idOf(page, zone, course.name);
  await drawn(page, id);
  const { publicLink } = (await (await page.request.get(`/api/zones/${zone}`)).json()) as { publicLink: string };

  const context = await browser.newContext({ ...devices['Pixel 7'], baseURL, locale: 'en-US' });
  const phone = await context.newPage();
  const { email } = await register(phone, mailbox, newPerson('Ada', 'Kaya'));
  await joinZone(phone, publicLink, email);
  await phone.goto(`/zones/${zone}`);
  await file(phone, course.name).tap();
  await expect(phone).toHaveURL(new RegExp(`/zones/${zone}/files/${id}$`));
  await isDrawn(phone, 1);
  await expect(phone.getByLabel('Page, out of 30')).toHaveValue('1');
  await expectNoOverflow(phone);
  await expectAccessible(phone);
  expect((await filesOf(page, zone))[0]!.viewCount).toBe(1);

  await swipeUp(phone, 700);
  await swipeUp(phone, 700);
  await expect(phone).toHaveURL(/\?page=\d$/);
  // Those far away are not in the page, however far one has come.
  await phone.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(phone).toHaveURL(/\?page=30$/);
  await isDrawn(phone, 30);
  expect(await phone.getByRole('listitem').count()).toBeLessThanOrEqual(7);
  await expect(phone.getByLabel('Page, out of 30')).toHaveValue('30');
  await keepPicture(phone, 'reader-phone.png');

  await phone.reload();
  await isDrawn(phone, 30);
  await expect(phone).toHaveURL(/\?page=30$/);
  await expect(phone.getByLabel('Page, out of 30')).toHaveValue('30');
  await context.close();
});

test('the keyboard suffices to read, and leads back to the list where it was', async ({ page, mailbox }) => {
  const zone = await openStudio(page, mailbox);
  const many = Array.from({ length: 60 }, (_, at) => text(`A${String(at).padStart(2, '0')}.txt`, `text ${at}`));
  await store(page, zone, [...many, course, png('Drawing.png')]);
  await drawn(page, await idOf(page, zone, course.name));
  await page.goto(`/zones/${zone}`);
  await page.getByRole('button', { name: 'List' }).press('Enter');
  await file(page, course.name).focus();
  const before = await page.evaluate(() => scrollY);
  expect(before).toBeGreaterThan(500);
  await page.keyboard.press('Enter');
  await isDrawn(page, 1);
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
  await isDrawn(page, 1);
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('document', { name: 'A59.txt' })).toContainText('text 59');
  await page.keyboard.press('ArrowRight');
  await isDrawn(page, 1);
  await page.keyboard.press('Escape');
  await expect(file(page, course.name)).toBeFocused();
  await expect(page).toHaveURL(new RegExp(`/zones/${zone}$`));
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(before);

  // The palette is reached from what is read as from anywhere.
  await page.keyboard.press('Enter');
  await isDrawn(page, 1);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search or jump to…' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByLabel('Page, out of 30')).toHaveValue('1');
});

test('an address with a page leads a member to it, and from there to the folder', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const zone = await openStudio(page, mailbox, { name: 'Course', type: 'public' });
  const { publicLink } = (await (await page.request.get(`/api/zones/${zone}`)).json()) as { publicLink: string };
  const { id: folderId } = await call<{ id: number }>(page, `/api/zones/${zone}/folders`, { name: 'Part one' });
  await store(page, zone, [course], folderId);
  const answer = await page.request.get(`/api/zones/${zone}/files?folderId=${folderId}`);
  const [{ id }] = (await answer.json()) as [Stored];
  await drawn(page, id);
  const context = await browser.newContext({ baseURL, locale: 'en-US' });
  const member = await context.newPage();
  const { email } = await register(member, mailbox, newPerson('Ada', 'Kaya'));
  await joinZone(member, publicLink, email);
  await member.goto(`/zones/${zone}/files/${id}?page=12`);
  await isDrawn(member, 12);
  await expect(member.getByLabel('Page, out of 30')).toHaveValue('12');
  await expect(member).toHaveURL(/\?page=12$/);
  await member.getByRole('link', { name: 'Back to the files' }).click();
  await expect(member).toHaveURL(new RegExp(`/zones/${zone}/folders/${folderId}\\?item=file-${id}$`));
  await expect(file(member, course.name)).toBeFocused();
  await context.close();
});

test('what cannot be shown says why, in the frame of the reader', async ({ page, mailbox }) => {
  const zone = await openStudio(page, mailbox);
  const torn = { name: 'Torn.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 torn') };
  await store(page, zone, [torn, text('Nothing.txt', ''), text('Notes.txt', 'light and shade')]);
  await page.goto(`/zones/${zone}/files/${await idOf(page, zone, 'Torn.pdf')}`);
  await expect(page.getByText('This document is damaged and can’t be shown')).toBeVisible();
  await expectAccessible(page);
  const tried = page.waitForResponse((answer) => answer.url().endsWith('/pages/retry'));
  await page.getByRole('button', { name: 'Try Again' }).click();
  expect((await tried).status()).toBe(204);
  await expect(page.getByText('This document is damaged and can’t be shown')).toBeVisible();
  await page.goto(`/zones/${zone}/files/${await idOf(page, zone, 'Nothing.txt')}`);
  await expect(page.getByText('This file is empty')).toBeVisible();
  await page.goto(`/zones/${zone}/files/${await idOf(page, zone, 'Notes.txt')}`);
  await expect(page.getByText('light and shade')).toBeVisible();
  await page.goto(`/zones/${zone}/files/999999`);
  await expect(page.getByText('This file no longer exists')).toBeVisible();
  await expectAccessible(page);
});

test('the program of the reader is at most 40 kB beyond the frame', () => {
  const built = join(import.meta.dirname, '../../../dist/frontend');
  const { pages } = JSON.parse(readFileSync(join(built, 'pages.json'), 'utf8')) as {
    pages: { pattern: string; parts: { en: string[] } }[];
  };
  const partsAt = (address: string) => pages.find(({ pattern }) => new RegExp(pattern).test(address))!.parts.en;
  const frame = new Set(partsAt('/settings').filter((part) => partsAt('/analytics').includes(part)));
  const own = partsAt('/zones/1/files/2').filter((part) => !frame.has(part));
  const bytes = own.map((part) => gzipSync(readFileSync(join(built, part))).length).reduce((sum, one) => sum + one, 0);
  expect(own.length).toBeGreaterThan(0);
  expect(bytes).toBeGreaterThan(1000);
  expect(bytes, own.join(', ')).toBeLessThanOrEqual(40 * 1024);
});
