import { devices, type CDPSession, type Page } from '@playwright/test';
import { pdfFile } from '../support/sample-files.ts';
import { waitForRenderedPages, findFileId, expectPageRendered, pageImage } from '../support/reader.ts';
import { expect, expectAccessible, expectNoOverflow, test } from '../support/test.ts';
import { createUserWithZone, uploadFiles } from '../support/zones.ts';

const course = pdfFile('Course.pdf', 'Lesson', 30);
const longDocument = pdfFile('Book.pdf', 'Lesson', 300);

const pageList = (page: Page) => page.getByRole('list', { name: /^Pages of / });
const pageField = (page: Page, count = 30) => page.getByLabel(`Page, out of ${count}`);
const getPageWidth = (page: Page) => pageList(page).evaluate((shown) => (shown as HTMLElement).offsetWidth);
/** Width of the served image in pixels. */
const getImageWidth = (page: Page, number: number) =>
  pageImage(page, number).evaluate((shown: HTMLImageElement) => shown.naturalWidth);

/** The position at a height of the window: the page, and the part of it above. */
const getReadingPosition = (page: Page, y: number) =>
  pageList(page).evaluate((shown, at) => {
    for (const pageItem of shown.children) {
      const { top, bottom, height } = pageItem.getBoundingClientRect();
      if (top <= at && at < bottom) return Number(pageItem.getAttribute('aria-posinset')) + (at - top) / height;
    }
    return 0;
  }, y);

/** Opens a document in a zone of the user. */
async function openDocument(page: Page, zone: number, name: string): Promise<void> {
  const id = await findFileId(page, zone, name);
  await waitForRenderedPages(page, id);
  await page.goto(`/zones/${zone}/files/${id}`);
  await expectPageRendered(page, 1);
}

test('a user reads a document by keyboard only', async ({ page, mailbox }) => {
  const zone = await createUserWithZone(page, mailbox);
  await uploadFiles(page, zone, [course]);
  await openDocument(page, zone, course.name);
  const fitWidth = await getPageWidth(page);
  expect(await getImageWidth(page, 1)).toBe(1200);
  // Only nearby pages are loaded, so printing shows a hint instead.
  const printHint = page.getByText('To print “Course.pdf”, download it first.');
  await expect(printHint).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(printHint).toBeVisible();
  await expect(pageImage(page, 1)).toBeHidden();
  await expect(page.getByRole('heading', { name: course.name })).toBeHidden();
  await page.emulateMedia({ media: null });

  // Go to a page, then zoom in: the centre of the screen stays, and a wider image is loaded.
  await page.keyboard.press('g');
  await expect(pageField(page)).toBeFocused();
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\?page=12$/);
  await expectPageRendered(page, 12);
  const viewportMiddle = page.viewportSize()!.height / 2;
  const before = await getReadingPosition(page, viewportMiddle);
  expect(Math.floor(before)).toBe(12);
  for (let presses = 0; presses < 4; presses++) await page.keyboard.press('+');
  await expect.poll(() => getPageWidth(page)).toBe(fitWidth * 3);
  expect(await getReadingPosition(page, viewportMiddle)).toBeCloseTo(before, 2);
  await expect.poll(() => getImageWidth(page, 12)).toBe(2000);
  expect(await pageImage(page, 12).evaluate((shown) => getComputedStyle(shown).transform)).toBe('none');
  await expectNoOverflow(page);
  await expectAccessible(page);
  // When wider than the window, the arrow keys scroll sideways.
  const getLeft = () => pageImage(page, 12).evaluate((shown) => shown.getBoundingClientRect().left);
  const initialLeft = await getLeft();
  await page.keyboard.press('ArrowRight');
  await expect.poll(getLeft).toBeLessThan(initialLeft);
  await page.keyboard.press('Control+-');
  await expect.poll(() => getPageWidth(page)).toBe(fitWidth * 2);
  await page.keyboard.press('0');
  await expect.poll(() => getPageWidth(page)).toBe(fitWidth);
  expect(await getReadingPosition(page, viewportMiddle)).toBeCloseTo(before, 2);
  // Ctrl and the wheel zoom around the pointer.
  const positionAtPointer = await getReadingPosition(page, 200);
  await page.mouse.move(page.viewportSize()!.width / 2, 200);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -100);
  await page.keyboard.up('Control');
  await expect.poll(() => getPageWidth(page)).toBeGreaterThan(fitWidth);
  expect(await getReadingPosition(page, 200)).toBeCloseTo(positionAtPointer, 2);
  await page.keyboard.press('0');
  await expect.poll(() => getPageWidth(page)).toBe(fitWidth);

  const getHeightRatio = () =>
    pageImage(page, 12).evaluate((shown) => shown.getBoundingClientRect().height / shown.clientHeight);
  await page.keyboard.press('r');
  await expect.poll(getHeightRatio).toBeCloseTo(595 / 842, 2);
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('r');
  await expect.poll(getHeightRatio).toBe(1);

  await page.keyboard.press('f');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  await page.keyboard.press('f');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(false);

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard Shortcuts' })).toContainText('Go to a page');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Keyboard Shortcuts' })).toBeHidden();
  await expect(pageField(page)).toHaveValue('12');
});

test('a user reads page by page and navigates by thumbnails', async ({ page, mailbox }) => {
  const zone = await createUserWithZone(page, mailbox);
  await uploadFiles(page, zone, [course]);
  await openDocument(page, zone, course.name);
  const thumbnailRequest = page.waitForRequest((request) => request.url().endsWith('/pages/1?width=600&strip'));
  await page.getByRole('button', { name: 'Pages and Contents' }).press('Enter');
  await thumbnailRequest;
  const thumbnails = page.getByRole('navigation', { name: 'Thumbnails' });
  await expect(thumbnails.getByRole('button', { name: 'Go to page 1', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await thumbnails.getByRole('button', { name: 'Go to page 4', exact: true }).press('Enter');
  await expect(page).toHaveURL(/\?page=4$/);
  await expect(thumbnails.getByRole('button', { name: 'Go to page 4', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await expectAccessible(page);

  await page.getByLabel('More').press('Enter');
  await page.getByRole('button', { name: 'Page by Page' }).press('Enter');
  await expect(page.getByRole('listitem')).toHaveCount(1);
  await expect(pageField(page)).toHaveValue('4');
  await page.keyboard.press('ArrowRight');
  await expect(pageField(page)).toHaveValue('5');
  await page.keyboard.press('End');
  await expect(pageField(page)).toHaveValue('30');
  await expect(thumbnails.getByRole('button', { name: 'Go to page 30', exact: true })).toBeInViewport();
  await page.keyboard.press('ArrowLeft');
  await expect(pageField(page)).toHaveValue('29');
  // After a reload, the preferences are restored, and the position is in the URL.
  await page.reload();
  await expect(pageField(page)).toHaveValue('29');
  await expect(page.getByRole('listitem')).toHaveCount(1);
  await expect(thumbnails).toBeVisible();
});

/** Two fingers that move apart around a point of the screen. */
async function pinch(touch: CDPSession, { x, y }: { x: number; y: number }, from: number, to: number): Promise<void> {
  const points = (distance: number) => [
    { x, y: y - distance / 2, id: 0 },
    { x, y: y + distance / 2, id: 1 },
  ];
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points(from).slice(0, 1) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points(from) });
  const stepSize = (to - from) / 10;
  for (let step = 1; step <= 10; step++)
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: points(from + stepSize * step) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('a user reads a document by touch only', async ({ browser, page, mailbox, baseURL }) => {
  const zone = await createUserWithZone(page, mailbox);
  await uploadFiles(page, zone, [course]);
  await waitForRenderedPages(page, await findFileId(page, zone, course.name));
  const state = await page.context().storageState();
  const context = await browser.newContext({ ...devices['Pixel 7'], baseURL, locale: 'en-US', storageState: state });
  const phone = await context.newPage();
  const first = phone.waitForRequest((request) => request.url().includes('/pages/1?'));
  await openDocument(phone, zone, course.name);
  const fitWidth = await getPageWidth(phone);
  // Even on high-density screens, a small image comes first and the sharper one later.
  expect((await first).url()).toContain('?width=600');
  await expect.poll(() => getImageWidth(phone, 1)).toBe(1200);
  await pageField(phone).tap();
  await pageField(phone).fill('12');
  await phone.keyboard.press('Enter');
  await expect(phone).toHaveURL(/\?page=12$/);
  await expectPageRendered(phone, 12);
  const pinchPoint = { x: 200, y: 400 };
  const before = await getReadingPosition(phone, pinchPoint.y);
  const touch = await context.newCDPSession(phone);
  await pinch(touch, pinchPoint, 100, 250);
  await expect.poll(() => getPageWidth(phone)).toBe(Math.round(fitWidth * 2.5));
  expect(await getReadingPosition(phone, pinchPoint.y)).toBeCloseTo(before, 2);
  await expect.poll(() => getImageWidth(phone, 12)).toBe(2000);
  expect(await phone.evaluate(() => visualViewport!.scale)).toBe(1);
  await expectNoOverflow(phone);
  await pinch(touch, pinchPoint, 250, 100);
  await expect.poll(() => getPageWidth(phone)).toBe(fitWidth);

  const chooseMenuItem = async (name: string) => {
    await phone.getByLabel('More').tap();
    await phone.getByRole('button', { name, exact: true }).tap();
  };
  await chooseMenuItem('Rotate');
  await expect.poll(() => pageImage(phone, 12).evaluate((shown) => getComputedStyle(shown).transform)).not.toBe('none');
  for (let times = 0; times < 3; times++) await chooseMenuItem('Rotate');
  await expect(pageField(phone)).toHaveValue('12');
  await chooseMenuItem('Pages and Contents');
  const thumbnail = phone.getByRole('button', { name: 'Go to page 13', exact: true });
  await expect(thumbnail).toBeInViewport();
  await thumbnail.tap();
  await expect(pageField(phone)).toHaveValue('13');
  await expect(phone.getByRole('navigation', { name: 'Thumbnails' })).toHaveCount(0);
  await chooseMenuItem('Page by Page');
  await phone.getByRole('button', { name: 'Next Page' }).tap();
  await expect(pageField(phone)).toHaveValue('14');
  await chooseMenuItem('Continuous');
  await expect(pageField(phone)).toHaveValue('14');
  await chooseMenuItem('Sepia');
  await expect(phone.locator('[data-around=sepia]')).toBeVisible();
  await expectNoOverflow(phone);
  await expectAccessible(phone);
  await context.close();
});

test('a user reads 300 pages while at most seven are rendered at any zoom', async ({ page, mailbox }) => {
  const zone = await createUserWithZone(page, mailbox);
  await uploadFiles(page, zone, [longDocument]);
  await openDocument(page, zone, longDocument.name);
  const countRenderedPages = () => page.getByRole('listitem').count();
  const goToPage = async (pageNumber: number) => {
    await page.keyboard.press('g');
    await page.keyboard.type(String(pageNumber));
    await page.keyboard.press('Enter');
    await expect(pageField(page, 300)).toHaveValue(String(pageNumber));
    await expectPageRendered(page, pageNumber);
    expect(await countRenderedPages()).toBeLessThanOrEqual(7);
  };
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable');
  const measureMemory = async () => {
    // The text layer of the current page and two on each side follows the image.
    await expect(page.locator('.z-reader-lettering p')).toHaveCount(5);
    await devTools.send('HeapProfiler.collectGarbage');
    const { metrics } = await devTools.send('Performance.getMetrics');
    const getMetric = (name: string) => metrics.find((metric) => metric.name === name)!.value;
    return { nodes: getMetric('Nodes'), heap: Math.round(getMetric('JSHeapUsedSize') / 1024) };
  };
  await goToPage(150);
  await goToPage(290);
  await goToPage(150);
  const first = await measureMemory();
  for (const to of [2, 50, 100, 200, 250, 299, 150]) await goToPage(to);
  const last = await measureMemory();
  process.stdout.write(
    `book of 300 pages: ${first.nodes} nodes, ${first.heap} kB, then ${last.nodes}, ${last.heap} kB\n`,
  );
  // At most one window of pages, with their images, may wait for garbage collection.
  expect(last.nodes).toBeLessThanOrEqual(first.nodes + 7 * 2);

  for (let presses = 0; presses < 6; presses++) {
    await page.keyboard.press('+');
    expect(await countRenderedPages()).toBeLessThanOrEqual(7);
  }
  for (let presses = 0; presses < 9; presses++) {
    await page.keyboard.press('-');
    expect(await countRenderedPages()).toBeLessThanOrEqual(7);
  }
  // Even with the smallest pages, the seven rendered ones fill the screen.
  const { height } = page.viewportSize()!;
  await expect.poll(() => getReadingPosition(page, height - 40)).toBeGreaterThan(0);
});
