import { expect, expectAccessible, expectNoOverflow, register, test } from './support/test.ts';

const shapes = [
  { width: 360, height: 740, scheme: 'light', language: 'en' },
  { width: 360, height: 740, scheme: 'dark', language: 'tr' },
  { width: 1440, height: 900, scheme: 'light', language: 'tr' },
  { width: 1440, height: 900, scheme: 'dark', language: 'en' },
] as const;

const signedOut = [
  '/',
  '/auth',
  '/auth?mode=register',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/nowhere',
];
const signedIn = ['/', '/settings', '/home'];

for (const { width, height, scheme, language } of shapes) {
  test.describe(`${width} px, ${scheme}, ${language}`, () => {
    test.use({ viewport: { width, height }, colorScheme: scheme, locale: language === 'tr' ? 'tr-TR' : 'en-US' });

    const look = async (page: import('@playwright/test').Page, address: string, name: string) => {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('html')).toHaveAttribute('data-theme', scheme);
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await expectNoOverflow(page);
      await expectAccessible(page);
      const file = `${name}${address.replaceAll(/\W+/g, '-')}-${width}-${scheme}-${language}.png`;
      await page.screenshot({ path: test.info().outputPath(file), fullPage: true });
    };

    test('signed out', async ({ page }) => {
      for (const address of signedOut) await look(page, address, 'out');
    });

    test('signed in', async ({ page, mailbox, context }) => {
      await context.setExtraHTTPHeaders({ 'Accept-Language': language });
      await register(page, mailbox);
      for (const address of signedIn) await look(page, address, 'in');
    });
  });
}
