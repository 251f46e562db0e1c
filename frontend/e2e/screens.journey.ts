import { browserOf, nameOf, shapes } from './support/shapes.ts';
import { expect, expectAccessible, expectNoOverflow, keepPicture, register, test } from './support/test.ts';

const signedOut = [
  '/',
  '/auth',
  '/auth?mode=register',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/terms',
  '/privacy',
  '/nowhere',
];
const signedIn = ['/', '/feature-suggestions', '/settings', '/home'];

for (const shape of shapes) {
  const { width, scheme, language } = shape;
  test.describe(nameOf(shape), () => {
    test.use(browserOf(shape));

    const look = async (page: import('@playwright/test').Page, address: string, name: string) => {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('html')).toHaveAttribute('data-theme', scheme);
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await expectNoOverflow(page);
      await expectAccessible(page);
      const file = `${name}${address.replaceAll(/\W+/g, '-')}-${width}-${scheme}-${language}.png`;
      await keepPicture(page, file, true);
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
