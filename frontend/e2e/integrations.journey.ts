import type { Page } from '@playwright/test';
import { sendOrder, sendSubscription } from './support/deliveries.ts';
import { signInAsSuperAdmin } from './support/super-admin.ts';
import { expect, expectAccessible, expectNoOverflow, newAddress, register, test } from './support/test.ts';
import { call } from './support/zones.ts';

const nextNumber = () => Date.now() * 10 + Math.floor(Math.random() * 10);
const toast = (page: Page) => page.locator('.z-toaster');

async function makeZone(page: Page): Promise<{ id: number; name: string }> {
  const name = `Studio ${nextNumber()}`;
  const { id } = await call<{ id: number }>(page, '/api/zones', { name, type: 'private' });
  return { id, name };
}

async function addMapping(page: Page, productId: number, zone: { id: number; name: string }): Promise<void> {
  await page.getByRole('button', { name: 'Add Mapping' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Mapping' });
  await dialog.getByRole('button', { name: 'Add Mapping' }).click();
  await expect(dialog.getByText('Please fill in all fields')).toHaveCount(3);
  await dialog.getByLabel('Product ID').fill(String(productId));
  await dialog.getByLabel('Product name').fill('Watercolour course');
  await dialog.getByLabel('Zone').fill(zone.name);
  await page.getByRole('option', { name: zone.name }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add Mapping' }).click();
  await expect(toast(page)).toContainText('Product mapping created');
}

test('an admin lets a product open a zone, and sees, replays and takes back what an order did', async ({ page }) => {
  await page.goto('/auth');
  await signInAsSuperAdmin(page);
  const zone = await makeZone(page);
  const productId = nextNumber();
  const email = newAddress('buyer');

  await page.goto('/');
  await page.getByRole('navigation').getByRole('link', { name: 'WooCommerce' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'WooCommerce' })).toBeVisible();
  await addMapping(page, productId, zone);
  const row = page.getByRole('row', { name: new RegExp(String(productId)) });
  await expect(row).toContainText(zone.name);

  expect(await sendOrder(page, { id: productId, email, productId }, 'a wrong secret')).toBe(401);
  expect(await sendOrder(page, { id: productId, email, productId })).toBe(200);

  await page.getByRole('tab', { name: 'Webhook Logs' }).click();
  await expect(page.getByText(/missing or wrong signature/)).toBeVisible();
  await page.getByRole('searchbox', { name: 'Customer, order or subscription' }).fill(email);
  const logged = page.getByRole('row', { name: new RegExp(email) });
  await expect(logged).toContainText('Completed');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expectAccessible(page);

  await logged.getByRole('button', { name: /Show webhook/ }).press('Enter');
  const detail = page.getByRole('dialog', { name: /Webhook \d+/ });
  await expect(detail).toContainText(`"email": "${email}"`);
  await expect(detail.getByRole('listitem')).toContainText(zone.name);
  await expectAccessible(page);
  await detail.getByRole('button', { name: 'Take back' }).click();
  await page
    .getByRole('dialog', { name: /Take back/ })
    .getByRole('button', { name: 'Take back' })
    .click();
  await expect(detail.getByRole('listitem')).toContainText('Taken back');
  await detail.getByRole('button', { name: 'Replay' }).click();
  await expect(toast(page)).toContainText('The webhook is processed once more');
  await expect(detail.getByText('Completed')).toBeVisible();
  await expect(detail.getByRole('listitem')).toContainText('Taken back');
  await page.keyboard.press('Escape');
  await expect(detail).toBeHidden();

  await page.getByRole('tab', { name: 'Product Mappings' }).click();
  await row.getByRole('button', { name: /Delete the mapping/ }).click();
  await expect(row).toBeHidden();
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(row).toContainText(zone.name);
});

test('somebody who is no admin is refused, and nothing of the screens is loaded', async ({ page, mailbox }) => {
  await register(page, mailbox);
  const scripts: string[] = [];
  page.on('request', (request) => void scripts.push(new URL(request.url()).pathname));
  for (const address of ['/woocommerce-admin', '/acedumy-admin', '/stripe-acedumy-admin/info']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1, name: 'You have no access to this page' })).toBeVisible();
    await expect(page.getByRole('navigation').getByRole('link', { name: 'WooCommerce' })).toHaveCount(0);
    await expectAccessible(page);
  }
  expect(scripts.filter((path) => /admin|woocommerce|acedumy/.test(path) && /\.js$|^\/api/.test(path))).toEqual([]);
  const answer = await page.request.get('/api/woocommerce/webhook-logs');
  expect(answer.status()).toBe(403);
});

const shapes = [
  { width: 360, height: 740, scheme: 'light', language: 'en' },
  { width: 360, height: 740, scheme: 'dark', language: 'tr' },
  { width: 1440, height: 900, scheme: 'light', language: 'tr' },
  { width: 1440, height: 900, scheme: 'dark', language: 'en' },
] as const;

const addresses = [
  '/woocommerce-admin',
  '/woocommerce-admin/webhook-logs',
  '/acedumy-admin',
  '/acedumy-admin/info',
  '/stripe-acedumy-admin',
  '/stripe-acedumy-admin/info',
];

for (const { width, height, scheme, language } of shapes) {
  test.describe(`${width} px, ${scheme}, ${language}`, () => {
    test.use({ viewport: { width, height }, colorScheme: scheme, locale: language === 'tr' ? 'tr-TR' : 'en-US' });

    test('every screen is whole', async ({ page }) => {
      await signInAsSuperAdmin(page);
      const zone = await makeZone(page);
      const productId = nextNumber();
      const mapping = { productId: String(productId), productName: 'Watercolour course', zoneId: zone.id };
      await call(page, '/api/woocommerce/product-mappings', mapping);
      expect(await sendOrder(page, { id: productId, email: newAddress('buyer'), productId })).toBe(200);
      await sendSubscription(page, `sub_${productId}`, newAddress('reader'));
      await page.addInitScript((chosen) => localStorage.setItem('zonary.language', chosen), language);
      for (const address of addresses) {
        await page.goto(address);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        await expectNoOverflow(page);
        await expectAccessible(page);
        const file = `${address.replaceAll(/\W+/g, '-')}-${width}-${scheme}-${language}.png`;
        await page.screenshot({ path: test.info().outputPath(file), fullPage: true });
      }
    });
  });
}
