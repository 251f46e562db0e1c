import type { Page } from '@playwright/test';
import { fillZone } from '../support/database.ts';
import { expect, expectAccessible, test } from '../support/test.ts';
import { file, openStudio, selectionBar } from '../support/zones.ts';

const total = 10_000;
/** Screens that are drawn above and below the one that is seen, and what a grid has in them. */
const mostDrawn = 250;

/** Scrolls through the whole list in large steps, waiting for what comes; gives how many items were drawn at most. */
function scrollThrough(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let most = 0;
        let lastMove = performance.now();
        const look = () => {
          const before = scrollY;
          scrollBy(0, innerHeight * 20);
          if (scrollY !== before) lastMove = performance.now();
          const drawn = [...document.querySelectorAll('[data-item]')];
          most = Math.max(most, drawn.length);
          const atEnd = drawn.some(({ textContent }) => textContent === 'File 10000.txt');
          if (atEnd || performance.now() - lastMove > 20_000) resolve(most);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
  );
}

test('ten thousand files are scrolled through and chosen, and only those near the screen are drawn', async ({
  page,
  mailbox,
}) => {
  const id = await openStudio(page, mailbox);
  await fillZone(id, total);
  await page.goto(`/zones/${id}`);
  await page.getByRole('button', { name: 'List', exact: true }).click();
  await expect(file(page, 'File 00001.txt')).toBeVisible();
  const drawn = await scrollThrough(page);
  await expect(file(page, 'File 10000.txt')).toBeVisible();
  expect(drawn, 'items in the page at once').toBeLessThanOrEqual(mostDrawn);
  expect(drawn, 'items in the page at once').toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Grid', exact: true }).click();
  await expect(page.locator('[data-item]').first()).toBeVisible();
  expect(await page.locator('[data-item]').count(), 'items in the page at once').toBeLessThanOrEqual(mostDrawn);

  await page.goto(`/zones/${id}`);
  await file(page, 'File 00001.txt').focus();
  await page.keyboard.press('Control+a');
  await expect(selectionBar(page)).toContainText('10,000 selected');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(selectionBar(page)).toHaveCount(0);
});
