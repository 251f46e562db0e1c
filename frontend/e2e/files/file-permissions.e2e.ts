import type { Browser, Page } from '@playwright/test';
import type { Mailbox } from '../support/mailbox.ts';
import { pngFile, textFile } from '../support/sample-files.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  saveScreenshot,
  makeUser,
  registerUser,
  test,
} from '../support/test.ts';
import { fileButton, joinZone, createUserWithZone } from '../support/zones.ts';

const permissionsDialog = (page: Page) => page.getByRole('dialog', { name: 'Member Permissions' });

/** 60 seconds of a tone as a WAV of nearly 12 MB, uploaded in three chunks. */
function createWav(seconds = 60, rate = 48_000): Buffer {
  const samples = Buffer.alloc(seconds * rate * 4);
  for (let offset = 0; offset < samples.length; offset += 2)
    samples.writeInt16LE(Math.round(3000 * Math.sin(offset / 40)), offset);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(2, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 4, 28);
  header.writeUInt16LE(4, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

/** A new member of the zone, in their own browser, in front of its files. */
async function openAsNewMember(page: Page, browser: Browser, mailbox: Mailbox, id: number): Promise<Page> {
  const { publicLink } = (await (await page.request.get(`/api/zones/${id}`)).json()) as { publicLink: string };
  const baseURL = test.info().project.use.baseURL!;
  const memberPage = await (await browser.newContext({ baseURL })).newPage();
  const user = await registerUser(memberPage, mailbox, makeUser('Ece', 'Can'));
  await joinZone(memberPage, publicLink, user.email);
  await memberPage.goto(`/zones/${id}`);
  return memberPage;
}

/** Opens a file's member permissions from its menu. */
async function openPermissions(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Member Permissions…' }).click();
  await expect(permissionsDialog(page).getByText(name)).toBeVisible();
}

test('an owner disables downloads and a member can only view the files', async ({ page, browser, mailbox }) => {
  const id = await createUserWithZone(page, mailbox, { type: 'public' });
  await page.goto(`/zones/${id}`);
  await page
    .locator('input[type=file][multiple]')
    .setInputFiles([pngFile('Cover.png'), textFile('Page.html', '<html></html>')]);
  for (const name of ['Cover.png', 'Page.html']) await expect(fileButton(page, name)).toBeVisible();
  await openPermissions(page, 'Cover.png');
  await expectAccessible(page);
  await permissionsDialog(page).getByRole('checkbox', { name: 'Members may download this file' }).uncheck();
  await expect(permissionsDialog(page).getByText('They view it here as page images.', { exact: false })).toBeVisible();
  await expect(permissionsDialog(page).getByText('Nothing prevents a screenshot', { exact: false })).toBeVisible();
  await expectAccessible(page);
  await saveScreenshot(page, 'rights.png');
  await permissionsDialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Members can no longer download this file')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Members can’t download this file' })).toBeVisible();
  await openPermissions(page, 'Page.html');
  await permissionsDialog(page).getByRole('checkbox', { name: 'Members may download this file' }).uncheck();
  await expect(
    permissionsDialog(page).getByText('members see its name but can’t open it', { exact: false }),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expectAccessible(page);
  await saveScreenshot(page, 'owner.png');

  const memberPage = await openAsNewMember(page, browser, mailbox, id);
  await expect(memberPage.getByRole('img', { name: 'The owner doesn’t allow downloads of this file' })).toBeVisible();
  await memberPage.getByRole('button', { name: 'Actions for Cover.png' }).click();
  await expect(memberPage.getByRole('menuitem', { name: 'View' })).toBeVisible();
  await expect(memberPage.getByRole('menuitem', { name: 'Download' })).toHaveCount(0);
  await expect(memberPage.getByRole('menuitem', { name: /permissions/i })).toHaveCount(0);
  await memberPage.getByRole('menuitem', { name: 'View' }).click();
  await expect(memberPage.getByRole('heading', { level: 1, name: 'Cover.png' })).toBeVisible();
  await expect(memberPage.getByRole('img', { name: 'Page 1' })).toBeVisible();
  await expect(memberPage.getByRole('link', { name: 'Download' })).toHaveCount(0);
  await memberPage.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(memberPage);
  await expectAccessible(memberPage);
  await saveScreenshot(memberPage, 'member.png');
  await memberPage.context().close();
});

test('a member plays audio that can’t be downloaded in chunks to its end', async ({ page, browser, mailbox }) => {
  const id = await createUserWithZone(page, mailbox, { type: 'public' });
  await page.goto(`/zones/${id}`);
  const audioFile = { name: 'Lesson.wav', mimeType: 'audio/wav', buffer: createWav() };
  await page.locator('input[type=file][multiple]').setInputFiles([audioFile]);
  await expect(fileButton(page, 'Lesson.wav')).toBeVisible();
  await openPermissions(page, 'Lesson.wav');
  await permissionsDialog(page).getByRole('checkbox', { name: 'Members may download this file' }).uncheck();
  await permissionsDialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Members can no longer download this file')).toBeVisible();

  const memberPage = await openAsNewMember(page, browser, mailbox, id);
  const chunkSizes: number[] = [];
  memberPage.on('response', (response) => {
    if (response.url().endsWith('/media')) chunkSizes.push(Number(response.headers()['content-length']));
  });
  await fileButton(memberPage, 'Lesson.wav').click();
  const player = memberPage.locator('audio');
  await expect(player).toHaveAttribute('controlslist', 'nodownload');
  await player.evaluate(async (audio: HTMLAudioElement) => {
    audio.muted = true;
    audio.playbackRate = 16;
    await audio.play();
  });
  await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => audio.ended), { timeout: 60_000 }).toBe(true);
  expect(chunkSizes.length).toBeGreaterThanOrEqual(3);
  expect(Math.max(...chunkSizes)).toBe(4 * 1024 * 1024);
  await memberPage.context().close();
});
