import { company } from './support/server.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './support/test.ts';

const variants = [
  { width: 360, height: 740, scheme: 'light', locale: 'tr-TR', headline: 'Belgelerinizi takipçilerinizle paylaşın' },
  {
    width: 1440,
    height: 900,
    scheme: 'dark',
    locale: 'en-US',
    headline: 'Share your documents with the people who follow you',
  },
] as const;

for (const { width, height, scheme, locale, headline } of variants) {
  test.describe(`${width} px, ${scheme}, ${locale}`, () => {
    test.use({ viewport: { width, height }, colorScheme: scheme, locale });

    test('a visitor sees the product and its tour on the landing page', async ({ page }) => {
      await page.goto('/');
      await expect(page.getByRole('heading', { level: 1, name: headline })).toBeVisible();
      const heroImage = page.locator('.z-hero-shot img');
      await expect.poll(() => heroImage.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
      const imageUrl = await heroImage.evaluate((image: HTMLImageElement) => image.currentSrc);
      expect(imageUrl).toContain(`${width < 600 ? 'phone' : 'wide'}-${locale.slice(0, 2)}-${scheme}`);
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

test('a visitor reads the landing page with operator and figures without JavaScript', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL, locale: 'en-US' });
  const noScriptPage = await context.newPage();
  await noScriptPage.goto('/');
  await expect(noScriptPage.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(noScriptPage.getByRole('link', { name: 'Create Account' })).toBeVisible();
  await expect(noScriptPage.getByRole('region', { name: 'On this site' }).getByRole('definition')).toHaveCount(3);
  const footer = noScriptPage.getByRole('contentinfo');
  await expect(footer).toContainText(company.COMPANY_NAME);
  await expect(footer).toContainText(`Managing director: ${company.COMPANY_DIRECTOR}`);
  await expect(footer.getByRole('link', { name: company.COMPANY_PHONE })).toHaveAttribute('href', 'tel:+903120000000');
  await expect(footer.getByRole('link', { name: 'Contact' })).toHaveAttribute(
    'href',
    `mailto:${company.CONTACT_EMAIL}`,
  );
  await expect(footer.getByRole('link', { name: 'Terms' })).toHaveAttribute('href', company.TERMS_URL);
  await expect(footer.getByRole('link', { name: 'Privacy' })).toHaveAttribute('href', '/privacy');
  await expect(footer.getByRole('combobox')).toHaveCount(0);
  await expect(noScriptPage.getByRole('button', { name: 'Watch Demo' })).toBeHidden();
  await context.close();
});

for (const locale of ['en-US', 'tr-TR']) {
  test.describe(locale, () => {
    test.use({ locale });

    test('a visitor sees the same content after hydration', async ({ page }) => {
      const requestedPaths: string[] = [];
      page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
      await page.goto('/');
      const root = page.locator('#root');
      const prerenderedText = await root.innerText();
      const listLinks = () => root.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      const prerenderedLinks = await listLinks();
      await root.evaluate(({ firstElementChild }) => firstElementChild!.setAttribute('data-prerendered', ''));
      await page.getByRole('contentinfo').getByRole('combobox').first().hover();
      await expect(page.locator('[data-prerendered]')).toHaveCount(0);
      expect(await root.innerText()).toBe(prerenderedText);
      expect(await listLinks()).toEqual(prerenderedLinks);
      expect(prerenderedText).toContain(company.COMPANY_ADDRESS);
      expect(requestedPaths).not.toContain('/api/site');
    });
  });
}

test('a visitor’s press that lasts through hydration counts as a click', async ({ page }) => {
  await page.goto('/');
  const button = page.locator('.z-hero-actions button');
  // The script fetches the session once it runs and then replaces the server-rendered HTML.
  const sessionResponse = page.waitForResponse((response) => response.url().endsWith('/api/session'));
  await button.hover();
  await page.mouse.down();
  await sessionResponse;
  await page.waitForLoadState('networkidle');
  await page.mouse.up();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('a visitor reads to the end without loading the app and then changes language and colours', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
  await page.goto('/');
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.waitForLoadState('networkidle');
  expect(scripts.map((url) => new URL(url).pathname)).toEqual([]);
  await page.getByRole('contentinfo').getByRole('combobox').first().selectOption('tr');
  await expect(page.getByRole('heading', { level: 1, name: variants[0].headline })).toBeVisible();
  await page.getByRole('contentinfo').getByRole('combobox').last().selectOption('dark');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('a visitor with a wrong URL below /zones/ is redirected to sign-in', async ({ page }) => {
  const response = await page.goto('/zones/7/nothing');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Zones can’t be reached this way' })).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
});
