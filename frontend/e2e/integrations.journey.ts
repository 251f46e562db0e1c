import type { Page } from '@playwright/test';
import { sendOrder } from './support/deliveries.ts';
import type { Mailbox } from './support/mailbox.ts';
import { signInAsSuperAdmin } from './support/super-admin.ts';
import { expect, expectAccessible, newAddress, register, test } from './support/test.ts';
import { call } from './support/zones.ts';

const nextNumber = () => Date.now() * 10 + Math.floor(Math.random() * 10);
const toast = (page: Page) => page.locator('.z-toaster');

/** A zone of somebody new, whose browser is another one. */
async function makeZone(page: Page, mailbox: Mailbox): Promise<{ id: number; name: string }> {
  const name = `Studio ${nextNumber()}`;
  const context = await page.context().browser()!.newContext({ baseURL: test.info().project.use.baseURL });
  const owner = await context.newPage();
  await register(owner, mailbox);
  const { id } = await call<{ id: number }>(owner, '/api/zones', { name, type: 'private' });
  await context.close();
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

test('an admin lets a product open a zone, and sees the order that came', async ({ page, mailbox }) => {
  await signInAsSuperAdmin(page);
  const zone = await makeZone(page, mailbox);
  const productId = nextNumber();
  const email = newAddress('buyer');

  await page.goto('/woocommerce-admin');
  await expect(page.getByRole('navigation').getByRole('link', { name: 'WooCommerce' })).toBeVisible();
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
