import type { Browser, Page } from '@playwright/test';
import { expectPageRendered, findFileId, pageImage, waitForRenderedPages } from '../support/reader.ts';
import { pdfFile, textFile } from '../support/sample-files.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  makeUser,
  registerUser,
  saveScreenshot,
  test,
  uniqueEmail,
} from '../support/test.ts';
import { createFolder, createUserWithZone, fileButton, folderLink, postApi, uploadFiles } from '../support/zones.ts';

const course = pdfFile('Course.pdf', 'Lesson', 3);

/** A phone whose owner has no account. */
async function openPhone(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({ baseURL, locale: 'en-US', viewport: { width: 360, height: 740 } });
  return context.newPage();
}

async function checkPhone(page: Page, screenshot: string): Promise<void> {
  await expectNoOverflow(page);
  await expectAccessible(page);
  await saveScreenshot(page, screenshot);
}

/** Opens the links of an entry of the list by its menu. */
async function openLinks(page: Page, name: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Share by Link…' }).click();
  const drawer = page.getByRole('dialog', { name: 'Share by Link' });
  await expect(drawer.getByText('No links yet')).toBeVisible();
  return drawer;
}

/** Fills in the form of a new link and returns the path of the link. */
async function createLink(page: Page, fill: (form: ReturnType<Page['getByRole']>) => Promise<void>): Promise<string> {
  await page.getByRole('button', { name: 'Create Link' }).click();
  const form = page.getByRole('dialog', { name: 'Create Link' });
  await fill(form);
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Create Link' }).click();
  const ready = page.getByRole('dialog', { name: 'Your link is ready' });
  const url = await ready.getByLabel('Link', { exact: true }).inputValue();
  await ready.getByRole('button', { name: 'Close' }).click();
  await expect(ready).toHaveCount(0);
  return new URL(url).pathname;
}

test('a guest reads one document on a phone by a link with a password, until the owner pauses it', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const zoneId = await createUserWithZone(page, mailbox);
  await uploadFiles(page, zoneId, [course, textFile('Private.txt', 'not shared')]);
  await waitForRenderedPages(page, await findFileId(page, zoneId, course.name));
  await page.goto(`/zones/${zoneId}`);
  const drawer = await openLinks(page, course.name);
  const path = await createLink(page, async (form) => {
    await form.getByLabel('Name').fill('For Ada');
    await form.getByLabel('Ends after').selectOption({ label: '7 days' });
    await form.getByLabel(/^Maximum uses/).fill('1');
    await form.getByLabel(/^Password/).fill('tulip tree');
    await form.getByLabel('Ask for an email address').check();
    await form.getByLabel('Allow downloads').uncheck();
  });
  const linkRow = drawer.getByRole('listitem');
  await expect(linkRow).toContainText(
    /For Ada.*Active.*Ends .* · asks for an email address · no downloads.*0 of 1 uses/,
  );
  await expect(page.getByRole('button', { name: 'Create Link' })).toBeFocused();
  await expectAccessible(page);

  const document = await page.request.get(path);
  expect(document.headers()['x-robots-tag']).toBe('noindex');
  expect(document.headers()['referrer-policy']).toBe('no-referrer');
  expect(await document.text()).not.toMatch(/Course\.pdf|Studio|Deniz/);

  const guest = await openPhone(browser, baseURL);
  await guest.goto(path);
  await expect(guest.getByRole('heading', { level: 1, name: 'Deniz Acar shared something with you' })).toBeVisible();
  expect(await guest.title()).not.toMatch(/Course|Studio/);
  await checkPhone(guest, 'item-link-enter.png');
  const email = uniqueEmail('ada');
  await guest.getByLabel('Link password').fill('oak tree');
  await guest.getByLabel('Email address').fill(email);
  await guest.keyboard.press('Enter');
  await expect(guest.getByLabel('Link password')).toHaveAccessibleDescription(
    'The password for this link is incorrect.',
  );
  await expect(guest.getByLabel('Link password')).toBeFocused();
  await guest.getByLabel('Link password').fill('tulip tree');
  await guest.keyboard.press('Enter');
  await expectPageRendered(guest, 1);
  await expect(guest.getByRole('heading', { level: 1, name: course.name })).toBeAttached();
  await checkPhone(guest, 'item-link-reader.png');
  await guest.getByLabel('More').click();
  await expect(guest.getByRole('link', { name: 'Download' })).toHaveCount(0);
  await guest.keyboard.press('Escape');
  await guest.keyboard.press('End');
  await expect(guest).toHaveURL(/\?page=3$/);
  await expect
    .poll(() => pageImage(guest, 3).evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await guest.reload();
  await expectPageRendered(guest, 3);
  expect((await guest.request.get(`/api/zones/${zoneId}/files`)).status()).toBe(401);

  const late = await openPhone(browser, baseURL);
  await late.goto(path);
  await expect(late.getByRole('heading', { name: 'This link has been used up' })).toBeVisible();

  await page.goto(`/zones/${zoneId}/share`);
  const overview = page.getByRole('list', { name: 'Links to Files and Folders' }).getByRole('listitem');
  await expect(overview).toContainText(/Max Uses Reached.*1 of 1 uses.*1 view · 0 downloads/);
  await overview.getByRole('button', { name: 'Actions for For Ada' }).click();
  await page.getByRole('menuitem', { name: 'Analytics' }).click();
  const analytics = page.getByRole('dialog', { name: 'Analytics' });
  await expect(analytics.getByRole('listitem')).toContainText(email);
  await expectAccessible(page);
  await analytics.getByRole('button', { name: 'Close Analytics' }).click();
  await overview.getByRole('button', { name: 'Actions for For Ada' }).click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await expect(page.getByText('“For Ada” is paused')).toBeVisible();
  await guest.reload();
  await expect(guest.getByRole('heading', { name: 'This link doesn’t lead anywhere' })).toBeVisible();
  await expect(guest).toHaveURL(new RegExp(`${path}$`));
  await checkPhone(guest, 'item-link-paused.png');
  await overview.getByRole('link', { name: course.name }).click();
  await expect(page).toHaveURL(new RegExp(`/zones/${zoneId}\\?item=file-\\d+$`));
  await guest.context().close();
  await late.context().close();
});

test('guests of a folder open and download what is in it, and members are led to their zone', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const zoneId = await createUserWithZone(page, mailbox);
  const folderId = await createFolder(page, zoneId, 'Term');
  const weekId = await createFolder(page, zoneId, 'Week 1', folderId);
  await uploadFiles(page, zoneId, [course], folderId);
  await uploadFiles(page, zoneId, [textFile('Notes.txt', 'Light and shadow\n'), textFile('Paper.txt', 'x')], weekId);
  await page.goto(`/zones/${zoneId}`);
  await openLinks(page, 'Term');
  const path = await createLink(page, (form) => expect(form.getByLabel('Name')).toHaveValue('Term'));

  const guest = await openPhone(browser, baseURL);
  await guest.goto(path);
  await guest.getByRole('button', { name: 'Open' }).click();
  await expect(guest.getByRole('heading', { level: 1, name: 'Term' })).toBeVisible();
  await expect(guest.getByRole('main')).toBeFocused();
  await checkPhone(guest, 'item-link-folder.png');
  await folderLink(guest, 'Week 1').click();
  await expect(guest.getByRole('navigation', { name: 'Folders above' })).toContainText('Term');
  await checkPhone(guest, 'item-link-subfolder.png');
  await folderLink(guest, 'Notes.txt').click();
  await expect(guest.getByRole('main')).toContainText('Light and shadow');
  await guest.keyboard.press('ArrowRight');
  await expect(guest.getByRole('heading', { level: 1, name: 'Paper.txt' })).toBeAttached();
  await guest.keyboard.press('Escape');
  await expect(folderLink(guest, 'Paper.txt')).toBeVisible();
  const download = guest.waitForEvent('download');
  await guest.getByRole('link', { name: 'Download Notes.txt' }).click();
  expect((await download).suggestedFilename()).toBe('Notes.txt');
  const archive = guest.waitForEvent('download');
  await guest.getByRole('link', { name: 'Download All' }).click();
  expect((await archive).suggestedFilename()).toMatch(/\.zip$/);

  // A download that is no longer allowed says so instead of saving the error.
  const links = (await (await page.request.get(`/api/folders/${folderId}/links`)).json()) as [{ id: number }];
  const headers = { origin: new URL(baseURL!).origin };
  const change = { headers, data: { allowDownload: false } };
  expect((await page.request.patch(`/api/item-links/${links[0].id}`, change)).status()).toBe(200);
  await guest.getByRole('link', { name: 'Download Notes.txt' }).click();
  await expect(guest.getByText('Download failed')).toBeVisible();

  await page.goto(path);
  await expect(page).toHaveURL(new RegExp(`/zones/${zoneId}/folders/${folderId}$`));
  await expect(fileButton(page, course.name)).toBeVisible();
  const stranger = await openPhone(browser, baseURL);
  await registerUser(stranger, mailbox, makeUser('Ada', 'Kaya'));
  await stranger.goto(path);
  await expect(stranger.getByRole('button', { name: 'Open' })).toBeVisible();
  await postApi(stranger, `/api/shared/${path.split('/').at(-1)}/enter`, {}, 200);
  await guest.context().close();
  await stranger.context().close();
});
