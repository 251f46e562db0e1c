import { toBrowserOptions, describeVariant, displayVariants, type DisplayVariant } from './support/display-variants.ts';
import { signInAsSuperAdmin } from './support/super-admin.ts';
import { expect, expectAccessible, expectNoOverflow, saveScreenshot, test } from './support/test.ts';

const imprintLabels = { en: 'Imprint', tr: 'Künye' };
const address = 'https://zones.example/register';

test('an admin publishes an imprint page and removes it by clearing its text', async ({ page, browser }) => {
  /** Checks the imprint as a signed-out visitor with this display. */
  async function checkImprint(variant: DisplayVariant): Promise<void> {
    const { baseURL } = test.info().project.use;
    const context = await browser.newContext({ baseURL, ...toBrowserOptions(variant) });
    const visitorPage = await context.newPage();
    await visitorPage.goto('/home');
    await visitorPage.getByRole('contentinfo').getByRole('link', { name: imprintLabels[variant.language] }).click();
    await expect(visitorPage.getByRole('heading', { level: 1, name: imprintLabels[variant.language] })).toBeVisible();
    await expect(visitorPage.getByRole('link', { name: address })).toHaveAttribute('href', address);
    expect((await visitorPage.goto('/imprint'))!.status()).toBe(200);
    await expect(visitorPage.getByText('Sample & Daughters Ltd').first()).toBeVisible();
    await expectNoOverflow(visitorPage);
    await expectAccessible(visitorPage);
    await saveScreenshot(visitorPage, `imprint-${describeVariant(variant).replaceAll(/\W+/g, '-')}.png`, true);
    await context.close();
  }
  const saveSettings = async () => {
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.locator('.z-toaster')).toContainText('Site settings saved');
  };

  expect((await page.request.get('/imprint')).status()).toBe(404);
  await signInAsSuperAdmin(page);
  await page.goto('/admin/installation');
  await page.getByText('Or write your imprint here').click();
  const imprintField = page.getByRole('textbox', { name: /^Imprint in English/ });
  await imprintField.fill(`Sample & Daughters Ltd\nSample Street 1\n\nRegistered at ${address}.`);
  await expectNoOverflow(page);
  await expectAccessible(page);
  await saveScreenshot(page, 'installation-legal.png', true);
  await saveSettings();
  for (const variant of displayVariants) await checkImprint(variant);
  await imprintField.fill('');
  await saveSettings();
  await expect.poll(async () => (await page.request.get('/imprint')).status()).toBe(404);
});
