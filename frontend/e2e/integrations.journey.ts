import type { Page } from '@playwright/test';
import { secrets, sendOrder, sendStripeSubscription, sendSubscription } from './support/deliveries.ts';
import type { Mailbox } from './support/mailbox.ts';
import { browserOf, nameOf, shapes } from './support/shapes.ts';
import { premiumZone, signInAsSuperAdmin } from './support/super-admin.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  keepPicture,
  newAddress,
  newPerson,
  register,
  test,
} from './support/test.ts';
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

test('an admin lets a product open a zone, and sees, replays and takes back what an order did', async ({
  page,
  mailbox,
}) => {
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
  await expectAccessible(page);

  await logged.getByRole('button', { name: /Show webhook/ }).press('Enter');
  const detail = page.getByRole('dialog', { name: /Webhook \d+/ });
  await expect(detail).toContainText(`"email": "${email}"`);
  await expect(detail.getByRole('listitem')).toContainText(zone.name);
  await expectAccessible(page);
  await detail.getByRole('button', { name: 'Revoke' }).click();
  await page
    .getByRole('dialog', { name: /Revoke access/ })
    .getByRole('button', { name: 'Revoke' })
    .click();
  await expect(detail.getByRole('listitem')).toContainText('Revoked');
  await detail.getByRole('button', { name: 'Replay' }).click();
  await expect(toast(page)).toContainText('The webhook is being processed again');
  await expect(detail.getByRole('alert')).toContainText('it was revoked manually');
  await expect(detail.getByText('Completed', { exact: true })).toBeVisible();
  await expect(detail.getByRole('listitem')).toContainText('Revoked');
  await detail.getByRole('button', { name: 'Restore' }).click();
  await expect(toast(page)).toContainText('Access restored');
  await expect(detail.getByRole('listitem')).toContainText('Active');
  await expectAccessible(page);
  await detail.getByRole('button', { name: 'Close' }).click();
  await expect(detail).toBeHidden();

  await page.getByRole('tab', { name: 'Product Mappings' }).click();
  await row.getByRole('button', { name: /Delete the mapping/ }).click();
  await expect(row).toBeHidden();
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(row).toContainText(zone.name);
});

/** A browser of its own, as of somebody else. */
async function elsewhere(page: Page): Promise<Page> {
  const context = await page.context().browser()!.newContext({ baseURL: test.info().project.use.baseURL });
  return context.newPage();
}

/** Signs a new customer in by the mail, through a password and a profile of their own. */
async function comeIn(page: Page, mailbox: Mailbox, email: string): Promise<void> {
  const { text } = await mailbox.newest(email);
  await page.goto(/https?:\/\/\S+\/auth\?\S+/.exec(text)![0]);
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByLabel('Password', { exact: true }).fill(/temporary password (\S+)/.exec(text)![1]!);
  await page.keyboard.press('Enter');
  const person = newPerson('Nur', 'Ak');
  await expect(page.getByLabel('First name')).toHaveValue('Nur');
  await page.getByLabel('Username').fill(person.username);
  await page.getByLabel('New password').fill(person.password);
  await page.getByLabel('Confirm password').fill(person.password);
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await expect(page.getByText('Profile Completed!')).toBeVisible();
}

const sharedZone = (page: Page, name: string) => page.getByRole('link', { name });

test('an order opens its zone to a new customer, and its refund closes it', async ({ page, mailbox }) => {
  await signInAsSuperAdmin(page);
  const zone = await makeZone(page, mailbox);
  const [id, productId, email] = [nextNumber(), nextNumber(), newAddress('buyer')];
  const mapping = { productId: String(productId), productName: 'Watercolour course', zoneId: zone.id };
  await call(page, '/api/woocommerce/product-mappings', mapping);
  expect(await sendOrder(page, { id, email, productId })).toBe(200);

  const customer = await elsewhere(page);
  await comeIn(customer, mailbox, email);
  await customer.goto('/shared-zones');
  await sharedZone(customer, zone.name).click();
  await expect(customer).toHaveURL(`/zones/${zone.id}`);
  await expect(customer.getByRole('heading', { level: 1, name: zone.name })).toBeVisible();

  expect(await sendOrder(page, { id, email, productId, status: 'refunded' })).toBe(200);
  await page.goto(`/woocommerce-admin/webhook-logs`);
  await page.getByRole('searchbox').fill(email);
  await expect(page.getByRole('row', { name: /Completed/ })).toHaveCount(2);
  await customer.goto('/shared-zones');
  await expect(customer.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(sharedZone(customer, zone.name)).toHaveCount(0);
  await customer.goto(`/zones/${zone.id}`);
  await expect(customer.getByText('Zone not found')).toBeVisible();
  await customer.context().close();
});

test('a subscription to the premium service opens its zone, and closes it when it expires', async ({
  page,
  mailbox,
}) => {
  await signInAsSuperAdmin(page);
  const [subscriptionId, email] = [`sub_${nextNumber()}`, newAddress('reader')];
  await page.goto('/acedumy-admin/info');
  await expect(page.getByText(`${premiumZone} (1)`)).toBeVisible();
  const address = `${test.info().project.use.baseURL!}/api/webhooks/acedumy`;
  await expect(page.getByRole('textbox', { name: 'Webhook URL' })).toHaveValue(address);
  await expect(page.getByText('ACEDUMY_WEBHOOK_SECRET', { exact: true })).toBeVisible();
  await expect(page.getByText(secrets.ACEDUMY_WEBHOOK_SECRET)).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expectAccessible(page);

  await sendSubscription(page, subscriptionId, email);
  await page.getByRole('tab', { name: 'Logs' }).click();
  await page.getByRole('searchbox').fill(email);
  const created = page.getByRole('row', { name: /subscription\.created/ });
  await expect(created).toContainText('Completed');
  await expect(created).toContainText(`${premiumZone} (ID 1)`);
  await created.getByRole('button', { name: /Show webhook/ }).click();
  const detail = page.getByRole('dialog', { name: /Webhook \d+/ });
  await expect(detail.getByRole('listitem')).toContainText('Active');
  await detail.getByRole('button', { name: 'Close' }).click();

  const customer = await elsewhere(page);
  await comeIn(customer, mailbox, email);
  await customer.goto('/shared-zones');
  await sharedZone(customer, premiumZone).click();
  await expect(customer.getByRole('heading', { level: 1, name: premiumZone })).toBeVisible();

  await sendSubscription(page, subscriptionId, email, 'subscription.expired');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByRole('row', { name: /subscription\.expired/ })).toContainText('Completed');
  await customer.goto('/zones/1');
  await expect(customer.getByText('Zone not found')).toBeVisible();
  await customer.context().close();
});

test('what Stripe tells of the premium service opens and closes it too, and says what it could not do', async ({
  page,
}) => {
  await signInAsSuperAdmin(page);
  const [subscriptionId, email] = [`sub_${nextNumber()}`, newAddress('reader')];
  await sendStripeSubscription(page, { subscriptionId, email });
  await page.goto('/stripe-acedumy-admin');
  await expect(page.getByRole('heading', { level: 1, name: 'Stripe to AcEdumy' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Customer, order or subscription' }).fill(email);
  const created = page.getByRole('row', { name: /subscription\.created/ });
  await expect(created).toContainText('Yearly TRY');
  await expect(created).toContainText('Completed');
  await sendStripeSubscription(page, { subscriptionId, email, type: 'deleted' });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page
    .getByRole('row', { name: /subscription\.deleted/ })
    .getByRole('button', { name: /Show webhook/ })
    .click();
  const detail = page.getByRole('dialog', { name: /Webhook \d+/ });
  await expect(detail.getByRole('listitem')).toContainText('Revoked');
  await expect(detail).toContainText('price_premium_yearly_try');
  await expectAccessible(page);
  await detail.getByRole('button', { name: 'Close' }).click();

  const nobody = `sub_${nextNumber()}`;
  await sendStripeSubscription(page, { subscriptionId: nobody, email: null });
  await page.getByRole('searchbox', { name: 'Customer, order or subscription' }).fill(nobody);
  const failed = page.getByRole('row', { name: new RegExp(nobody) });
  await expect(failed).toContainText('Failed');
  await failed.getByRole('button', { name: /Show webhook/ }).click();
  await expect(detail.getByRole('alert')).toContainText(
    'The webhook has no valid email address (data.object.customer.email).',
  );
  await detail.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('tab', { name: 'Integration Info' }).click();
  await expect(page.getByText('STRIPE_ACEDUMY_WEBHOOK_SECRET', { exact: true })).toBeVisible();
  await expect(page.getByText('customer.subscription.created', { exact: true })).toBeVisible();
});

test('somebody who is no admin is refused, and nothing of the screens is loaded', async ({ page, mailbox }) => {
  await register(page, mailbox);
  const scripts: string[] = [];
  page.on('request', (request) => void scripts.push(new URL(request.url()).pathname));
  for (const address of ['/woocommerce-admin', '/acedumy-admin', '/stripe-acedumy-admin/info']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1, name: 'You don’t have access to this page' })).toBeVisible();
    await expect(page.getByRole('navigation').getByRole('link', { name: 'WooCommerce' })).toHaveCount(0);
    await expectAccessible(page);
  }
  expect(scripts.filter((path) => /admin|woocommerce|acedumy/.test(path) && /\.js$|^\/api/.test(path))).toEqual([]);
  const answer = await page.request.get('/api/woocommerce/webhook-logs');
  expect(answer.status()).toBe(403);
});

const addresses = [
  '/woocommerce-admin',
  '/woocommerce-admin/webhook-logs',
  '/acedumy-admin',
  '/acedumy-admin/info',
  '/stripe-acedumy-admin',
  '/stripe-acedumy-admin/info',
];

for (const shape of shapes) {
  test.describe(nameOf(shape), () => {
    test.use(browserOf(shape));

    test('every screen is whole', async ({ page, mailbox }) => {
      await signInAsSuperAdmin(page);
      const zone = await makeZone(page, mailbox);
      const productId = nextNumber();
      const mapping = { productId: String(productId), productName: 'Watercolour course', zoneId: zone.id };
      await call(page, '/api/woocommerce/product-mappings', mapping);
      expect(await sendOrder(page, { id: productId, email: newAddress('buyer'), productId })).toBe(200);
      await sendSubscription(page, `sub_${productId}`, newAddress('reader'));
      await sendStripeSubscription(page, { subscriptionId: `sub_${productId}`, email: newAddress('reader') });
      // As chosen in this browser, against the setting, which others use meanwhile.
      await page.addInitScript((chosen) => {
        localStorage.setItem('zonary.language', chosen);
        localStorage.setItem('zonary.languageOverrules', 'en');
      }, shape.language);
      const shoot = async (name: string) => {
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        await expectNoOverflow(page);
        await expectAccessible(page);
        await keepPicture(
          page,
          `${name.replaceAll(/\W+/g, '-')}-${shape.width}-${shape.language}.png`,
          name !== 'drawer',
        );
      };
      for (const address of addresses) {
        await page.goto(address);
        await expect(page.locator('h1')).toHaveCount(1);
        await expect(page.locator('html')).toHaveAttribute('lang', shape.language);
        await shoot(address);
        if (!address.endsWith('webhook-logs')) continue;
        await page
          .getByRole('button', { name: /webhook.*\d|\d.*webhook/i })
          .first()
          .click();
        await expect(page.getByRole('dialog').locator('pre')).toBeVisible();
        await shoot('drawer');
      }
    });
  });
}
