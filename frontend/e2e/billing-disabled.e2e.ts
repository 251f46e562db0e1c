import type { Page } from '@playwright/test';
import { startUnconfiguredServer } from './support/server.ts';
import { toBrowserOptions, describeVariant, displayVariants } from './support/display-variants.ts';
import { expect, expectAccessible, expectNoOverflow, saveScreenshot, uniqueEmail, test } from './support/test.ts';

const texts = {
  en: {
    own: 'My own audience',
    plan: 'Plan for new accounts',
    save: 'Save Changes',
    saved: 'Site settings saved',
    notFound: 'Page not found',
    upgrade: 'Upgrade Plan',
    largest: 'Enterprise',
  },
  tr: {
    own: 'Kendi takipçilerim',
    plan: 'Yeni hesapların planı',
    save: 'Değişiklikleri Kaydet',
    saved: 'Site ayarları kaydedildi',
    notFound: 'Sayfa bulunamadı',
    upgrade: 'Planı Yükselt',
    largest: 'Kurumsal',
  },
};
type Labels = (typeof texts)['en' | 'tr'];
type Server = Awaited<ReturnType<typeof startUnconfiguredServer>>;
type CheckScreen = (name: string) => Promise<void>;

/** Sets up the super admin with the printed key. */
async function completeSetup(page: Page, server: Server, language: string): Promise<void> {
  const findSetupKey = () => /\/setup\?key=(\S+)/.exec(server.readOutput())?.[1];
  await expect.poll(findSetupKey, { message: 'the address of the setup is printed' }).toBeDefined();
  const user = { email: uniqueEmail('deniz.acar'), firstName: 'Deniz', lastName: 'Acar', username: 'deniz_acar' };
  const data = { ...user, key: findSetupKey(), password: 'correct horse battery' };
  const headers = { origin: server.url, 'accept-language': language };
  expect((await page.request.post(`${server.url}/api/setup`, { headers, data })).status()).toBe(201);
}

/** Fetches the site's data. The browser caches the response for a minute. */
const isBillingEnabled = (page: Page): Promise<boolean> =>
  page.evaluate(async () => ((await (await fetch('/api/site')).json()) as { sells: boolean }).sells);

/** The super admin has no plan limits. */
async function createZone(page: Page, { url }: Server, name: string): Promise<void> {
  const request = { headers: { origin: url }, data: { name, type: 'private' } };
  expect((await page.request.post(`${url}/api/zones`, request)).status()).toBe(201);
}

async function chooseOwnAudience(page: Page, { url }: Server, labels: Labels, checkScreen: CheckScreen): Promise<void> {
  await page.goto(`${url}/admin/installation`);
  const plan = page.getByRole('combobox', { name: labels.plan });
  await expect(plan).toBeVisible();
  await checkScreen('purpose');
  await page.getByRole('radio', { name: new RegExp(`^${labels.own}`) }).check();
  await expect(plan).toHaveCount(0);
  await page.getByRole('button', { name: labels.save }).click();
  await expect(page.locator('.z-toaster')).toContainText(labels.saved);
  await checkScreen('purpose-own');
}

/** Neither signed-in nor signed-out users see links to plans. */
async function expectBillingHidden(
  page: Page,
  { url }: Server,
  labels: Labels,
  checkScreen: CheckScreen,
): Promise<void> {
  const expectNoPricingLinks = () => expect(page.locator('a[href*="/pricing"]')).toHaveCount(0);
  for (const path of ['/privacy', '/zones', '/settings', '/home']) {
    await page.goto(url + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectNoPricingLinks();
    await expect(page.getByText(labels.upgrade)).toHaveCount(0);
    await expect(page.getByText(labels.largest, { exact: true })).toHaveCount(0);
  }
  expect((await page.goto(`${url}/pricing`))!.status()).toBe(404);
  await expect(page.getByRole('heading', { name: labels.notFound })).toBeVisible();
  await page.context().clearCookies();
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectNoPricingLinks();
  await expect(page.getByText('$')).toHaveCount(0);
  await checkScreen('landing-own');
}

for (const variant of displayVariants) {
  const { width, scheme, language } = variant;
  test.describe(describeVariant(variant), () => {
    test.use(toBrowserOptions(variant));

    let server: Server;
    test.beforeAll(async () => {
      test.setTimeout(300_000);
      server = await startUnconfiguredServer();
    });
    test.afterAll(() => server.stop());

    test('a super admin has no limits and turns billing off by choosing an audience of their own', async ({ page }) => {
      const labels = texts[language];
      const checkScreen: CheckScreen = async (name) => {
        await expectNoOverflow(page);
        await expectAccessible(page);
        await saveScreenshot(page, `${name}-${width}-${scheme}-${language}.png`, true);
      };
      await completeSetup(page, server, language);
      await createZone(page, server, 'First');
      await createZone(page, server, 'Second');
      await page.goto(`${server.url}/zones`);
      expect(await isBillingEnabled(page)).toBe(true);
      await chooseOwnAudience(page, server, labels, checkScreen);
      await expect.poll(() => isBillingEnabled(page)).toBe(false);
      await expectBillingHidden(page, server, labels, checkScreen);
    });
  });
}
