import type { Browser, Page } from '@playwright/test';
import type { Mailbox } from '../support/mailbox.ts';
import { png, text } from '../support/files.ts';
import { expect, expectAccessible, expectNoOverflow, keepPicture, newPerson, register, test } from '../support/test.ts';
import { file, joinZone, openStudio } from '../support/zones.ts';

const rights = (page: Page) => page.getByRole('dialog', { name: 'Member permissions' });

/** 60 seconds of a tone as a WAV of nearly 12 MB: three pieces. */
function sound(seconds = 60, rate = 48_000): Buffer {
  const samples = Buffer.alloc(seconds * rate * 4);
  for (let at = 0; at < samples.length; at += 2) samples.writeInt16LE(Math.round(3000 * Math.sin(at / 40)), at);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(2, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 4, 28);
  head.writeUInt16LE(4, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/** Somebody who has joined the zone, in a browser of their own that stands before its files. */
async function openGuest(page: Page, browser: Browser, mailbox: Mailbox, id: number): Promise<Page> {
  const { publicLink } = (await (await page.request.get(`/api/zones/${id}`)).json()) as { publicLink: string };
  const baseURL = test.info().project.use.baseURL!;
  const guest = await (await browser.newContext({ baseURL })).newPage();
  const person = await register(guest, mailbox, newPerson('Ece', 'Can'));
  await joinZone(guest, publicLink, person.email);
  await guest.goto(`/zones/${id}`);
  return guest;
}

/** Opens what members may do with a file, from its menu. */
async function openRights(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Member permissions…' }).click();
  await expect(rights(page).getByText(name)).toBeVisible();
}

test('the owner turns downloads off, and a member looks without downloading', async ({ page, browser, mailbox }) => {
  const id = await openStudio(page, mailbox, { type: 'public' });
  await page.goto(`/zones/${id}`);
  await page.locator('input[type=file]').setInputFiles([png('Cover.png'), text('Page.html', '<html></html>')]);
  for (const name of ['Cover.png', 'Page.html']) await expect(file(page, name)).toBeVisible();
  await openRights(page, 'Cover.png');
  await expectAccessible(page);
  await rights(page).getByRole('checkbox', { name: 'Members may download this file' }).uncheck();
  await expect(rights(page).getByText('They view it here as page images.', { exact: false })).toBeVisible();
  await expect(rights(page).getByText('Nothing prevents a screenshot', { exact: false })).toBeVisible();
  await expectAccessible(page);
  await keepPicture(page, 'rights.png');
  await rights(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Members can no longer download this file')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Members can’t download this file' })).toBeVisible();
  await openRights(page, 'Page.html');
  await rights(page).getByRole('checkbox', { name: 'Members may download this file' }).uncheck();
  await expect(rights(page).getByText('members see its name but can’t open it', { exact: false })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expectAccessible(page);
  await keepPicture(page, 'owner.png');

  const guest = await openGuest(page, browser, mailbox, id);
  await expect(guest.getByRole('img', { name: 'The owner doesn’t allow downloads of this file' })).toBeVisible();
  await guest.getByRole('button', { name: 'Actions for Cover.png' }).click();
  await expect(guest.getByRole('menuitem', { name: 'View' })).toBeVisible();
  await expect(guest.getByRole('menuitem', { name: 'Download' })).toHaveCount(0);
  await expect(guest.getByRole('menuitem', { name: /permissions/ })).toHaveCount(0);
  await guest.getByRole('menuitem', { name: 'View' }).click();
  await expect(guest.getByRole('heading', { level: 1, name: 'Cover.png' })).toBeVisible();
  await expect(guest.getByRole('img', { name: 'Page 1' })).toBeVisible();
  await expect(guest.getByRole('link', { name: 'Download' })).toHaveCount(0);
  await guest.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(guest);
  await expectAccessible(guest);
  await keepPicture(guest, 'member.png');
  await guest.context().close();
});

test('sound that may not be downloaded is played in pieces, to its end', async ({ page, browser, mailbox }) => {
  const id = await openStudio(page, mailbox, { type: 'public' });
  await page.goto(`/zones/${id}`);
  const wave = { name: 'Lesson.wav', mimeType: 'audio/wav', buffer: sound() };
  await page.locator('input[type=file]').setInputFiles([wave]);
  await expect(file(page, 'Lesson.wav')).toBeVisible();
  await openRights(page, 'Lesson.wav');
  await rights(page).getByRole('checkbox', { name: 'Members may download this file' }).uncheck();
  await rights(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Members can no longer download this file')).toBeVisible();

  const guest = await openGuest(page, browser, mailbox, id);
  const lengths: number[] = [];
  guest.on('response', (answer) => {
    if (answer.url().endsWith('/media')) lengths.push(Number(answer.headers()['content-length']));
  });
  await file(guest, 'Lesson.wav').click();
  const player = guest.locator('audio');
  await expect(player).toHaveAttribute('controlslist', 'nodownload');
  await player.evaluate(async (audio: HTMLAudioElement) => {
    audio.muted = true;
    audio.playbackRate = 16;
    await audio.play();
  });
  await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => audio.ended), { timeout: 60_000 }).toBe(true);
  expect(lengths.length).toBeGreaterThanOrEqual(3);
  expect(Math.max(...lengths)).toBe(4 * 1024 * 1024);
  await guest.context().close();
});
