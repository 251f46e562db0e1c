import type { Page } from '@playwright/test';
import { webhookSecrets, sendOrder, sendStripeSubscription, sendSubscription } from './support/webhook-deliveries.ts';
import type { Mailbox } from './support/mailbox.ts';
import { toBrowserOptions, describeVariant, displayVariants } from './support/display-variants.ts';
import { premiumZoneName, signInAsSuperAdmin } from './support/super-admin.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  saveScreenshot,
  uniqueEmail,
  makeUser,
  registerUser,
  test,
} from './support/test.ts';
import { postApi } from './support/zones.ts';

const uniqueNumber = () => Date.now() * 10 + Math.floor(Math.random() * 10);
const toast = (page: Page) => page.locator('.z-toaster');

/** A zone of another user, in another browser. */
async function createZone(page: Page, mailbox: Mailbox): Promise<{ id: number; name: string }> {
  const name = `Studio ${uniqueNumber()}`;
  const context = await page.context().browser()!.newContext({ baseURL: test.info().project.use.baseURL });
  const owner = await context.newPage();
  await registerUser(owner, mailbox);
  const { id } = await postApi<{ id: number }>(owner, '/api/zones', { name, type: 'private' });
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

test('an admin maps a product to a zone and inspects, replays and reverts an order’s effects', async ({
  page,
  mailbox,
}) => {
  await signInAsSuperAdmin(page);
  const zone = await createZone(page, mailbox);
  const productId = uniqueNumber();
  const email = uniqueEmail('buyer');

  await page.goto('/woocommerce-admin');
  await expect(page.getByRole('navigation').getByRole('link', { name: 'WooCommerce' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'WooCommerce' })).toBeVisible();
  await addMapping(page, productId, zone);
  const mappingRow = page.getByRole('row', { name: new RegExp(String(productId)) });
  await expect(mappingRow).toContainText(zone.name);

  expect(await sendOrder(page, { id: productId, email, productId }, 'a wrong secret')).toBe(401);
  expect(await sendOrder(page, { id: productId, email, productId })).toBe(200);

  await page.getByRole('tab', { name: 'Webhook Logs' }).click();
  await expect(page.getByText(/missing or wrong signature/)).toBeVisible();
  await page.getByRole('searchbox', { name: 'Customer, order or subscription' }).fill(email);
  const logRow = page.getByRole('row', { name: new RegExp(email) });
  await expect(logRow).toContainText('Completed');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expectAccessible(page);

  await logRow.getByRole('link', { name: /Show webhook/ }).press('Enter');
  const webhookDialog = page.getByRole('dialog', { name: /Webhook \d+/ });
  await expect(webhookDialog).toContainText(`"email": "${email}"`);
  await expect(webhookDialog.getByRole('listitem')).toContainText(zone.name);
  await expectAccessible(page);
  await webhookDialog.getByRole('button', { name: 'Revoke' }).click();
  await page
    .getByRole('dialog', { name: /Revoke access/ })
    .getByRole('button', { name: 'Revoke' })
    .click();
  await expect(webhookDialog.getByRole('listitem')).toContainText('Revoked');
  await webhookDialog.getByRole('button', { name: 'Replay' }).click();
  await expect(toast(page)).toContainText('The webhook is being processed again');
  await expect(webhookDialog.getByRole('alert')).toContainText('it was revoked manually');
  await expect(webhookDialog.getByText('Completed', { exact: true })).toBeVisible();
  await expect(webhookDialog.getByRole('listitem')).toContainText('Revoked');
  await webhookDialog.getByRole('button', { name: 'Restore' }).click();
  await expect(toast(page)).toContainText('Access restored');
  await expect(webhookDialog.getByRole('listitem')).toContainText('Active');
  await expectAccessible(page);
  await webhookDialog.getByRole('button', { name: 'Close' }).click();
  await expect(webhookDialog).toBeHidden();

  await page.getByRole('tab', { name: 'Product Mappings' }).click();
  await mappingRow.getByRole('button', { name: /Delete the mapping/ }).click();
  await expect(mappingRow).toBeHidden();
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(mappingRow).toContainText(zone.name);
});

/** A separate browser, as of another user. */
async function openOtherBrowser(page: Page): Promise<Page> {
  const context = await page.context().browser()!.newContext({ baseURL: test.info().project.use.baseURL });
  return context.newPage();
}

/** Signs in as a new customer from the email, setting a password and completing the profile. */
async function signInAsNewCustomer(page: Page, mailbox: Mailbox, email: string): Promise<void> {
  const { text } = await mailbox.waitForEmail(email);
  await page.goto(/https?:\/\/\S+\/auth\?\S+/.exec(text)![0]);
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByLabel('Password', { exact: true }).fill(/temporary password (\S+)/.exec(text)![1]!);
  await page.keyboard.press('Enter');
  const user = makeUser('Nur', 'Ak');
  await expect(page.getByLabel('First name')).toHaveValue('Nur');
  await page.getByLabel('Username').fill(user.username);
  await page.getByLabel('New password').fill(user.password);
  await page.getByLabel('Confirm password').fill(user.password);
  await page.getByRole('button', { name: 'Save and Continue' }).click();
  await expect(page.getByText('Profile Completed!')).toBeVisible();
}

const sharedZoneLink = (page: Page, name: string) => page.getByRole('link', { name });

test('a customer gets access to a zone by an order and loses it by its refund', async ({ page, mailbox }) => {
  await signInAsSuperAdmin(page);
  const zone = await createZone(page, mailbox);
  const [id, productId, email] = [uniqueNumber(), uniqueNumber(), uniqueEmail('buyer')];
  const mapping = { productId: String(productId), productName: 'Watercolour course', zoneId: zone.id };
  await postApi(page, '/api/woocommerce/product-mappings', mapping);
  expect(await sendOrder(page, { id, email, productId })).toBe(200);

  const customerPage = await openOtherBrowser(page);
  await signInAsNewCustomer(customerPage, mailbox, email);
  await customerPage.goto('/shared-zones');
  await sharedZoneLink(customerPage, zone.name).click();
  await expect(customerPage).toHaveURL(`/zones/${zone.id}`);
  await expect(customerPage.getByRole('heading', { level: 1, name: zone.name })).toBeVisible();

  expect(await sendOrder(page, { id, email, productId, status: 'refunded' })).toBe(200);
  await page.goto(`/woocommerce-admin/webhook-logs`);
  await page.getByRole('searchbox').fill(email);
  await expect(page.getByRole('row', { name: /Completed/ })).toHaveCount(2);
  await customerPage.goto('/shared-zones');
  await expect(customerPage.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(sharedZoneLink(customerPage, zone.name)).toHaveCount(0);
  await customerPage.goto(`/zones/${zone.id}`);
  await expect(customerPage.getByText('Zone not found')).toBeVisible();
  await customerPage.context().close();
});

test('a subscriber gets access to the premium zone and loses it when the subscription expires', async ({
  page,
  mailbox,
}) => {
  await signInAsSuperAdmin(page);
  const [subscriptionId, email] = [`sub_${uniqueNumber()}`, uniqueEmail('member')];
  await page.goto('/acedumy-admin/info');
  await expect(page.getByText(`${premiumZoneName} (1)`)).toBeVisible();
  const address = `${test.info().project.use.baseURL!}/api/webhooks/acedumy`;
  await expect(page.getByRole('textbox', { name: 'Webhook URL' })).toHaveValue(address);
  await expect(page.getByText('ACEDUMY_WEBHOOK_SECRET', { exact: true })).toBeVisible();
  await expect(page.getByText(webhookSecrets.ACEDUMY_WEBHOOK_SECRET)).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expectAccessible(page);

  await sendSubscription(page, subscriptionId, email);
  await page.getByRole('tab', { name: 'Logs' }).click();
  await page.getByRole('searchbox').fill(email);
  const createdRow = page.getByRole('row', { name: /subscription\.created/ });
  await expect(createdRow).toContainText('Completed');
  await expect(createdRow).toContainText(`${premiumZoneName} (ID 1)`);
  await createdRow.getByRole('link', { name: /Show webhook/ }).click();
  const webhookDialog = page.getByRole('dialog', { name: /Webhook \d+/ });
  await expect(webhookDialog.getByRole('listitem')).toContainText('Active');
  await webhookDialog.getByRole('button', { name: 'Close' }).click();

  const customerPage = await openOtherBrowser(page);
  await signInAsNewCustomer(customerPage, mailbox, email);
  await customerPage.goto('/shared-zones');
  await sharedZoneLink(customerPage, premiumZoneName).click();
  await expect(customerPage.getByRole('heading', { level: 1, name: premiumZoneName })).toBeVisible();

  await sendSubscription(page, subscriptionId, email, 'subscription.expired');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByRole('row', { name: /subscription\.expired/ })).toContainText('Completed');
  await customerPage.goto('/zones/1');
  await expect(customerPage.getByText('Zone not found')).toBeVisible();
  await customerPage.context().close();
});

test('a subscriber gets and loses premium access by Stripe events, and failures are reported', async ({ page }) => {
  await signInAsSuperAdmin(page);
  const [subscriptionId, email] = [`sub_${uniqueNumber()}`, uniqueEmail('member')];
  await sendStripeSubscription(page, { subscriptionId, email });
  await page.goto('/stripe-acedumy-admin');
  await expect(page.getByRole('heading', { level: 1, name: 'Stripe to AcEdumy' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Customer, order or subscription' }).fill(email);
  const createdRow = page.getByRole('row', { name: /subscription\.created/ });
  await expect(createdRow).toContainText('Yearly TRY');
  await expect(createdRow).toContainText('Completed');
  await sendStripeSubscription(page, { subscriptionId, email, type: 'deleted' });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page
    .getByRole('row', { name: /subscription\.deleted/ })
    .getByRole('link', { name: /Show webhook/ })
    .click();
  const webhookDialog = page.getByRole('dialog', { name: /Webhook \d+/ });
  await expect(webhookDialog.getByRole('listitem')).toContainText('Revoked');
  await expect(webhookDialog).toContainText('price_premium_yearly_try');
  await expectAccessible(page);
  await webhookDialog.getByRole('button', { name: 'Close' }).click();

  const unknownSubscriptionId = `sub_${uniqueNumber()}`;
  await sendStripeSubscription(page, { subscriptionId: unknownSubscriptionId, email: null });
  await page.getByRole('searchbox', { name: 'Customer, order or subscription' }).fill(unknownSubscriptionId);
  const failedRow = page.getByRole('row', { name: new RegExp(unknownSubscriptionId) });
  await expect(failedRow).toContainText('Failed');
  await failedRow.getByRole('link', { name: /Show webhook/ }).click();
  await expect(webhookDialog.getByRole('alert')).toContainText(
    'The webhook has no valid email address (data.object.customer.email).',
  );
  await webhookDialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('tab', { name: 'Integration Info' }).click();
  await expect(page.getByText('STRIPE_ACEDUMY_WEBHOOK_SECRET', { exact: true })).toBeVisible();
  await expect(page.getByText('customer.subscription.created', { exact: true })).toBeVisible();
});

test('a regular user can’t open the integration screens and loads none of their code', async ({ page, mailbox }) => {
  await registerUser(page, mailbox);
  const scripts: string[] = [];
  page.on('request', (request) => void scripts.push(new URL(request.url()).pathname));
  for (const address of ['/woocommerce-admin', '/acedumy-admin', '/stripe-acedumy-admin/info']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1, name: 'You don’t have access to this page' })).toBeVisible();
    await expect(page.getByRole('navigation').getByRole('link', { name: 'WooCommerce' })).toHaveCount(0);
    await expectAccessible(page);
  }
  expect(scripts.filter((path) => /admin|woocommerce|acedumy/.test(path) && /\.js$|^\/api/.test(path))).toEqual([]);
  const response = await page.request.get('/api/woocommerce/webhook-logs');
  expect(response.status()).toBe(403);
});

const addresses = [
  '/woocommerce-admin',
  '/woocommerce-admin/webhook-logs',
  '/acedumy-admin',
  '/acedumy-admin/info',
  '/stripe-acedumy-admin',
  '/stripe-acedumy-admin/info',
];

for (const variant of displayVariants) {
  test.describe(describeVariant(variant), () => {
    test.use(toBrowserOptions(variant));

    test('every integration screen fits the viewport and is accessible', async ({ page, mailbox }) => {
      await signInAsSuperAdmin(page);
      const zone = await createZone(page, mailbox);
      const productId = uniqueNumber();
      const mapping = { productId: String(productId), productName: 'Watercolour course', zoneId: zone.id };
      await postApi(page, '/api/woocommerce/product-mappings', mapping);
      expect(await sendOrder(page, { id: productId, email: uniqueEmail('buyer'), productId })).toBe(200);
      await sendSubscription(page, `sub_${productId}`, uniqueEmail('member'));
      await sendStripeSubscription(page, { subscriptionId: `sub_${productId}`, email: uniqueEmail('member') });
      // The language chosen in this browser, against the setting, which other tests use at the same time.
      await page.addInitScript((chosen) => {
        localStorage.setItem('zonary.language', chosen);
        localStorage.setItem('zonary.languageOverrules', 'en');
      }, variant.language);
      const checkScreen = async (name: string) => {
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        await expectNoOverflow(page);
        await expectAccessible(page);
        await saveScreenshot(
          page,
          `${name.replaceAll(/\W+/g, '-')}-${variant.width}-${variant.language}.png`,
          name !== 'drawer',
        );
      };
      for (const address of addresses) {
        await page.goto(address);
        await expect(page.locator('h1')).toHaveCount(1);
        await expect(page.locator('html')).toHaveAttribute('lang', variant.language);
        await checkScreen(address);
        if (!address.endsWith('webhook-logs')) continue;
        await page
          .getByRole('link', { name: /webhook.*\d|\d.*webhook/i })
          .first()
          .click();
        await expect(page.getByRole('dialog').locator('pre')).toBeVisible();
        await checkScreen('drawer');
      }
    });
  });
}
