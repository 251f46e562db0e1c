import { toBrowserOptions, describeVariant, displayVariants } from './support/display-variants.ts';
import { expect, expectAccessible, expectNoOverflow, saveScreenshot, registerUser, test } from './support/test.ts';

const signedOutPaths = [
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
const signedInPaths = ['/', '/feature-suggestions', '/settings', '/home'];

for (const variant of displayVariants) {
  const { width, scheme, language } = variant;
  test.describe(describeVariant(variant), () => {
    test.use(toBrowserOptions(variant));

    const checkScreen = async (page: import('@playwright/test').Page, address: string, name: string) => {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('html')).toHaveAttribute('data-theme', scheme);
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await expectNoOverflow(page);
      await expectAccessible(page);
      const file = `${name}${address.replaceAll(/\W+/g, '-')}-${width}-${scheme}-${language}.png`;
      await saveScreenshot(page, file, true);
    };

    test('signed-out pages fit the screen and are accessible', async ({ page }) => {
      for (const address of signedOutPaths) await checkScreen(page, address, 'out');
    });

    test('signed-in pages fit the screen and are accessible', async ({ page, mailbox, context }) => {
      await context.setExtraHTTPHeaders({ 'Accept-Language': language });
      await registerUser(page, mailbox);
      for (const address of signedInPaths) await checkScreen(page, address, 'in');
    });
  });
}
