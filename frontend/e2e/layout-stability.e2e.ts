import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoOverflow, saveScreenshot, test } from './support/test.ts';
import { postApi, createUserWithZone, uploadFiles } from './support/zones.ts';

const textFile = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`${name}\n`.repeat(40)) });

/** Adds up layout shifts (Layout Instability API) from the start of each page. */
async function observeLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { shifts: { sum: 0, seen } });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node?: Node }[];
      })[]) {
        if (entry.hadRecentInput) continue;
        (window as never as { shifts: { sum: number } }).shifts.sum += entry.value;
        const names = entry.sources.map(({ node }) => (node as Element | undefined)?.textContent?.slice(0, 40));
        seen.push(`${entry.value.toFixed(4)}: ${names.join(' | ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

const getLayoutShifts = (page: Page) =>
  page.evaluate(() => (window as never as { shifts: { sum: number; seen: string[] } }).shifts);

for (const [width, height] of [
  [1440, 900],
  [360, 740],
] as const) {
  test(`the dashboard loads without layout shifts at ${width} px`, async ({ page, mailbox }) => {
    await page.setViewportSize({ width, height });
    const zone = await createUserWithZone(page, mailbox);
    await uploadFiles(page, zone, [textFile('Notes.txt'), textFile('List.txt')]);
    await observeLayoutShifts(page);
    for (let load = 0; load < 2; load++) {
      await page.goto('/');
      await expect(page.getByRole('region', { name: 'Recent zones' }).getByText('Studio')).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await page.waitForLoadState('networkidle');
      const { sum, seen } = await getLayoutShifts(page);
      expect(sum, seen.join('\n')).toBeLessThan(0.02);
    }
    await saveScreenshot(page, `dashboard-${width}.png`);
  });
}

test('the composer does not shift when it saves and keeps its send bar in view', async ({ page, mailbox }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await createUserWithZone(page, mailbox);
  await page.goto('/campaigns/new');
  const sendButton = page.getByRole('button', { name: 'Put Campaign on Hold' });
  await expect(sendButton).toBeInViewport({ ratio: 1 });
  const subjectField = page.getByLabel('Subject line');
  const initialTop = (await subjectField.boundingBox())!.y;
  await page.getByLabel('Zone', { exact: true }).selectOption({ label: 'Studio' });
  await subjectField.fill('Spring');
  await page.getByRole('textbox', { name: 'Text of the email' }).click();
  for (let line = 0; line < 40; line++) await page.keyboard.insertText(`Line ${line}\n`);
  await expect(page.getByRole('status').filter({ hasText: 'Draft saved' })).toBeVisible();
  await expect(sendButton).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
  await saveScreenshot(page, 'composer.png');
  await page.evaluate(() => scrollTo(0, 0));
  expect((await subjectField.boundingBox())!.y).toBe(initialTop);
  await expect(sendButton).toBeInViewport({ ratio: 1 });
});

test('a user reaches the zone settings on a phone', async ({ page, mailbox }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const zone = await createUserWithZone(page, mailbox);
  await page.goto(`/zones/${zone}`);
  const settingsTab = page.getByRole('tab', { name: 'Settings' });
  await expect(page.getByRole('tab', { name: 'Files' })).toBeVisible();
  await saveScreenshot(page, 'tabs-before.png');
  // The scroll button moves by the visible width.
  await page.locator('.MuiTabScrollButton-root').last().click();
  await expect(settingsTab).toBeInViewport({ ratio: 1 });
  await settingsTab.click();
  await expect(page).toHaveURL(`/zones/${zone}/settings`);
  await expect(settingsTab).toBeInViewport({ ratio: 1 });
  await saveScreenshot(page, 'tabs-after.png');
  await expectNoOverflow(page);
  await expectAccessible(page);
});

test.describe('in Turkish', () => {
  test.use({ locale: 'tr-TR', viewport: { width: 1440, height: 900 } });

  /** Buttons whose label wraps or overflows. */
  const findOverflowingButtons = (page: Page) =>
    page.locator('main :is(button, a.MuiButton-root), header :is(button, a)').evaluateAll((buttons) =>
      buttons
        .filter((button) => button.checkVisibility() && button.matches('.MuiButton-root, .MuiToggleButton-root'))
        .filter((button) => button.clientHeight > 44 || button.scrollWidth > button.clientWidth + 1)
        .map((button) => button.textContent),
    );

  test('the open tab of a zone is in view on a phone', async ({ page, mailbox, context }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await context.setExtraHTTPHeaders({ 'Accept-Language': 'tr' });
    const zone = await createUserWithZone(page, mailbox);
    for (const [part, name] of [
      ['/settings', 'Ayarlar'],
      ['/campaigns', 'Kampanyalar'],
      ['', 'Dosyalar'],
    ] as const) {
      await page.goto(`/zones/${zone}${part}`);
      const tab = page.getByRole('tab', { name, selected: true });
      await expect(tab).toBeInViewport({ ratio: 1 });
      const scroller = (await page.locator('.MuiTabs-scroller').boundingBox())!;
      // Nothing is reserved for a scroll button that isn't shown.
      expect(scroller.x).toBe(16);
      await expect
        .poll(async () => {
          const { x, width } = (await tab.boundingBox())!;
          return x >= scroller.x && x + width <= scroller.x + scroller.width;
        })
        .toBe(true);
    }
    await expectNoOverflow(page);
    await expectAccessible(page);
  });

  test('the labels of buttons fit', async ({ page, mailbox, context }) => {
    await context.setExtraHTTPHeaders({ 'Accept-Language': 'tr' });
    const zone = await createUserWithZone(page, mailbox);
    await uploadFiles(page, zone, [textFile('Notlar.txt')]);
    const { id } = await postApi<{ id: number }>(page, '/api/campaigns', {
      zoneId: zone,
      name: 'Bahar',
      subject: 'Bahar',
      htmlContent: '<p>Merhaba</p>',
      targetAudience: 'all',
    });
    const addresses = [
      ...['/', '/zones', '/files', '/members', '/campaigns', `/campaigns/${id}`, '/analytics', '/settings'],
      ...['', '/members', '/share', '/campaigns', '/settings'].map((part) => `/zones/${zone}${part}`),
    ];
    for (const address of addresses) {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      expect(await findOverflowingButtons(page), address).toEqual([]);
      await saveScreenshot(page, `tr${address.replaceAll(/\W+/g, '-')}.png`);
    }
  });
});
