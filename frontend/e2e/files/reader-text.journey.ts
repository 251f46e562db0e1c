import { devices, type Page } from '@playwright/test';
import { book } from '../support/book.ts';
import { png } from '../support/files.ts';
import { drawn, idOf, isDrawn } from '../support/reading.ts';
import { browserOf, nameOf, shapes } from '../support/shapes.ts';
import { expect, expectAccessible, expectNoOverflow, keepPicture, newPerson, register, test } from '../support/test.ts';
import { joinZone, openStudio, store } from '../support/zones.ts';

const course = book('Course.pdf');

const field = (page: Page) => page.getByLabel('Page, out of 30');
const pageOf = (page: Page, number: number) => page.locator(`li[aria-posinset="${number}"]`);
const word = (page: Page, number: number, text: string) =>
  pageOf(page, number)
    .locator('p span')
    .filter({ hasText: new RegExp(`^${text}\\s*$`) });
const marked = (page: Page) => page.locator('.z-reader-hit[data-current]');
const said = (page: Page) => page.getByRole('search').getByRole('status');

/** A course in a zone of one's own, opened; gives its address. */
async function read(page: Page, zone: number, query = ''): Promise<string> {
  await store(page, zone, [course]);
  const id = await idOf(page, zone, course.name);
  await drawn(page, id);
  await page.goto(`/zones/${zone}/files/${id}${query}`);
  await expect(page.locator('li[aria-posinset] p span').first()).toBeAttached();
  return `/zones/${zone}/files/${id}`;
}

/** What the page would put on the clipboard. */
async function copied(page: Page): Promise<string> {
  await page.evaluate(() => {
    const keep = (event: ClipboardEvent) =>
      document.documentElement.setAttribute('data-copied', event.clipboardData?.getData('text/plain') ?? '');
    document.addEventListener('copy', keep, { once: true });
  });
  await page.keyboard.press('Control+c');
  await expect(page.locator('html')).toHaveAttribute('data-copied');
  const text = await page.locator('html').getAttribute('data-copied');
  await page.evaluate(() => document.documentElement.removeAttribute('data-copied'));
  return text!;
}

/** Draws the mouse from a word to another one. */
async function drag(page: Page, from: string, to: string): Promise<void> {
  const [begin, end] = [(await word(page, 1, from).boundingBox())!, (await word(page, 1, to).boundingBox())!];
  await page.mouse.move(begin.x + 1, begin.y + begin.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width - 1, end.y + end.height / 2, { steps: 5 });
  await page.mouse.up();
}

test('the text of a page is selected where it stands, and copied as it reads', async ({ page, mailbox }) => {
  const zone = await openStudio(page, mailbox);
  await read(page, zone);
  await drag(page, 'Lesson', 'course');
  expect(await page.evaluate(() => getSelection()!.toString().trim())).toBe('Lesson 1 of the course');
  expect(await copied(page)).toBe('Lesson 1 of the course');
  await drag(page, 'Every', 'own');
  expect(await copied(page)).toBe('Every brush is an example of its own');
  // Beyond the last word of a line one is at its end, also beside the page. What is selected would be carried by the mouse.
  await page.evaluate(() => getSelection()!.removeAllRanges());
  const [begin, sheet] = [(await word(page, 1, 'Every').boundingBox())!, (await pageOf(page, 1).boundingBox())!];
  await page.mouse.move(begin.x + 1, begin.y + begin.height / 2);
  await page.mouse.down();
  await page.mouse.move(sheet.x + sheet.width - 20, begin.y + begin.height / 2, { steps: 5 });
  await page.mouse.move(sheet.x + sheet.width + 40, begin.y + begin.height / 2, { steps: 5 });
  await page.mouse.up();
  expect(await copied(page)).toBe('Every brush is an exam');
  await word(page, 1, 'brush').dblclick();
  expect(await page.evaluate(() => getSelection()!.toString().trim())).toBe('brush');
  // It stays where it is in the picture, also zoomed and turned.
  const at = () =>
    word(page, 1, 'brush').evaluate((shown) => {
      const [box, list] = [shown.getBoundingClientRect(), shown.closest('li')!.getBoundingClientRect()];
      const part = (place: number, from: number, length: number) => Math.round((100 * (place - from)) / length);
      return [
        part(box.left, list.left, list.width),
        part(box.top, list.top, list.height),
        part(box.width, 0, list.width),
      ];
    });
  const before = await at();
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('+');
  expect(await at()).toEqual(before);
  await page.keyboard.press('r');
  const [left, top] = await at();
  expect(left).toBeGreaterThan(80);
  expect(top).toBeGreaterThan(10);
});

test('fingers scroll and zoom over text without selecting it', async ({ page, browser, mailbox, baseURL }) => {
  const zone = await openStudio(page, mailbox);
  const address = await read(page, zone);
  const storageState = await page.context().storageState();
  const context = await browser.newContext({ ...devices['Pixel 7'], baseURL, locale: 'en-US', storageState });
  const phone = await context.newPage();
  await phone.goto(address);
  const text = word(phone, 1, 'lesson');
  await expect(text).toBeAttached();
  const selected = () => phone.evaluate(() => getSelection()!.toString());
  const width = () => phone.locator('.z-reader-pages').evaluate((list) => (list as HTMLElement).offsetWidth);
  const touch = await context.newCDPSession(phone);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: number[][]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: at.map(([x, y], id) => ({ x: x!, y: y!, id })) });

  const fit = await width();
  const point = (await text.boundingBox())!;
  await send('touchStart', [point.x, point.y - 20], [point.x, point.y + 20]);
  for (let step = 1; step <= 10; step++)
    await send('touchMove', [point.x, point.y - 20 - step * 2], [point.x, point.y + 20 + step * 2]);
  await send('touchEnd');
  await expect.poll(width).toBe(fit * 2);
  expect(await phone.evaluate(() => visualViewport!.scale)).toBe(1);
  expect(await selected()).toBe('');

  // Last: where a scroll comes to rest is nobody's to say.
  const from = await phone.evaluate(() => scrollY);
  const { x, y } = (await text.boundingBox())!;
  await send('touchStart', [x + 10, y + 5]);
  for (let step = 1; step <= 10; step++) await send('touchMove', [x + 10, y + 5 - step * 10]);
  await send('touchEnd');
  await expect.poll(() => phone.evaluate(() => scrollY)).toBeGreaterThan(from + 40);
  expect(await selected()).toBe('');
  await context.close();
});

test('links lead to a page, or say whom they open, in a tab that knows nothing of this one', async ({
  page,
  context,
  mailbox,
}) => {
  await context.route('https://example.org/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: 'Library' }),
  );
  const zone = await openStudio(page, mailbox);
  await read(page, zone);
  const inside = pageOf(page, 1).getByRole('link', { name: 'See lesson twelve – Go to page 12' });
  const outside = pageOf(page, 1).getByRole('link', { name: 'More at the library – opens example.org in a new tab' });
  await inside.focus();
  await page.keyboard.press('Tab');
  await expect(outside).toBeFocused();
  const opened = page.waitForEvent('popup');
  await page.keyboard.press('Enter');
  const tab = await opened;
  await expect(tab).toHaveURL('https://example.org/colours');
  expect(await tab.evaluate(() => window.opener)).toBeNull();
  await tab.close();
  await inside.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\?page=12$/);
  await expect(pageOf(page, 12)).toBeFocused();
  await expect(field(page)).toHaveValue('12');
});

test('words are found on all pages by the keyboard, and by an address', async ({ page, mailbox }) => {
  const zone = await openStudio(page, mailbox);
  const address = await read(page, zone);
  await page.keyboard.press('Control+f');
  await expect(page.getByRole('search').getByRole('textbox')).toBeFocused();
  await page.keyboard.type('cadmium yellow');
  await page.keyboard.press('Enter');
  await expect(said(page)).toContainText('1 of 2, page 12');
  await expect(marked(page).first()).toBeInViewport();
  await expect(pageOf(page, 12).locator('.z-reader-hit')).toHaveCount(2);
  await page.keyboard.press('Enter');
  await expect(said(page)).toContainText('2 of 2, page 30');
  await expect(pageOf(page, 30).locator('.z-reader-hit[data-current]').first()).toBeInViewport();
  await expect(page).toHaveURL(`${address}?find=cadmium+yellow&page=30`);
  await page.keyboard.press('Shift+Enter');
  await expect(pageOf(page, 12).locator('.z-reader-hit[data-current]').first()).toBeInViewport();
  await page.keyboard.press('F3');
  await expect(said(page)).toContainText('2 of 2, page 30');
  await expect(pageOf(page, 30).locator('.z-reader-hit[data-current]').first()).toBeInViewport();
  // Scrolled away from, it is let go.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('search')).toHaveCount(0);
  await expect(page.locator('.z-reader-hit')).toHaveCount(0);
  await expect(page).toHaveURL(`${address}?page=30`);

  await page.goto(`${address}?page=30&find=cadmium`);
  await expect(said(page)).toContainText('2 of 2, page 30');
  await expect(marked(page)).toBeInViewport();
  await expect(field(page)).toHaveValue('30');
  await page.keyboard.press('/');
  await page.keyboard.type('nowhere');
  await expect(said(page)).toHaveText('No matches found.');
  // What stands in the first lines of all does not lie below the panel.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${address}?find=lesson+1+of`);
  await expect(marked(page).first()).toBeInViewport();
  const [mark, panel] = [(await marked(page).first().boundingBox())!, (await page.getByRole('search').boundingBox())!];
  expect(mark.y).toBeGreaterThan(panel.y + panel.height);
});

test('the contents lead to their pages by the keyboard', async ({ page, mailbox }) => {
  const zone = await openStudio(page, mailbox);
  await read(page, zone);
  await page.getByRole('button', { name: 'Pages and Contents' }).press('Enter');
  await page.getByRole('tab', { name: 'Pages' }).press('ArrowRight');
  const contents = page.getByRole('navigation', { name: 'Contents' });
  const chapter = (name: string) => contents.getByRole('button', { name });
  await page.keyboard.press('Tab');
  await expect(chapter('Colours Page 1')).toBeFocused();
  await expect(chapter('Colours Page 1')).toHaveAttribute('aria-current', 'location');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(field(page)).toHaveValue('20');
  await expect(chapter('Brushes Page 20')).toHaveAttribute('aria-current', 'location');
  await expect(page).toHaveURL(/\?page=20$/);
});

test('the text of a file that members may not take is neither selected nor searched', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const zone = await openStudio(page, mailbox, { type: 'public' });
  await store(page, zone, [course]);
  const id = await idOf(page, zone, course.name);
  await drawn(page, id);
  const changed = await page.request.patch(`/api/files/${id}`, {
    headers: { origin: new URL(baseURL!).origin },
    data: { allowDownload: false, allowText: false },
  });
  expect(changed.status()).toBe(200);
  const { publicLink } = (await (await page.request.get(`/api/zones/${zone}`)).json()) as { publicLink: string };
  const context = await browser.newContext({ baseURL, locale: 'en-US' });
  const member = await context.newPage();
  const { email } = await register(member, mailbox, newPerson('Ece', 'Can'));
  await joinZone(member, publicLink, email);
  const asked: string[] = [];
  member.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await member.goto(`/zones/${zone}/files/${id}?find=lesson`);
  await isDrawn(member, 1);
  await isDrawn(member, 3);
  await member.getByLabel('More').click();
  await expect(member.getByText('The text of this document can’t be selected or searched.')).toBeVisible();
  await expect(member.getByRole('search')).toHaveCount(0);
  await expect(member.getByRole('button', { name: 'Search in the Document' })).toHaveCount(0);
  await member.keyboard.press('Escape');
  await member.keyboard.press('Control+a');
  expect(await member.locator('.z-reader-area').evaluate((shown) => getComputedStyle(shown).userSelect)).toBe('none');
  expect(await member.evaluate(() => getSelection()!.toString())).not.toContain('Lesson');
  expect(asked.filter((path) => path.endsWith('/text') || path.endsWith('/search'))).toEqual([]);
  await context.close();
});

for (const shape of shapes) {
  const { width, scheme, language } = shape;
  test.describe(nameOf(shape), () => {
    test.use(browserOf(shape));

    test('text, search, contents, and a page without words', async ({ page, context, mailbox }) => {
      await context.setExtraHTTPHeaders({ 'Accept-Language': language });
      const look = async (name: string) => {
        await expect(page.locator('html')).toHaveAttribute('data-theme', scheme);
        await expectNoOverflow(page);
        await expectAccessible(page);
        await keepPicture(page, `${name}-${width}-${scheme}-${language}.png`);
      };
      const zone = await openStudio(page, mailbox);
      const address = await read(page, zone, '?page=12&find=lesson');
      await expect(page.getByRole('search').getByRole('status')).toContainText(language === 'tr' ? '/ 60' : 'of 60');
      await expect(marked(page)).toBeInViewport();
      await look('found');
      await page.evaluate(() =>
        getSelection()!.selectAllChildren(document.querySelector('li[aria-posinset="12"] .z-reader-lettering')!),
      );
      await keepPicture(page, `selected-${width}-${scheme}-${language}.png`);
      await page.keyboard.press('Escape');
      const more = page.locator('summary').filter({ visible: true });
      if (width < 800) await more.click();
      await page
        .getByRole('button', { name: language === 'tr' ? 'Sayfalar ve İçindekiler' : 'Pages and Contents' })
        .click();
      await look('strip');
      await page.getByRole('tab', { name: language === 'tr' ? 'İçindekiler' : 'Contents' }).click();
      await expect(page.locator('[aria-current=location]')).toContainText('Warm ones');
      await look('contents');
      await page.keyboard.press('?');
      await look('keys');
      await page.keyboard.press('Escape');
      await page.goto(`${address}?find=nowhere`);
      await expect(page.getByText(language === 'tr' ? 'Eşleşme bulunamadı.' : 'No matches found.')).toBeVisible();
      await look('nothing');

      await store(page, zone, [{ ...png('Scan.svg'), mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) }]);
      const scan = await idOf(page, zone, 'Scan.svg');
      await drawn(page, scan);
      await page.goto(`/zones/${zone}/files/${scan}`);
      const none = language === 'tr' ? 'Bu sayfada okunabilir metin yok.' : 'This page has no readable text.';
      await expect(page.getByText(none)).toBeAttached();
      await expectAccessible(page);
    });
  });
}

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200"/></svg>';
