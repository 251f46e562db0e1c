import { devices, type Page } from '@playwright/test';
import { createCoursePdf } from '../support/course-pdf.ts';
import { pngFile } from '../support/sample-files.ts';
import { waitForRenderedPages, findFileId, expectPageRendered } from '../support/reader.ts';
import { toBrowserOptions, describeVariant, displayVariants } from '../support/display-variants.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  saveScreenshot,
  makeUser,
  registerUser,
  test,
} from '../support/test.ts';
import { joinZone, createUserWithZone, uploadFiles } from '../support/zones.ts';

const course = createCoursePdf('Course.pdf');

const pageField = (page: Page) => page.getByLabel('Page, out of 30');
const pageItem = (page: Page, number: number) => page.locator(`li[aria-posinset="${number}"]`);
const wordSpan = (page: Page, number: number, text: string) =>
  pageItem(page, number)
    .locator('p span')
    .filter({ hasText: new RegExp(`^${text}\\s*$`) });
const currentMatch = (page: Page) => page.locator('.z-reader-hit[data-current]');
const searchStatus = (page: Page) => page.getByRole('search').getByRole('status');

/** Opens a course document in a zone of the user; returns its URL. */
async function openDocument(page: Page, zone: number, query = ''): Promise<string> {
  await uploadFiles(page, zone, [course]);
  const id = await findFileId(page, zone, course.name);
  await waitForRenderedPages(page, id);
  await page.goto(`/zones/${zone}/files/${id}${query}`);
  await expect(page.locator('li[aria-posinset] p span').first()).toBeAttached();
  return `/zones/${zone}/files/${id}`;
}

/** What the page would put on the clipboard. */
async function copySelection(page: Page): Promise<string> {
  await page.evaluate(() => {
    const storeCopiedText = (event: ClipboardEvent) =>
      document.documentElement.setAttribute('data-copied', event.clipboardData?.getData('text/plain') ?? '');
    document.addEventListener('copy', storeCopiedText, { once: true });
  });
  await page.keyboard.press('Control+c');
  await expect(page.locator('html')).toHaveAttribute('data-copied');
  const text = await page.locator('html').getAttribute('data-copied');
  await page.evaluate(() => document.documentElement.removeAttribute('data-copied'));
  return text!;
}

/** Selects text with the mouse, from one word to another. */
async function selectText(page: Page, firstWord: string, lastWord: string): Promise<void> {
  const [begin, end] = [
    (await wordSpan(page, 1, firstWord).boundingBox())!,
    (await wordSpan(page, 1, lastWord).boundingBox())!,
  ];
  await page.mouse.move(begin.x + 1, begin.y + begin.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width - 1, end.y + end.height / 2, { steps: 5 });
  await page.mouse.up();
}

test('a user selects and copies the text of a page', async ({ page, mailbox }) => {
  const zone = await createUserWithZone(page, mailbox);
  await openDocument(page, zone);
  await selectText(page, 'Lesson', 'course');
  expect(await page.evaluate(() => getSelection()!.toString().trim())).toBe('Lesson 1 of the course');
  expect(await copySelection(page)).toBe('Lesson 1 of the course');
  await selectText(page, 'Every', 'own');
  expect(await copySelection(page)).toBe('Every brush is an example of its own');
  // Beyond a line's last word, also beside the page, the selection ends with the line. An existing selection would be
  // dragged.
  await page.evaluate(() => getSelection()!.removeAllRanges());
  const [begin, pageBox] = [
    (await wordSpan(page, 1, 'Every').boundingBox())!,
    (await pageItem(page, 1).boundingBox())!,
  ];
  await page.mouse.move(begin.x + 1, begin.y + begin.height / 2);
  await page.mouse.down();
  await page.mouse.move(pageBox.x + pageBox.width - 20, begin.y + begin.height / 2, { steps: 5 });
  await page.mouse.move(pageBox.x + pageBox.width + 40, begin.y + begin.height / 2, { steps: 5 });
  await page.mouse.up();
  expect(await copySelection(page)).toBe('Every brush is an exam');
  await wordSpan(page, 1, 'brush').dblclick();
  expect(await page.evaluate(() => getSelection()!.toString().trim())).toBe('brush');
  // It stays at its place in the image, also zoomed and rotated.
  const getWordPosition = () =>
    wordSpan(page, 1, 'brush').evaluate((shown) => {
      const [box, list] = [shown.getBoundingClientRect(), shown.closest('li')!.getBoundingClientRect()];
      const percentage = (position: number, from: number, length: number) =>
        Math.round((100 * (position - from)) / length);
      return [
        percentage(box.left, list.left, list.width),
        percentage(box.top, list.top, list.height),
        percentage(box.width, 0, list.width),
      ];
    });
  const before = await getWordPosition();
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('+');
  expect(await getWordPosition()).toEqual(before);
  await page.keyboard.press('r');
  const [left, top] = await getWordPosition();
  expect(left).toBeGreaterThan(80);
  expect(top).toBeGreaterThan(10);
});

test('a user scrolls and zooms by touch without selecting text', async ({ page, browser, mailbox, baseURL }) => {
  const zone = await createUserWithZone(page, mailbox);
  const documentPath = await openDocument(page, zone);
  const storageState = await page.context().storageState();
  const context = await browser.newContext({ ...devices['Pixel 7'], baseURL, locale: 'en-US', storageState });
  const phone = await context.newPage();
  await phone.goto(documentPath);
  const text = wordSpan(phone, 1, 'lesson');
  await expect(text).toBeAttached();
  const selected = () => phone.evaluate(() => getSelection()!.toString());
  const width = () => phone.locator('.z-reader-pages').evaluate((list) => (list as HTMLElement).offsetWidth);
  const touch = await context.newCDPSession(phone);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: number[][]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: at.map(([x, y], id) => ({ x: x!, y: y!, id })) });

  const fitWidth = await width();
  const point = (await text.boundingBox())!;
  await send('touchStart', [point.x, point.y - 20], [point.x, point.y + 20]);
  for (let step = 1; step <= 10; step++)
    await send('touchMove', [point.x, point.y - 20 - step * 2], [point.x, point.y + 20 + step * 2]);
  await send('touchEnd');
  await expect.poll(width).toBe(fitWidth * 2);
  expect(await phone.evaluate(() => visualViewport!.scale)).toBe(1);
  expect(await selected()).toBe('');

  // Last, because the final scroll position isn't predictable.
  const from = await phone.evaluate(() => scrollY);
  const { x, y } = (await text.boundingBox())!;
  await send('touchStart', [x + 10, y + 5]);
  for (let step = 1; step <= 10; step++) await send('touchMove', [x + 10, y + 5 - step * 10]);
  await send('touchEnd');
  await expect.poll(() => phone.evaluate(() => scrollY)).toBeGreaterThan(from + 40);
  expect(await selected()).toBe('');
  await context.close();
});

test('a user follows links to pages and to external sites in an isolated tab', async ({ page, context, mailbox }) => {
  await context.route('https://example.org/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: 'Library' }),
  );
  const zone = await createUserWithZone(page, mailbox);
  await openDocument(page, zone);
  const internalLink = pageItem(page, 1).getByRole('link', { name: 'See lesson twelve – Go to page 12' });
  const externalLink = pageItem(page, 1).getByRole('link', {
    name: 'More at the library – opens example.org in a new tab',
  });
  await internalLink.focus();
  await page.keyboard.press('Tab');
  await expect(externalLink).toBeFocused();
  const popup = page.waitForEvent('popup');
  await page.keyboard.press('Enter');
  const tab = await popup;
  await expect(tab).toHaveURL('https://example.org/colours');
  expect(await tab.evaluate(() => window.opener)).toBeNull();
  await tab.close();
  await internalLink.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\?page=12$/);
  await expect(pageItem(page, 12)).toBeFocused();
  await expect(pageField(page)).toHaveValue('12');
});

test('a user searches all pages by keyboard and by URL', async ({ page, mailbox }) => {
  const zone = await createUserWithZone(page, mailbox);
  const documentPath = await openDocument(page, zone);
  await page.keyboard.press('Control+f');
  await expect(page.getByRole('search').getByRole('textbox')).toBeFocused();
  await page.keyboard.type('cadmium yellow');
  await page.keyboard.press('Enter');
  await expect(searchStatus(page)).toContainText('1 of 2, page 12');
  await expect(currentMatch(page).first()).toBeInViewport();
  await expect(pageItem(page, 12).locator('.z-reader-hit')).toHaveCount(2);
  await page.keyboard.press('Enter');
  await expect(searchStatus(page)).toContainText('2 of 2, page 30');
  await expect(pageItem(page, 30).locator('.z-reader-hit[data-current]').first()).toBeInViewport();
  await expect(page).toHaveURL(`${documentPath}?find=cadmium+yellow&page=30`);
  await page.keyboard.press('Shift+Enter');
  await expect(pageItem(page, 12).locator('.z-reader-hit[data-current]').first()).toBeInViewport();
  await page.keyboard.press('F3');
  await expect(searchStatus(page)).toContainText('2 of 2, page 30');
  await expect(pageItem(page, 30).locator('.z-reader-hit[data-current]').first()).toBeInViewport();
  // Scrolling away clears it.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('search')).toHaveCount(0);
  await expect(page.locator('.z-reader-hit')).toHaveCount(0);
  await expect(page).toHaveURL(`${documentPath}?page=30`);

  await page.goto(`${documentPath}?page=30&find=cadmium`);
  await expect(searchStatus(page)).toContainText('2 of 2, page 30');
  await expect(currentMatch(page)).toBeInViewport();
  await expect(pageField(page)).toHaveValue('30');
  await page.keyboard.press('/');
  await page.keyboard.type('nowhere');
  await expect(searchStatus(page)).toHaveText('No matches found.');
  // Matches in the first lines are not covered by the panel.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${documentPath}?find=lesson+1+of`);
  await expect(currentMatch(page).first()).toBeInViewport();
  const [matchBox, panelBox] = [
    (await currentMatch(page).first().boundingBox())!,
    (await page.getByRole('search').boundingBox())!,
  ];
  expect(matchBox.y).toBeGreaterThan(panelBox.y + panelBox.height);
});

test('a user follows the outline by keyboard', async ({ page, mailbox }) => {
  const zone = await createUserWithZone(page, mailbox);
  await openDocument(page, zone);
  await page.getByRole('button', { name: 'Pages and Contents' }).press('Enter');
  await page.getByRole('tab', { name: 'Pages' }).press('ArrowRight');
  const contents = page.getByRole('navigation', { name: 'Contents' });
  const outlineButton = (name: string) => contents.getByRole('button', { name });
  await page.keyboard.press('Tab');
  await expect(outlineButton('Colours Page 1')).toBeFocused();
  await expect(outlineButton('Colours Page 1')).toHaveAttribute('aria-current', 'location');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(pageField(page)).toHaveValue('20');
  await expect(outlineButton('Brushes Page 20')).toHaveAttribute('aria-current', 'location');
  await expect(page).toHaveURL(/\?page=20$/);
});

test('a member without permission can neither select nor search the text of a file', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const zone = await createUserWithZone(page, mailbox, { type: 'public' });
  await uploadFiles(page, zone, [course]);
  const id = await findFileId(page, zone, course.name);
  await waitForRenderedPages(page, id);
  const response = await page.request.patch(`/api/files/${id}`, {
    headers: { origin: new URL(baseURL!).origin },
    data: { allowDownload: false, allowText: false },
  });
  expect(response.status()).toBe(200);
  const { publicLink } = (await (await page.request.get(`/api/zones/${zone}`)).json()) as { publicLink: string };
  const context = await browser.newContext({ baseURL, locale: 'en-US' });
  const member = await context.newPage();
  const { email } = await registerUser(member, mailbox, makeUser('Ece', 'Can'));
  await joinZone(member, publicLink, email);
  const requestedPaths: string[] = [];
  member.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  await member.goto(`/zones/${zone}/files/${id}?find=lesson`);
  await expectPageRendered(member, 1);
  await expectPageRendered(member, 3);
  await member.getByLabel('More').click();
  await expect(member.getByText('The text of this document can’t be selected or searched.')).toBeVisible();
  await expect(member.getByRole('search')).toHaveCount(0);
  await expect(member.getByRole('button', { name: 'Search in the Document' })).toHaveCount(0);
  await member.keyboard.press('Escape');
  await member.keyboard.press('Control+a');
  expect(await member.locator('.z-reader-area').evaluate((shown) => getComputedStyle(shown).userSelect)).toBe('none');
  expect(await member.evaluate(() => getSelection()!.toString())).not.toContain('Lesson');
  expect(requestedPaths.filter((path) => path.endsWith('/text') || path.endsWith('/search'))).toEqual([]);
  await context.close();
});

for (const variant of displayVariants) {
  const { width, scheme, language } = variant;
  test.describe(describeVariant(variant), () => {
    test.use(toBrowserOptions(variant));

    test('the reader’s text, search and outline fit the screen and are accessible', async ({
      page,
      context,
      mailbox,
    }) => {
      await context.setExtraHTTPHeaders({ 'Accept-Language': language });
      const checkScreen = async (name: string) => {
        await expect(page.locator('html')).toHaveAttribute('data-theme', scheme);
        await expectNoOverflow(page);
        await expectAccessible(page);
        await saveScreenshot(page, `${name}-${width}-${scheme}-${language}.png`);
      };
      const zone = await createUserWithZone(page, mailbox);
      const documentPath = await openDocument(page, zone, '?page=12&find=lesson');
      await expect(page.getByRole('search').getByRole('status')).toContainText(language === 'tr' ? '/ 60' : 'of 60');
      await expect(currentMatch(page)).toBeInViewport();
      await checkScreen('found');
      await page.evaluate(() =>
        getSelection()!.selectAllChildren(document.querySelector('li[aria-posinset="12"] .z-reader-lettering')!),
      );
      await saveScreenshot(page, `selected-${width}-${scheme}-${language}.png`);
      await page.keyboard.press('Escape');
      const moreButton = page.locator('summary').filter({ visible: true });
      if (width < 800) await moreButton.click();
      await page
        .getByRole('button', { name: language === 'tr' ? 'Sayfalar ve İçindekiler' : 'Pages and Contents' })
        .click();
      await checkScreen('strip');
      await page.getByRole('tab', { name: language === 'tr' ? 'İçindekiler' : 'Contents' }).click();
      await expect(page.locator('[aria-current=location]')).toContainText('Warm ones');
      await checkScreen('contents');
      await page.keyboard.press('?');
      await checkScreen('keys');
      await page.keyboard.press('Escape');
      await page.goto(`${documentPath}?find=nowhere`);
      await expect(page.getByText(language === 'tr' ? 'Eşleşme bulunamadı.' : 'No matches found.')).toBeVisible();
      await checkScreen('nothing');

      await uploadFiles(page, zone, [
        { ...pngFile('Scan.svg'), mimeType: 'image/svg+xml', buffer: Buffer.from(svgScan) },
      ]);
      const scanId = await findFileId(page, zone, 'Scan.svg');
      await waitForRenderedPages(page, scanId);
      await page.goto(`/zones/${zone}/files/${scanId}`);
      const noTextMessage = language === 'tr' ? 'Bu sayfada okunabilir metin yok.' : 'This page has no readable text.';
      await expect(page.getByText(noTextMessage)).toBeAttached();
      await expectAccessible(page);
    });
  });
}

const svgScan =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200"/></svg>';
