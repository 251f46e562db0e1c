import type { Page } from '@playwright/test';
import { browserOf, nameOf, shapes } from './support/shapes.ts';
import { expect, expectAccessible, expectNoOverflow, keepPicture, test } from './support/test.ts';
import { call, openStudio } from './support/zones.ts';

const badge = (page: Page, text: string | RegExp) => page.getByRole('banner').locator('.z-badge').getByText(text);
const summary = (page: Page) => page.getByRole('region', { name: 'Account summary' });
const inMonth = new Date(Date.now() + 30 * 86_400_000);
const untilThen = inMonth.toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'Europe/Istanbul' });

/** Chooses a plan on the pricing page and pays at the payment provider. */
async function buy(page: Page, plan: string): Promise<void> {
  await page.goto('/pricing');
  await page.getByRole('button', { name: `Choose Plan ${plan}` }).click();
  await expect(page.getByRole('heading', { name: 'Checkout' })).toBeVisible();
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.getByText(`You’re now on the ${plan} plan. Its limits apply immediately.`)).toBeVisible();
}

/** Presses a button of the portal, and waits until the portal shows what came of it. */
async function pressIn(portal: Page, button: string): Promise<void> {
  const before = await portal.getByRole('status').innerText();
  await portal.getByRole('button', { name: button }).click();
  await expect(portal.getByRole('status')).not.toHaveText(before);
}

/** Opens the portal from the account menu, presses a button there, and gives the page to which one comes back. */
async function inPortal(page: Page, button: string): Promise<Page> {
  await page.getByRole('button', { name: 'Account menu' }).click();
  const opened = page.context().waitForEvent('page');
  await page.getByRole('menuitem', { name: 'Manage Subscription' }).click();
  const portal = await opened;
  await pressIn(portal, button);
  await portal.getByRole('link', { name: 'Return' }).click();
  await expect(portal.getByRole('heading', { level: 1, name: 'Your subscription' })).toBeVisible();
  await expect(portal.locator('[aria-busy=true]')).toHaveCount(0);
  return portal;
}

test('a limit leads to a plan, which is paid for and holds at once', async ({ page, mailbox }) => {
  await openStudio(page, mailbox);
  await page.goto('/zones');
  await expect(badge(page, 'Free')).toHaveClass(/z-badge-danger/);
  await page.getByRole('link', { name: 'Create Zone' }).click();
  // Before anything is filled in.
  const limit = page.getByRole('dialog', { name: 'Plan Limit Reached' });
  await expect(limit).toContainText('1 of 1');
  await expectAccessible(page);
  await expect(page.getByRole('dialog', { name: 'Create New Zone' })).toHaveCount(0);
  await limit.getByRole('link', { name: 'Upgrade Plan' }).click();

  await page.getByRole('radio', { name: 'Yearly' }).check();
  await expect(page.getByText('$79.90')).toBeVisible();
  await page.getByRole('button', { name: 'Choose Plan Creator' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByText('Payment was canceled. You can try again anytime.')).toBeVisible();
  await expectAccessible(page);
  await buy(page, 'Creator');
  await expect(badge(page, 'Creator')).toHaveClass(/z-badge-success/);
  await expect(summary(page)).toContainText('1 of 15');
  await expectAccessible(page);
  await call(page, '/api/zones', { name: 'Second studio', type: 'private' });
});

test('a plan is cancelled, kept, given up and bought again, and the badge tells', async ({ page, mailbox }) => {
  await openStudio(page, mailbox);
  await buy(page, 'Starter');
  const cancelled = await inPortal(page, 'Cancel at period end');
  const until = `Subscription cancelled, access until ${untilThen}`;
  await expect(badge(cancelled, until)).toHaveClass(/z-badge-warning/);
  await expect(cancelled.getByText('Your account is on the Starter plan.')).toBeVisible();
  await expectAccessible(cancelled);

  await cancelled.getByRole('button', { name: 'Account menu' }).click();
  await cancelled.getByRole('menuitemradio', { name: 'Türkçe' }).click();
  await expect(badge(cancelled, /^Starter: Abonelik iptal edildi, erişim bitişi: /)).toHaveClass(/z-badge-warning/);
  await cancelled.getByRole('menuitemradio', { name: 'English' }).click();
  await cancelled.keyboard.press('Escape');

  const kept = await inPortal(cancelled, 'Keep');
  await expect(badge(kept, 'Starter')).toHaveClass(/z-badge-success/);
  const ended = await inPortal(kept, 'End now');
  await expect(badge(ended, 'Free')).toHaveClass(/z-badge-danger/);
  await buy(ended, 'Pro Creator');
  await expect(badge(ended, 'Pro Creator')).toHaveClass(/z-badge-success/);
});

const creates = { en: 'Create Zone', tr: 'Bölge Oluştur' };

/** Uses up the members and invitations of the free plan. */
async function fill(page: Page, zoneId: number): Promise<void> {
  const rows = Array.from({ length: 100 }, (_, n) => `reader-${zoneId}-${n}@example.org`);
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(['email', ...rows].join('\n')) };
  const multipart = { file, mode: 'add', consentConfirmed: 'true' };
  const answer = await page.request.post(`/api/zones/${zoneId}/members/import`, { headers, multipart });
  expect(answer.status()).toBe(200);
}

for (const shape of shapes) {
  test.describe(nameOf(shape), () => {
    test.use(browserOf(shape));
    const create = creates[shape.language];

    test('what the plan says is whole', async ({ page, mailbox, context }) => {
      await context.setExtraHTTPHeaders({ 'Accept-Language': shape.language });
      const look = async (address: string, name = address.slice(1)) => {
        if (new URL(page.url()).pathname !== address) await page.goto(address);
        await expect(page.locator('h1')).toHaveCount(1);
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        await expectNoOverflow(page);
        await expectAccessible(page);
        await keepPicture(page, `${name}-${shape.width}-${shape.scheme}.png`, true);
      };
      const popular = page.locator('.z-plan-popular .z-button');
      const pressInPortal = async (button: string) => {
        await page.goto('/pricing');
        const opened = context.waitForEvent('page');
        await popular.click();
        await pressIn(await opened, button);
      };
      await look('/pricing', 'pricing-signed-out');
      await fill(page, await openStudio(page, mailbox));
      await look('/dashboard', 'dashboard-full');
      await page.goto('/zones');
      await page.getByRole('link', { name: create }).click();
      await expect(page.getByRole('dialog').getByRole('link')).toHaveAttribute('href', '/pricing');
      await look('/zones', 'limit');

      await page.goto('/pricing');
      await popular.click();
      await page.getByRole('button', { name: 'Pay' }).click();
      await expect(page.getByRole('main').getByRole('link')).toBeVisible();
      await look('/checkout');
      await pressInPortal('Cancel at period end');
      await pressInPortal('Refuse the next payment');
      await look('/checkout', 'checkout-returned');
      await look('/pricing');
      await look('/dashboard');
    });
  });
}
