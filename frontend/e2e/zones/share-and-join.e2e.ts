import type { Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { randomFile, pdfFile, pngFile, textFile } from '../support/sample-files.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  saveScreenshot,
  makeUser,
  test,
  type TestUser,
} from '../support/test.ts';

const lessonPdf = pdfFile('Lesson 1.pdf', 'Lesson 1: Materials');
const pictureFile = pngFile('Colour wheel.png');
const notesFile = textFile('Notlar – ışık.txt', 'Işık, gölge ve su\nİkinci satır\n');
const largeFile = randomFile('Exercises.bin', 5 * 2 ** 20);

/** Checks a screen: accessible, no overflow, and saved as a screenshot. */
async function checkScreen(page: Page, name: string): Promise<void> {
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
  await page.mouse.move(0, 0);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await expectNoOverflow(page);
  await expectAccessible(page);
  await saveScreenshot(page, `${name}.png`);
}

const fileInput = (page: Page) => page.locator('input[type=file][multiple]');
const fileButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');

async function registerInPage(page: Page, user: TestUser, readCode: () => Promise<string>): Promise<void> {
  await page.goto('/auth?mode=register');
  await page.getByLabel('First name').fill(user.firstName);
  await page.getByLabel('Last name').fill(user.lastName);
  await page.getByLabel('Username').fill(user.username);
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByLabel('Verification code').fill(await readCode());
  await page.getByRole('main').getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
}

async function createPublicZone(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'My Zones' }).click();
  await expect(page.getByText('No zones yet')).toBeVisible();
  await checkScreen(page, '01-no-zones');
  await page.getByRole('link', { name: 'Create Your First Zone' }).click();
  await dialog(page).getByRole('button', { name: 'Create Zone' }).click();
  await expect(dialog(page).getByLabel('Name')).toHaveAccessibleDescription('Zone name is required');
  await dialog(page).getByLabel('Name').fill('Watercolour for beginners');
  await dialog(page).getByLabel('Description').fill('Twelve lessons with exercises and colour charts.');
  await dialog(page)
    .getByRole('radio', { name: /Public/ })
    .check();
  await checkScreen(page, '02-create-zone');
  await dialog(page).getByRole('button', { name: 'Create Zone' }).click();
  await expect(dialog(page)).toContainText('“Watercolour for beginners” is ready');
  await checkScreen(page, '03-zone-created');
  await dialog(page).getByRole('link', { name: 'Open Zone' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Watercolour for beginners' })).toBeVisible();
  await expect(page.getByText('No files yet')).toBeVisible();
  await checkScreen(page, '04-empty-zone');
}

async function addFiles(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New Folder' }).click();
  await dialog(page).getByLabel('Folder name').fill('Part one');
  await checkScreen(page, '05-new-folder');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Part one' }).click();
  await expect(page.getByText('This folder is empty')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Folder path' })).toContainText('Part one');
  await fileInput(page).setInputFiles([lessonPdf, pictureFile, notesFile, largeFile]);
  await expect(page.getByText('Files uploaded successfully').first()).toBeVisible();
  for (const { name } of [lessonPdf, pictureFile, notesFile, largeFile])
    await expect(fileButton(page, name)).toBeVisible();
  await checkScreen(page, '06-uploaded');
  await expect(page.getByRole('region', { name: 'Uploads' })).toHaveCount(0);
  await page.getByRole('button', { name: 'List' }).click();
  await expect(page.getByRole('row', { name: /Exercises\.bin.*5\.0 MB/ })).toBeVisible();
  await checkScreen(page, '07-files-as-list');
}

async function copyLink(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('tab', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy' })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/^http:\/\/localhost:\d+\/join\/\S+$/);
  return link;
}

async function requestJoin(page: Page, link: string, email: string): Promise<void> {
  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1, name: 'Watercolour for beginners' })).toBeVisible();
  await expect(page.getByText('A zone by Deniz Şahin')).toBeVisible();
  await expect(page.getByText('4 files')).toBeVisible();
  await checkScreen(page, '08-join');
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Join Zone' }).click();
  await expect(page.getByRole('checkbox')).toHaveAccessibleDescription(/You must agree to receive all zone emails/);
  await checkScreen(page, '09-join-without-consent');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Join Zone' }).click();
  await expect(page.getByRole('heading', { name: 'The email wasn’t sent' })).toBeVisible();
  await expect(page.getByRole('note')).toContainText('can’t send emails yet');
  await checkScreen(page, '10-join-mail-sent');
}

/** Confirms the email. The zone opens without another step. */
async function confirmJoin(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Confirm and Join' }).click();
  await expect(page).toHaveURL(/\/zones\/\d+$/);
}

async function viewFiles(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Watercolour for beginners' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Upload' })).toHaveCount(0);
  await expect(page.getByLabel('Public link')).toHaveCount(0);
  await checkScreen(page, '11-zone-of-member');
  await page.getByRole('link', { name: 'Part one' }).click();

  await fileButton(page, pictureFile.name).click();
  const image = page.getByRole('img', { name: pictureFile.name });
  await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(240);
  await checkScreen(page, '12-preview-image');

  // Files are sorted by name: picture, exercises, lesson, notes.
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('main')).toContainText('Preview not available - Download the file to view it');
  await checkScreen(page, '13-preview-none');
  await page.keyboard.press('ArrowRight');
  const pageImage = page.getByRole('img', { name: 'Page 1' });
  await expect.poll(() => pageImage.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(500);
  await expect(page.getByLabel('Page, out of 1')).toHaveValue('1');
  await checkScreen(page, '14-preview-pdf');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('document', { name: notesFile.name })).toContainText('Işık, gölge ve su');
  await checkScreen(page, '15-preview-text');
  await page.keyboard.press('Escape');
  await expect(fileButton(page, notesFile.name)).toBeFocused();
}

async function downloadFile(page: Page, { name, buffer }: { name: string; buffer: Buffer }): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(name);
  expect((await readFile(await download.path())).equals(buffer), `${name} has the original bytes`).toBe(true);
}

test('a creator shares files by a link; a visitor joins, views and downloads them', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  test.setTimeout(180_000);
  const creator = makeUser('Deniz', 'Şahin');
  await registerInPage(page, creator, () => mailbox.waitForCode(creator.email));
  await createPublicZone(page);
  await addFiles(page);
  const link = await copyLink(page);

  const member = makeUser('Ayşe', 'Yılmaz');
  const context = await browser.newContext({ baseURL, locale: 'en-US', viewport: { width: 1440, height: 900 } });
  const visitor = await context.newPage();
  await requestJoin(visitor, link, member.email);
  await confirmJoin(visitor, await mailbox.waitForLink(member.email, '/verify-email'));
  await viewFiles(visitor);
  await downloadFile(visitor, notesFile);
  await downloadFile(visitor, largeFile);

  await visitor.getByRole('link', { name: 'Shared with Me', exact: true }).click();
  await expect(visitor.getByText(/you receive ALL emails/)).toBeVisible();
  await expect(visitor.getByText('Never expires')).toBeVisible();
  await checkScreen(visitor, '16-shared-with-me');
  await visitor.getByRole('link', { name: 'View Files of Watercolour for beginners' }).click();
  await expect(visitor.getByRole('link', { name: 'Part one' })).toBeVisible();

  await visitor.goto(link);
  await expect(visitor.getByLabel('Email address')).toHaveValue(member.email);
  await visitor.getByRole('checkbox').check();
  await visitor.getByRole('button', { name: 'Join Zone' }).click();
  await expect(visitor.getByRole('heading', { name: 'Already a Member' })).toBeVisible();
  await checkScreen(visitor, '17-already-a-member');
  await expect(visitor).toHaveURL('/shared-zones');
  await context.close();

  await page.getByRole('tab', { name: 'Files' }).click();
  await page.reload();
  await page.getByRole('link', { name: 'Part one' }).click();
  await expect(page.getByRole('row', { name: /Exercises\.bin.* 1 / })).toBeVisible();
  await page.getByRole('link', { name: 'Back to My Zones' }).click();
  await expect(page.getByText('1 member', { exact: false })).toBeVisible();
  await checkScreen(page, '18-my-zones');
});
