import { expect, expectAccessible, expectNoOverflow, test } from './support/test.ts';

const shapes = [
  { width: 360, height: 740, scheme: 'light', locale: 'tr-TR', headline: 'Belgelerinizi sizi izleyenlerle paylaşın' },
  {
    width: 1440,
    height: 900,
    scheme: 'dark',
    locale: 'en-US',
    headline: 'Share your documents with the people who follow you',
  },
] as const;

for (const { width, height, scheme, locale, headline } of shapes) {
  test.describe(`${width} px, ${scheme}, ${locale}`, () => {
    test.use({ viewport: { width, height }, colorScheme: scheme, locale });

    test('the landing page shows the product and its tour', async ({ page }) => {
      await page.goto('/');
      await expect(page.getByRole('heading', { level: 1, name: headline })).toBeVisible();
      const shot = page.locator('.z-hero-shot img');
      await expect.poll(() => shot.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
      const shown = await shot.evaluate((image: HTMLImageElement) => image.currentSrc);
      expect(shown).toContain(`${width < 600 ? 'phone' : 'wide'}-${locale.slice(0, 2)}-${scheme}`);
      await page.locator('.z-hero-actions button').click();
      const tour = page.getByRole('dialog');
      await expect(tour).toBeVisible();
      await page.keyboard.press('ArrowRight');
      await expect(tour.getByText(/^2 (of|\/) 5$/)).toBeVisible();
      await expect
        .poll(() => tour.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0);
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await expect(tour).toHaveCount(0);
      await expect(page.locator('.z-hero-actions button')).toBeFocused();
      await expectNoOverflow(page);
      await expectAccessible(page);
    });
  });
}

test('can be read before any program has loaded, and stays where it is when it has', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL, locale: 'en-US' });
  const silent = await context.newPage();
  await silent.goto('/');
  await expect(silent.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(silent.getByRole('link', { name: 'Create Account' })).toBeVisible();
  await context.close();
});

test('a wrong address under zones leads on by itself', async ({ page }) => {
  const answer = await page.goto('/zones/7/nothing');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Zones cannot be reached this way' })).toBeVisible();
  await expect(page).toHaveURL(/\/login$/, { timeout: 6000 });
});
