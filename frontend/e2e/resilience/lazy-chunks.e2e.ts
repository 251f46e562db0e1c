import type { Browser, Page } from '@playwright/test';
import { textFile } from '../support/sample-files.ts';
import type { Mailbox } from '../support/mailbox.ts';
import { expect, expectAccessible, makeUser, registerUser, test } from '../support/test.ts';
import { postApi, joinZone, createUserWithZone, uploadFiles } from '../support/zones.ts';

const blockChunk = (page: Page, chunkName: string) =>
  page.route(`**/assets/${chunkName}*.js`, (route) => route.abort());

/** A user joins the zone and views a file, so that the chart has data. */
async function addMemberWithView(page: Page, browser: Browser, mailbox: Mailbox, zoneId: number): Promise<void> {
  await uploadFiles(page, zoneId, [textFile('Plan.txt', 'hello')]);
  const zone = (await (await page.request.get(`/api/zones/${zoneId}`)).json()) as { publicLink: string };
  const [planFile] = (await (await page.request.get(`/api/zones/${zoneId}/files`)).json()) as { id: number }[];
  const member = await (await browser.newContext({ baseURL: test.info().project.use.baseURL! })).newPage();
  const { email } = await registerUser(member, mailbox, makeUser('Ece', 'Can'));
  await joinZone(member, zone.publicLink, email);
  expect((await member.request.get(`/api/files/${planFile!.id}/view`)).status()).toBe(200);
  await member.context().close();
}

test('a user sees a load error in place of a failed component and retries it', async ({
  page,
  mailbox,
  pageErrors,
}) => {
  const id = await createUserWithZone(page, mailbox);
  await postApi(page, `/api/zones/${id}/temporary-links`, { name: 'Poster', expiresInHours: 24 });
  await page.goto(`/zones/${id}/share`);
  await blockChunk(page, 'qr-code');
  await page.getByRole('button', { name: 'Actions for Poster' }).click();
  await page.getByRole('menuitem', { name: 'QR Code' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('alert')).toContainText('Couldn’t load this part of the page.');
  await expectAccessible(page);
  await page.unroute('**/assets/qr-code*.js');
  await dialog.getByRole('button', { name: 'Try Again' }).click();
  await expect(dialog.getByRole('img')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();

  await blockChunk(page, 'campaigns.page');
  await page.getByRole('link', { name: 'Campaigns' }).click();
  const pageAlert = page.getByRole('main').getByRole('alert');
  await expect(pageAlert).toContainText('Couldn’t show this page.');
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await page.unroute('**/assets/campaigns.page*.js');
  await pageAlert.getByRole('button', { name: 'Try Again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Campaigns' })).toBeVisible();

  // After an update of the server, another document refers to other chunks.
  await blockChunk(page, 'shared-zones.page');
  await page.route('**/forgot-password', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/src="\/assets\/[^"]+"/, 'src="/assets/index-new.js"');
    await route.fulfill({ response, body });
  });
  await page.getByRole('link', { name: 'Shared with Me' }).click();
  await expect(pageAlert).toContainText('There is a new version');
  await page.unroute('**/assets/shared-zones.page*.js');
  await page.evaluate(() => document.body.setAttribute('data-former', ''));
  await pageAlert.getByRole('button', { name: 'Reload the Page' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Shared with Me' })).toBeVisible();
  await expect(page.locator('[data-former]')).toHaveCount(0);
  // Ignores the failures that the test provokes.
  const unexpectedErrors = pageErrors.filter((line) => !/ERR_FAILED|dynamically imported module/.test(line));
  expect(unexpectedErrors).toEqual([]);
  pageErrors.length = 0;
});

test('a user reloads a failed chart or editor and keeps the text entered beside it', async ({
  page,
  browser,
  mailbox,
  pageErrors,
}) => {
  const id = await createUserWithZone(page, mailbox, { type: 'public' });
  await addMemberWithView(page, browser, mailbox, id);
  await blockChunk(page, 'series-chart');
  await page.goto('/analytics');
  const analytics = page.getByRole('main');
  await expect(analytics.getByRole('alert')).toContainText('Couldn’t load this part of the page.');
  await expect(analytics.getByRole('link', { name: 'Download Zones as CSV' })).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/assets/series-chart*.js');
  await analytics.getByRole('button', { name: 'Try Again' }).click();
  await expect(analytics.getByRole('img', { name: /Views/ })).toBeVisible();

  await blockChunk(page, 'rich-editor');
  await page.goto(`/campaigns/new?zone=${id}`);
  await page.getByLabel('Subject line').fill('Spring in the garden');
  const editorAlert = page.getByRole('main').getByRole('alert').filter({ hasText: 'this part of the page' });
  await editorAlert.getByRole('button', { name: 'Try Again' }).click();
  // A second failure offers to reload the page, which keeps the drafts too.
  await expect(editorAlert.getByRole('button', { name: 'Reload the Page' })).toBeVisible();
  await expect(page.getByLabel('Subject line')).toHaveValue('Spring in the garden');
  await page.unroute('**/assets/rich-editor*.js');
  page.on('dialog', (question) => void question.accept());
  await editorAlert.getByRole('button', { name: 'Reload the Page' }).click();
  await expect(page.getByRole('textbox', { name: 'Text of the email' })).toBeVisible();
  await expect(page.getByLabel('Subject line')).toHaveValue('Spring in the garden');
  const unexpectedErrors = pageErrors.filter((line) => !/ERR_FAILED|dynamically imported module/.test(line));
  expect(unexpectedErrors).toEqual([]);
  pageErrors.length = 0;
});

test('a user’s upload continues while a screen fails offline and loads once online', async ({
  page,
  mailbox,
  pageErrors,
}) => {
  const id = await createUserWithZone(page, mailbox);
  await page.goto(`/zones/${id}`);
  await expect(page.getByText('No files yet')).toBeVisible();
  const uploadGate = Promise.withResolvers<void>();
  await page.route('**/api/uploads/*', async (route) => {
    await uploadGate.promise;
    await route.continue();
  });
  const uploadRequest = page.waitForRequest('**/api/uploads/*');
  const buffer = Buffer.alloc(3 * 2 ** 20, 'film');
  await page
    .locator('main input[type=file][multiple]')
    .setInputFiles({ name: 'Film.bin', mimeType: 'video/mp4', buffer });
  await uploadRequest;

  await blockChunk(page, 'campaigns.page');
  await page.getByRole('link', { name: 'Campaigns' }).click();
  const pageAlert = page.getByRole('main').getByRole('alert');
  await expect(pageAlert).toContainText('Couldn’t show this page.');
  const uploadsPanel = page.getByRole('region', { name: 'Uploads' });
  await expect(uploadsPanel).toContainText('Film.bin');
  uploadGate.resolve();
  await expect(page.getByText('Files uploaded successfully').first()).toBeVisible();
  await page.context().setOffline(true);
  await expect(pageAlert).toContainText('You’re offline');
  await expectAccessible(page);
  await page.unroute('**/assets/campaigns.page*.js');
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Campaigns' })).toBeVisible();
  await page.goto(`/zones/${id}`);
  await expect(page.getByRole('button', { name: 'Film.bin', exact: true })).toBeVisible();
  pageErrors.length = 0;
});
