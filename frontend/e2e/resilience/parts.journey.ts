import type { Browser, Page } from '@playwright/test';
import { text } from '../support/files.ts';
import type { Mailbox } from '../support/mailbox.ts';
import { expect, expectAccessible, newPerson, register, test } from '../support/test.ts';
import { call, joinZone, openStudio, store } from '../support/zones.ts';

const lost = (page: Page, part: string) => page.route(`**/assets/${part}*.js`, (route) => route.abort());

/** Somebody joins the zone and looks at a file, so that there is something for a chart to show. */
async function lookedAt(page: Page, browser: Browser, mailbox: Mailbox, zoneId: number): Promise<void> {
  await store(page, zoneId, [text('Plan.txt', 'hello')]);
  const zone = (await (await page.request.get(`/api/zones/${zoneId}`)).json()) as { publicLink: string };
  const [plan] = (await (await page.request.get(`/api/zones/${zoneId}/files`)).json()) as { id: number }[];
  const guest = await (await browser.newContext({ baseURL: test.info().project.use.baseURL! })).newPage();
  const { email } = await register(guest, mailbox, newPerson('Ece', 'Can'));
  await joinZone(guest, zone.publicLink, email);
  expect((await guest.request.get(`/api/files/${plan!.id}/view`)).status()).toBe(200);
  await guest.context().close();
}

test('a part that does not load says so in its own place, and comes when it is tried again', async ({
  page,
  mailbox,
  complaints,
}) => {
  const id = await openStudio(page, mailbox);
  await call(page, `/api/zones/${id}/temporary-links`, { name: 'Poster', expiresInHours: 24 });
  await page.goto(`/zones/${id}/share`);
  await lost(page, 'qr-code');
  await page.getByRole('button', { name: 'Actions for Poster' }).click();
  await page.getByRole('menuitem', { name: 'QR code' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('alert')).toContainText('Couldn’t load this part of the page.');
  await expectAccessible(page);
  await page.unroute('**/assets/qr-code*.js');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByRole('img')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();

  await lost(page, 'campaigns.page');
  await page.getByRole('link', { name: 'Campaigns' }).click();
  const screen = page.getByRole('main').getByRole('alert');
  await expect(screen).toContainText('Couldn’t show this page.');
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await page.unroute('**/assets/campaigns.page*.js');
  await screen.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Campaigns' })).toBeVisible();
  // What was lost on purpose is all that went wrong.
  const others = complaints.filter((line) => !/ERR_FAILED|dynamically imported module/.test(line));
  expect(others).toEqual([]);
  complaints.length = 0;
});

test('the chart and the editor are asked for again, and what was typed beside them stays', async ({
  page,
  browser,
  mailbox,
  complaints,
}) => {
  const id = await openStudio(page, mailbox, { type: 'public' });
  await lookedAt(page, browser, mailbox, id);
  await lost(page, 'series-chart');
  await page.goto('/analytics');
  const figures = page.getByRole('main');
  await expect(figures.getByRole('alert')).toContainText('Couldn’t load this part of the page.');
  await expect(figures.getByRole('link', { name: 'Export zones (CSV)' })).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/assets/series-chart*.js');
  await figures.getByRole('button', { name: 'Try again' }).click();
  await expect(figures.getByRole('img', { name: /Views/ })).toBeVisible();

  await lost(page, 'rich-editor');
  await page.goto(`/campaigns/new?zone=${id}`);
  await page.getByLabel('Subject line').fill('Spring in the garden');
  const missing = page.getByRole('main').getByRole('alert').filter({ hasText: 'this part of the page' });
  await missing.getByRole('button', { name: 'Try again' }).click();
  // A second failure offers the page anew, which keeps the words as well.
  await expect(missing.getByRole('button', { name: 'Reload the page' })).toBeVisible();
  await expect(page.getByLabel('Subject line')).toHaveValue('Spring in the garden');
  await page.unroute('**/assets/rich-editor*.js');
  page.on('dialog', (question) => void question.accept());
  await missing.getByRole('button', { name: 'Reload the page' }).click();
  await expect(page.getByRole('textbox', { name: 'Text of the email' })).toBeVisible();
  await expect(page.getByLabel('Subject line')).toHaveValue('Spring in the garden');
  const others = complaints.filter((line) => !/ERR_FAILED|dynamically imported module/.test(line));
  expect(others).toEqual([]);
  complaints.length = 0;
});

test('an upload goes on while a screen cannot be loaded, offline is said, and the screen comes by itself with the line', async ({
  page,
  mailbox,
  complaints,
}) => {
  const id = await openStudio(page, mailbox);
  await page.goto(`/zones/${id}`);
  await expect(page.getByText('No files yet')).toBeVisible();
  const line = Promise.withResolvers<void>();
  await page.route('**/api/uploads/*', async (route) => {
    await line.promise;
    await route.continue();
  });
  const sending = page.waitForRequest('**/api/uploads/*');
  const buffer = Buffer.alloc(3 * 2 ** 20, 'film');
  await page.locator('main input[type=file]').setInputFiles({ name: 'Film.bin', mimeType: 'video/mp4', buffer });
  await sending;

  await lost(page, 'campaigns.page');
  await page.getByRole('link', { name: 'Campaigns' }).click();
  const screen = page.getByRole('main').getByRole('alert');
  await expect(screen).toContainText('Couldn’t show this page.');
  const tray = page.getByRole('region', { name: 'Uploads' });
  await expect(tray).toContainText('Film.bin');
  line.resolve();
  await expect(page.getByText('Files uploaded successfully').first()).toBeVisible();
  await page.context().setOffline(true);
  await expect(screen).toContainText('You’re offline');
  await expectAccessible(page);
  await page.unroute('**/assets/campaigns.page*.js');
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Campaigns' })).toBeVisible();
  await page.goto(`/zones/${id}`);
  await expect(page.getByRole('button', { name: 'Film.bin', exact: true })).toBeVisible();
  complaints.length = 0;
});
