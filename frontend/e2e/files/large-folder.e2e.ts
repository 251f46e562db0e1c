import type { Page } from '@playwright/test';
import { insertFiles } from '../support/database.ts';
import { textFile } from '../support/sample-files.ts';
import { expect, expectAccessible, test } from '../support/test.ts';
import { createFolder, createUserWithZone, fileButton, selectionToolbar } from '../support/zones.ts';

const FILE_COUNT = 10_000;
/** Upper bound for a virtualised grid: the visible rows and some screens above and below. */
const MAX_RENDERED_ITEMS = 250;

/** Scrolls through the whole list in large steps, waiting for items; returns the largest number rendered at a time. */
function scrollThrough(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let maxItems = 0;
        let lastMove = performance.now();
        const scrollStep = () => {
          const previousScroll = scrollY;
          scrollBy(0, innerHeight * 20);
          if (scrollY !== previousScroll) lastMove = performance.now();
          const items = [...document.querySelectorAll('[data-item]')];
          maxItems = Math.max(maxItems, items.length);
          const atEnd = items.some(({ textContent }) => textContent === 'File 10000.txt');
          if (atEnd || performance.now() - lastMove > 20_000) resolve(maxItems);
          else requestAnimationFrame(scrollStep);
        };
        requestAnimationFrame(scrollStep);
      }),
  );
}

test('a user scrolls and selects ten thousand files while only visible ones are rendered', async ({
  page,
  mailbox,
}) => {
  const id = await createUserWithZone(page, mailbox);
  await insertFiles(id, FILE_COUNT);
  await page.goto(`/zones/${id}`);
  await page.getByRole('button', { name: 'List', exact: true }).click();
  await expect(fileButton(page, 'File 00001.txt')).toBeVisible();
  const renderedItems = await scrollThrough(page);
  await expect(fileButton(page, 'File 10000.txt')).toBeVisible();
  expect(renderedItems, 'items in the page at once').toBeLessThanOrEqual(MAX_RENDERED_ITEMS);
  expect(renderedItems, 'items in the page at once').toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Grid', exact: true }).click();
  await expect(page.locator('[data-item]').first()).toBeVisible();
  expect(await page.locator('[data-item]').count(), 'items in the page at once').toBeLessThanOrEqual(
    MAX_RENDERED_ITEMS,
  );

  await page.goto(`/zones/${id}`);
  await fileButton(page, 'File 00001.txt').focus();
  await page.keyboard.press('End');
  await expect(fileButton(page, 'File 10000.txt')).toBeFocused();
  await page.keyboard.press('PageUp');
  await expect(page.locator('[data-item]:focus')).toHaveText(/^File 099[5-9]\d\.txt$/);
  await page.keyboard.press('End');
  await renameFocusedFile(page, 'A file');
  await page.keyboard.press('Home');
  await expect(fileButton(page, 'A file.txt')).toBeFocused();
  await page.keyboard.press('End');
  await expect(fileButton(page, 'File 09999.txt')).toBeFocused();
  await page.keyboard.press('Control+a');
  await expect(selectionToolbar(page)).toContainText('10,000 selected');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(selectionToolbar(page)).toHaveCount(0);
});

test('a link to a file far down a folder shows it, and the reader goes on from there', async ({ page, mailbox }) => {
  const id = await createUserWithZone(page, mailbox);
  await insertFiles(id, FILE_COUNT);
  // The files are rows without content.
  await page.route('**/api/files/*/view', (route) => route.fulfill({ contentType: 'text/plain', body: 'Content' }));
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes(`/api/zones/${id}/files`)) requests.push(request.url());
  });
  await page.goto(`/zones/${id}?item=file-${await fileId(page, id, 7299)}`);
  await expect(fileButton(page, 'File 07300.txt')).toBeFocused();
  expect(requests.length, 'requests for files').toBeLessThanOrEqual(12);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Next File' }).click();
  await expect(page).toHaveURL(`/zones/${id}/files/${await fileId(page, id, 7300)}`);
});

test('Back returns to the folder that was opened, also if the list is loaded again', async ({ page, mailbox }) => {
  const id = await createUserWithZone(page, mailbox);
  for (let number = 10; number < 50; number++) await createFolder(page, id, `Part ${number}`);
  await page.goto(`/zones/${id}`);
  await page.getByRole('button', { name: 'List' }).press('Enter');
  const folder = page.getByRole('link', { name: 'Part 49' });
  await folder.click();
  await expect(page.getByText('This folder is empty')).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await page.locator('input[type=file][multiple]').setInputFiles(textFile('Inner.txt', 'a file'));
  await expect(fileButton(page, 'Inner.txt')).toBeVisible();
  const listRequest = page.waitForRequest(/\/folders\?/);
  await page.goBack();
  await listRequest;
  await expect(folder).toBeFocused();
  await expect(folder).toBeInViewport();
  await page.goForward();
  await expect(fileButton(page, 'Inner.txt')).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
});

async function renameFocusedFile(page: Page, name: string): Promise<void> {
  await page.keyboard.press('F2');
  await page.getByRole('dialog').getByRole('textbox').fill(name);
  await page.keyboard.press('Enter');
  await expect(fileButton(page, `${name}.txt`)).toBeFocused();
}

async function fileId(page: Page, zoneId: number, index: number): Promise<number> {
  const response = await page.request.get(`/api/zones/${zoneId}/files?offset=${index}&limit=1`);
  return ((await response.json()) as { id: number }[])[0]!.id;
}
