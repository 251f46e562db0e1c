import { devices, type CDPSession, type Page } from '@playwright/test';
import { pdf } from '../support/files.ts';
import { drawn, idOf, isDrawn, picture } from '../support/reading.ts';
import { expect, expectAccessible, expectNoOverflow, test } from '../support/test.ts';
import { openStudio, store } from '../support/zones.ts';

const course = pdf('Course.pdf', 'Lesson', 30);
const book = pdf('Book.pdf', 'Lesson', 300);

const list = (page: Page) => page.getByRole('list', { name: /^Pages of / });
const field = (page: Page, count = 30) => page.getByLabel(`Page, out of ${count}`);
const widthOf = (page: Page) => list(page).evaluate((shown) => (shown as HTMLElement).offsetWidth);
/** How many pixels wide the picture is that the server gave. */
const pixelsOf = (page: Page, number: number) =>
  picture(page, number).evaluate((shown: HTMLImageElement) => shown.naturalWidth);

/** What of the document is at a height of the window: the page, and how much of it is above. */
const placeAt = (page: Page, y: number) =>
  list(page).evaluate((shown, at) => {
    for (const one of shown.children) {
      const { top, bottom, height } = one.getBoundingClientRect();
      if (top <= at && at < bottom) return Number(one.getAttribute('aria-posinset')) + (at - top) / height;
    }
    return 0;
  }, y);

/** A document in a zone of one's own, opened. */
async function read(page: Page, zone: number, name: string): Promise<void> {
  const id = await idOf(page, zone, name);
  await drawn(page, id);
  await page.goto(`/zones/${zone}/files/${id}`);
  await isDrawn(page, 1);
}

test('a document is looked at by the keyboard alone', async ({ page, mailbox }) => {
  const zone = await openStudio(page, mailbox);
  await store(page, zone, [course]);
  await read(page, zone, course.name);
  const fit = await widthOf(page);
  expect(await pixelsOf(page, 1)).toBe(1200);
  // Of the document only what is near is here: on paper it says what to do instead.
  const onPaper = page.getByText('To print “Course.pdf”, download it first.');
  await expect(onPaper).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(onPaper).toBeVisible();
  await expect(picture(page, 1)).toBeHidden();
  await expect(page.getByRole('heading', { name: course.name })).toBeHidden();
  await page.emulateMedia({ media: null });

  // Go to a page, then closer: what was in the middle of the screen stays there, and a wider picture comes.
  await page.keyboard.press('g');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\?page=12$/);
  await isDrawn(page, 12);
  const middle = page.viewportSize()!.height / 2;
  const before = await placeAt(page, middle);
  expect(Math.floor(before)).toBe(12);
  for (let presses = 0; presses < 4; presses++) await page.keyboard.press('+');
  await expect.poll(() => widthOf(page)).toBe(fit * 3);
  expect(await placeAt(page, middle)).toBeCloseTo(before, 2);
  await expect.poll(() => pixelsOf(page, 12)).toBe(2000);
  expect(await picture(page, 12).evaluate((shown) => getComputedStyle(shown).transform)).toBe('none');
  await expectNoOverflow(page);
  await expectAccessible(page);
  // Wider than the window, the arrows move it to the sides.
  const left = () => picture(page, 12).evaluate((shown) => shown.getBoundingClientRect().left);
  const was = await left();
  await page.keyboard.press('ArrowRight');
  await expect.poll(left).toBeLessThan(was);
  await page.keyboard.press('Control+-');
  await expect.poll(() => widthOf(page)).toBe(fit * 2);
  await page.keyboard.press('0');
  await expect.poll(() => widthOf(page)).toBe(fit);
  expect(await placeAt(page, middle)).toBeCloseTo(before, 2);
  // The wheel with Ctrl zooms where the pointer is.
  const top = await placeAt(page, 200);
  await page.mouse.move(page.viewportSize()!.width / 2, 200);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -100);
  await page.keyboard.up('Control');
  await expect.poll(() => widthOf(page)).toBeGreaterThan(fit);
  expect(await placeAt(page, 200)).toBeCloseTo(top, 2);
  await page.keyboard.press('0');
  await expect.poll(() => widthOf(page)).toBe(fit);

  const box = () => picture(page, 12).evaluate((shown) => shown.getBoundingClientRect().height / shown.clientHeight);
  await page.keyboard.press('r');
  await expect.poll(box).toBeCloseTo(595 / 842, 2);
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('r');
  await expect.poll(box).toBe(1);

  await page.keyboard.press('f');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  await page.keyboard.press('f');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(false);

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Go to a page');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeHidden();
  await expect(field(page)).toHaveValue('12');
});

test('a document is read page by page, and found by its small pages', async ({ page, mailbox }) => {
  const zone = await openStudio(page, mailbox);
  await store(page, zone, [course]);
  await read(page, zone, course.name);
  const seen = page.waitForRequest((request) => request.url().endsWith('/pages/1?width=600&strip'));
  await page.getByRole('button', { name: 'Pages and Contents' }).press('Enter');
  await seen;
  const strip = page.getByRole('navigation', { name: 'Thumbnails' });
  await expect(strip.getByRole('button', { name: 'Go to page 1', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await strip.getByRole('button', { name: 'Go to page 4', exact: true }).press('Enter');
  await expect(page).toHaveURL(/\?page=4$/);
  await expect(strip.getByRole('button', { name: 'Go to page 4', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await expectAccessible(page);

  await page.getByLabel('More').press('Enter');
  await page.getByRole('button', { name: 'Page by Page' }).press('Enter');
  await expect(page.getByRole('listitem')).toHaveCount(1);
  await expect(field(page)).toHaveValue('4');
  await page.keyboard.press('ArrowRight');
  await expect(field(page)).toHaveValue('5');
  await page.keyboard.press('End');
  await expect(field(page)).toHaveValue('30');
  await expect(strip.getByRole('button', { name: 'Go to page 30', exact: true })).toBeInViewport();
  await page.keyboard.press('ArrowLeft');
  await expect(field(page)).toHaveValue('29');
  // What this person likes is there the next time, and where they were is in the address.
  await page.reload();
  await expect(field(page)).toHaveValue('29');
  await expect(page.getByRole('listitem')).toHaveCount(1);
  await expect(strip).toBeVisible();
});

/** Two fingers that move apart around a point of the screen. */
async function pinch(touch: CDPSession, { x, y }: { x: number; y: number }, from: number, to: number): Promise<void> {
  const points = (apart: number) => [
    { x, y: y - apart / 2, id: 0 },
    { x, y: y + apart / 2, id: 1 },
  ];
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points(from).slice(0, 1) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points(from) });
  const step = (to - from) / 10;
  for (let moved = 1; moved <= 10; moved++)
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: points(from + step * moved) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('a document is looked at by fingers alone', async ({ browser, page, mailbox, baseURL }) => {
  const zone = await openStudio(page, mailbox);
  await store(page, zone, [course]);
  await drawn(page, await idOf(page, zone, course.name));
  const state = await page.context().storageState();
  const context = await browser.newContext({ ...devices['Pixel 7'], baseURL, locale: 'en-US', storageState: state });
  const phone = await context.newPage();
  const first = phone.waitForRequest((request) => request.url().includes('/pages/1?'));
  await read(phone, zone, course.name);
  const fit = await widthOf(phone);
  // However dense the screen is, nobody waits for more; who goes on reading has it afterwards.
  expect((await first).url()).toContain('?width=600');
  await expect.poll(() => pixelsOf(phone, 1)).toBe(1200);
  await field(phone).tap();
  await field(phone).fill('12');
  await phone.keyboard.press('Enter');
  await expect(phone).toHaveURL(/\?page=12$/);
  await isDrawn(phone, 12);
  const at = { x: 200, y: 400 };
  const before = await placeAt(phone, at.y);
  const touch = await context.newCDPSession(phone);
  await pinch(touch, at, 100, 250);
  await expect.poll(() => widthOf(phone)).toBe(Math.round(fit * 2.5));
  expect(await placeAt(phone, at.y)).toBeCloseTo(before, 2);
  await expect.poll(() => pixelsOf(phone, 12)).toBe(2000);
  expect(await phone.evaluate(() => visualViewport!.scale)).toBe(1);
  await expectNoOverflow(phone);
  await pinch(touch, at, 250, 100);
  await expect.poll(() => widthOf(phone)).toBe(fit);

  const choose = async (name: string) => {
    await phone.getByLabel('More').tap();
    await phone.getByRole('button', { name, exact: true }).tap();
  };
  await choose('Rotate');
  await expect.poll(() => picture(phone, 12).evaluate((shown) => getComputedStyle(shown).transform)).not.toBe('none');
  for (let times = 0; times < 3; times++) await choose('Rotate');
  await expect(field(phone)).toHaveValue('12');
  await choose('Pages and Contents');
  const small = phone.getByRole('button', { name: 'Go to page 13', exact: true });
  await expect(small).toBeInViewport();
  await small.tap();
  await expect(field(phone)).toHaveValue('13');
  await expect(phone.getByRole('navigation', { name: 'Thumbnails' })).toHaveCount(0);
  await choose('Page by Page');
  await phone.getByRole('button', { name: 'Next Page' }).tap();
  await expect(field(phone)).toHaveValue('14');
  await choose('Continuous');
  await expect(field(phone)).toHaveValue('14');
  await choose('Sepia');
  await expect(phone.locator('[data-around=sepia]')).toBeVisible();
  await expectNoOverflow(phone);
  await expectAccessible(phone);
  await context.close();
});

test('a book of 300 pages takes no more of the browser than one of seven, at any zoom', async ({ page, mailbox }) => {
  const zone = await openStudio(page, mailbox);
  await store(page, zone, [book]);
  await read(page, zone, book.name);
  const pages = () => page.getByRole('listitem').count();
  const go = async (to: number) => {
    await page.keyboard.press('g');
    await page.keyboard.type(String(to));
    await page.keyboard.press('Enter');
    await expect(field(page, 300)).toHaveValue(String(to));
    await isDrawn(page, to);
    expect(await pages()).toBeLessThanOrEqual(7);
  };
  const tools = await page.context().newCDPSession(page);
  await tools.send('Performance.enable');
  const weigh = async () => {
    // Of the page that is read and two on each side the text comes after the picture.
    await expect(page.locator('.z-reader-lettering p')).toHaveCount(5);
    await tools.send('HeapProfiler.collectGarbage');
    const { metrics } = await tools.send('Performance.getMetrics');
    const of = (name: string) => metrics.find((one) => one.name === name)!.value;
    return { nodes: of('Nodes'), heap: Math.round(of('JSHeapUsedSize') / 1024) };
  };
  await go(150);
  await go(290);
  await go(150);
  const first = await weigh();
  for (const to of [2, 50, 100, 200, 250, 299, 150]) await go(to);
  const last = await weigh();
  process.stdout.write(
    `book of 300 pages: ${first.nodes} nodes, ${first.heap} kB, then ${last.nodes}, ${last.heap} kB\n`,
  );
  // No more than one window of pages, with its pictures, may wait to be collected.
  expect(last.nodes).toBeLessThanOrEqual(first.nodes + 7 * 2);

  for (let presses = 0; presses < 6; presses++) {
    await page.keyboard.press('+');
    expect(await pages()).toBeLessThanOrEqual(7);
  }
  for (let presses = 0; presses < 9; presses++) {
    await page.keyboard.press('-');
    expect(await pages()).toBeLessThanOrEqual(7);
  }
  // Of the smallest pages the seven that are there still fill the screen.
  const { height } = page.viewportSize()!;
  await expect.poll(() => placeAt(page, height - 40)).toBeGreaterThan(0);
});
