import type { Page } from '@playwright/test';
import { startNewProduct } from './support/server.ts';
import { browserOf, nameOf, shapes } from './support/shapes.ts';
import { expect, expectAccessible, expectNoOverflow, keepPicture, newAddress, test } from './support/test.ts';

const texts = {
  en: {
    ...{ own: 'My own audience', plan: 'Plan of new accounts', save: 'Save Changes' },
    ...{ saved: 'Site settings saved', gone: 'Page not found', upgrade: 'Upgrade Plan', largest: 'Enterprise' },
  },
  tr: {
    ...{ own: 'Kendi takipçilerim', plan: 'Yeni hesapların planı', save: 'Değişiklikleri Kaydet' },
    ...{ saved: 'Site ayarları kaydedildi', gone: 'Sayfa bulunamadı', upgrade: 'Planı Yükselt', largest: 'Kurumsal' },
  },
};
type Words = (typeof texts)['en' | 'tr'];
type Product = Awaited<ReturnType<typeof startNewProduct>>;
type Look = (name: string) => Promise<void>;

/** The super admin, by the printed key. */
async function setUp(page: Page, product: Product, language: string): Promise<void> {
  const printed = () => /\/setup\?key=(\S+)/.exec(product.printed())?.[1];
  await expect.poll(printed, { message: 'the address of the setup is printed' }).toBeDefined();
  const person = { email: newAddress('deniz.acar'), firstName: 'Deniz', lastName: 'Acar', username: 'deniz_acar' };
  const data = { ...person, key: printed(), password: 'correct horse battery' };
  const headers = { origin: product.url, 'accept-language': language };
  expect((await page.request.post(`${product.url}/api/setup`, { headers, data })).status()).toBe(201);
}

/** What pages of this browser are told, which keeps the answer for a minute. */
const sells = (page: Page): Promise<boolean> =>
  page.evaluate(async () => ((await (await fetch('/api/site')).json()) as { sells: boolean }).sells);

/** The limits of a plan don't apply to the super admin. */
async function createZone(page: Page, { url }: Product, name: string): Promise<void> {
  const request = { headers: { origin: url }, data: { name, type: 'private' } };
  expect((await page.request.post(`${url}/api/zones`, request)).status()).toBe(201);
}

async function chooseOwnAudience(page: Page, { url }: Product, words: Words, look: Look): Promise<void> {
  await page.goto(`${url}/admin/installation`);
  const plan = page.getByRole('combobox', { name: words.plan });
  await expect(plan).toBeVisible();
  await look('purpose');
  await page.getByRole('radio', { name: new RegExp(`^${words.own}`) }).check();
  await expect(plan).toHaveCount(0);
  await page.getByRole('button', { name: words.save }).click();
  await expect(page.locator('.z-toaster')).toContainText(words.saved);
  await look('purpose-own');
}

/** Nobody is led to a plan, signed in or not. */
async function isUnsold(page: Page, { url }: Product, words: Words, look: Look): Promise<void> {
  const nothing = () => expect(page.locator('a[href*="/pricing"]')).toHaveCount(0);
  for (const path of ['/privacy', '/zones', '/settings', '/home']) {
    await page.goto(url + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await nothing();
    await expect(page.getByText(words.upgrade)).toHaveCount(0);
    await expect(page.getByText(words.largest, { exact: true })).toHaveCount(0);
  }
  expect((await page.goto(`${url}/pricing`))!.status()).toBe(404);
  await expect(page.getByRole('heading', { name: words.gone })).toBeVisible();
  await page.context().clearCookies();
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await nothing();
  await expect(page.getByText('$')).toHaveCount(0);
  await look('landing-own');
}

for (const shape of shapes) {
  const { width, scheme, language } = shape;
  test.describe(nameOf(shape), () => {
    test.use(browserOf(shape));

    let product: Product;
    test.beforeAll(async () => {
      test.setTimeout(300_000);
      product = await startNewProduct();
    });
    test.afterAll(() => product.stop());

    test('a super admin meets no limit and chooses an audience of their own, where nothing is offered', async ({
      page,
    }) => {
      const words = texts[language];
      const look: Look = async (name) => {
        await expectNoOverflow(page);
        await expectAccessible(page);
        await keepPicture(page, `${name}-${width}-${scheme}-${language}.png`, true);
      };
      await setUp(page, product, language);
      await createZone(page, product, 'First');
      await createZone(page, product, 'Second');
      await page.goto(`${product.url}/zones`);
      expect(await sells(page)).toBe(true);
      await chooseOwnAudience(page, product, words, look);
      await expect.poll(() => sells(page)).toBe(false);
      await isUnsold(page, product, words, look);
    });
  });
}
