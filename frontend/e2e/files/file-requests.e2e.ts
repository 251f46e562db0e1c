import type { Browser, Page } from '@playwright/test';
import type { Mailbox } from '../support/mailbox.ts';
import { textFile } from '../support/sample-files.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  makeUser,
  registerUser,
  saveScreenshot,
  test,
} from '../support/test.ts';
import { createFolder, createUserWithZone, fileButton, folderLink, joinZone } from '../support/zones.ts';

/** A new member of the zone, in a browser of their own, in front of the folder. */
async function openAsMember(
  { browser, mailbox, publicLink }: { browser: Browser; mailbox: Mailbox; publicLink: string },
  { name, locale, url }: { name: [string, string]; locale: string; url: string },
): Promise<Page> {
  const { baseURL } = test.info().project.use;
  const context = await browser.newContext({
    baseURL,
    locale,
    extraHTTPHeaders: { 'Accept-Language': locale },
    viewport: { width: 360, height: 740 },
  });
  const member = await context.newPage();
  const user = await registerUser(member, mailbox, makeUser(...name));
  await joinZone(member, publicLink, user.email);
  await member.goto(url);
  return member;
}

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
    await saveScreenshot(page, `file-request-${name}-${viewportWidth}-${colorScheme}.png`);
  }
  await page.setViewportSize({ width, height: 740 });
}

const sendFiles = (page: Page, files: ReturnType<typeof textFile>[]) =>
  page.locator('input[type=file][multiple]').setInputFiles(files);

test('members send files to a private request on a phone, and the owner sees who sent what', async ({
  page,
  browser,
  mailbox,
}) => {
  const zoneId = await createUserWithZone(page, mailbox, { type: 'public' });
  const { publicLink } = (await (await page.request.get(`/api/zones/${zoneId}`)).json()) as { publicLink: string };
  const folderId = await createFolder(page, zoneId, 'Homework');
  const url = `/zones/${zoneId}/folders/${folderId}`;

  await page.goto(`/zones/${zoneId}`);
  await page.getByRole('button', { name: 'Actions for Homework' }).click();
  await page.getByRole('menuitem', { name: 'Request Files…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Request Files' });
  await dialog.getByLabel(/^Instructions/).fill('Your essay\nAt most 3 pages');
  await dialog.getByLabel(/^Files per person/).fill('two');
  await dialog.getByRole('button', { name: 'Request Files' }).click();
  await expect(dialog.getByText('Please enter a whole number from 1 to 1,000.')).toBeVisible();
  await dialog.getByLabel(/^Files per person/).fill('2');
  await dialog.getByLabel(/^Size of a file in MB/).fill('0.001');
  await dialog.getByLabel(/^Deadline/).fill('2999-12-31');
  await checkScreen(page, 'dialog', 1280);
  await dialog.getByRole('button', { name: 'Request Files' }).click();
  await expect(page.getByText('Members can send files now')).toBeVisible();
  await expect(page.getByRole('img', { name: 'File Request' })).toBeVisible();
  await folderLink(page, 'Homework').click();
  const banner = page.getByRole('region', { name: 'File Request' });
  await expect(banner).toContainText(/Your essay\s*At most 3 pages.*Open until .*2999.*2 files per person/s);

  const visit = { browser, mailbox, publicLink };
  const member = await openAsMember(visit, { name: ['Ece', 'Can'], locale: 'en-US', url });
  const peer = await openAsMember(visit, { name: ['Ali', 'Kurt'], locale: 'tr-TR', url });
  const memberBanner = member.getByRole('region', { name: 'File Request' });
  await expect(memberBanner).toContainText('You sent 0 of 2 files');
  await expect(member.getByText('Files that you send appear here.')).toBeVisible();
  await checkScreen(member, 'sender', 360);
  await expect(memberBanner.getByRole('button', { name: 'Send Files' })).toBeVisible();
  await sendFiles(member, [textFile('Essay.txt', 'first'), textFile('Big.txt', 'x'.repeat(2000))]);
  await expect(fileButton(member, 'Essay (Ece Can).txt')).toBeVisible();
  await expect(memberBanner).toContainText('You sent 1 of 2 files');
  await sendFiles(member, [textFile('Essay.txt', 'second')]);
  await expect(memberBanner).toContainText('You sent 2 of 2 files');
  await expect(memberBanner.getByRole('button', { name: 'Send Files' })).toHaveCount(0);

  await saveScreenshot(member, 'file-request-too-large.png');
  await member.getByRole('region', { name: 'Uploads' }).getByRole('button', { name: 'Close' }).click();
  await member.getByRole('button', { name: 'Actions for Essay (Ece Can).txt' }).click();
  await expect(member.getByRole('menuitem', { name: 'Rename' })).toHaveCount(0);
  await member.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(member.getByText('File deleted')).toBeVisible();
  await expect(fileButton(member, 'Essay (Ece Can).txt')).toHaveCount(0);
  await expect(memberBanner).toContainText('You sent 1 of 2 files');

  const peerBanner = peer.getByRole('region', { name: 'Dosya İsteği' });
  await expect(peerBanner).toContainText('2 dosyadan 0 tanesini gönderdiniz');
  await expect(peer.getByText('Essay (')).toHaveCount(0);
  await sendFiles(peer, [textFile('Ödev.txt', 'third')]);
  await expect(fileButton(peer, 'Ödev (Ali Kurt).txt')).toBeVisible();
  await expectAccessible(peer);
  await saveScreenshot(peer, 'file-request-sent-360-tr.png');

  await page.reload();
  await banner.getByRole('button', { name: 'Who Sent What' }).click();
  const drawer = page.getByRole('dialog', { name: 'Who Sent What' });
  await expect(drawer.getByRole('heading', { level: 3 })).toHaveText(['Ali Kurt', 'Ece Can']);
  await expect(drawer.getByRole('region', { name: 'Ece Can' })).toContainText('Essay (Ece Can) (1).txt');
  await checkScreen(page, 'submissions', 1280);
  await page.keyboard.press('Escape');
  await expect(fileButton(page, 'Ödev (Ali Kurt).txt')).toBeVisible();
  await checkScreen(page, 'manager', 1280);

  await banner.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit File Request' });
  await expect(edit.getByLabel(/^Files per person/)).toHaveValue('2');
  await edit.getByLabel(/^Deadline/).fill('2020-01-01');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('region', { name: 'File Request (Closed)' })).toBeVisible();
  await member.reload();
  await expect(member.getByRole('region', { name: 'File Request (Closed)' })).toContainText('Was open until');
  await expect(member.getByRole('button', { name: 'Send Files' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('File request stopped')).toBeVisible();
  await expect(page.getByRole('region', { name: /File Request/ })).toHaveCount(0);
  await peer.reload();
  await expect(fileButton(peer, 'Ödev (Ali Kurt).txt')).toBeVisible();
  await expect(peer.getByText('Essay (')).toHaveCount(0);
});
