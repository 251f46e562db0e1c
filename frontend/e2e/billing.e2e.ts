import type { Page } from '@playwright/test';
import { toBrowserOptions, describeVariant, displayVariants } from './support/display-variants.ts';
import { expect, expectAccessible, expectNoOverflow, saveScreenshot, test } from './support/test.ts';
import { postApi, createUserWithZone } from './support/zones.ts';

const badge = (page: Page, text: string | RegExp) => page.getByRole('banner').locator('.z-badge').getByText(text);
const summary = (page: Page) => page.getByRole('region', { name: 'Account Summary' });
const nextMonth = new Date(Date.now() + 30 * 86_400_000);
const periodEnd = nextMonth.toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'Europe/Istanbul' });

/** Chooses a plan on the pricing page and pays at the payment provider. */
async function purchasePlan(page: Page, plan: string): Promise<void> {
  await page.goto('/pricing');
  await page.getByRole('button', { name: `Choose Plan ${plan}` }).click();
  await expect(page.getByRole('heading', { name: 'Checkout' })).toBeVisible();
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.getByText(`You’re now on the ${plan} plan. Its limits apply immediately.`)).toBeVisible();
}

/** Presses a button in the portal and waits for the result. */
async function pressPortalButton(portal: Page, button: string): Promise<void> {
  const previousStatus = await portal.getByRole('status').innerText();
  await portal.getByRole('button', { name: button }).click();
  await expect(portal.getByRole('status')).not.toHaveText(previousStatus);
}

/** Opens the portal from the account menu, presses a button there, and returns the page it leads back to. */
async function openPortalAndPress(page: Page, button: string): Promise<Page> {
  await page.getByRole('button', { name: 'Account menu' }).click();
  const portalOpened = page.context().waitForEvent('page');
  await page.getByRole('menuitem', { name: 'Manage Subscription' }).click();
  const portal = await portalOpened;
  await pressPortalButton(portal, button);
  await portal.getByRole('link', { name: 'Return' }).click();
  await expect(portal.getByRole('heading', { level: 1, name: 'Your subscription' })).toBeVisible();
  await expect(portal.locator('[aria-busy=true]')).toHaveCount(0);
  return portal;
}

test('a user who reaches a plan limit buys a plan that applies at once', async ({ page, mailbox }) => {
  await createUserWithZone(page, mailbox);
  await page.goto('/zones');
  await expect(badge(page, 'Free')).toHaveClass(/z-badge-danger/);
  await page.getByRole('link', { name: 'Create Zone' }).click();
  // Shown before any input.
  const limitDialog = page.getByRole('dialog', { name: 'Plan Limit Reached' });
  await expect(limitDialog).toContainText('1 of 1');
  await expectAccessible(page);
  await expect(page.getByRole('dialog', { name: 'Create New Zone' })).toHaveCount(0);
  await limitDialog.getByRole('link', { name: 'Upgrade Plan' }).click();

  await page.getByRole('radio', { name: 'Yearly' }).check();
  await expect(page.getByText('$79.90')).toBeVisible();
  await page.getByRole('button', { name: 'Choose Plan Creator' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByText('Payment was canceled. You can try again anytime.')).toBeVisible();
  await expectAccessible(page);
  await purchasePlan(page, 'Creator');
  await expect(badge(page, 'Creator')).toHaveClass(/z-badge-success/);
  await expect(summary(page)).toContainText('1 of 15');
  await expectAccessible(page);
  await postApi(page, '/api/zones', { name: 'Second studio', type: 'private' });
});

test('a user cancels, resumes, ends and buys a plan again and sees each state in the badge', async ({
  page,
  mailbox,
}) => {
  await createUserWithZone(page, mailbox);
  await purchasePlan(page, 'Starter');
  const cancelledPage = await openPortalAndPress(page, 'Cancel at period end');
  const cancelledLabel = `Subscription cancelled, access until ${periodEnd}`;
  await expect(badge(cancelledPage, cancelledLabel)).toHaveClass(/z-badge-warning/);
  await expect(cancelledPage.getByText('Your account is on the Starter plan.')).toBeVisible();
  await expectAccessible(cancelledPage);

  await cancelledPage.getByRole('button', { name: 'Account menu' }).click();
  await cancelledPage.getByRole('menuitemradio', { name: 'Türkçe' }).click();
  await expect(badge(cancelledPage, /^Starter: Abonelik iptal edildi, erişim bitişi: /)).toHaveClass(/z-badge-warning/);
  await cancelledPage.getByRole('menuitemradio', { name: 'English' }).click();
  await cancelledPage.keyboard.press('Escape');

  const resumedPage = await openPortalAndPress(cancelledPage, 'Keep');
  await expect(badge(resumedPage, 'Starter')).toHaveClass(/z-badge-success/);
  const endedPage = await openPortalAndPress(resumedPage, 'End now');
  await expect(badge(endedPage, 'Free')).toHaveClass(/z-badge-danger/);
  await purchasePlan(endedPage, 'Pro Creator');
  await expect(badge(endedPage, 'Pro Creator')).toHaveClass(/z-badge-success/);
});

const createLabels = { en: 'Create Zone', tr: 'Bölge Oluştur' };

/** Uses up the members and invitations of the free plan. */
async function exhaustFreePlan(page: Page, zoneId: number): Promise<void> {
  const rows = Array.from({ length: 100 }, (_, n) => `member-${zoneId}-${n}@example.org`);
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(['email', ...rows].join('\n')) };
  const multipart = { file, mode: 'add', consentConfirmed: 'true' };
  const response = await page.request.post(`/api/zones/${zoneId}/members/import`, { headers, multipart });
  expect(response.status()).toBe(200);
}

for (const variant of displayVariants) {
  test.describe(describeVariant(variant), () => {
    test.use(toBrowserOptions(variant));
    const createLabel = createLabels[variant.language];

    test('the plan pages fit the screen and are accessible in every billing state', async ({
      page,
      mailbox,
      context,
    }) => {
      await context.setExtraHTTPHeaders({ 'Accept-Language': variant.language });
      const checkScreen = async (address: string, name = address.slice(1)) => {
        if (new URL(page.url()).pathname !== address) await page.goto(address);
        await expect(page.locator('h1')).toHaveCount(1);
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        await expectNoOverflow(page);
        await expectAccessible(page);
        await saveScreenshot(page, `${name}-${variant.width}-${variant.scheme}.png`, true);
      };
      const popularPlanButton = page.locator('.z-plan-popular .z-button');
      const pressInPortal = async (button: string) => {
        await page.goto('/pricing');
        const portalOpened = context.waitForEvent('page');
        await popularPlanButton.click();
        await pressPortalButton(await portalOpened, button);
      };
      await checkScreen('/pricing', 'pricing-signed-out');
      await exhaustFreePlan(page, await createUserWithZone(page, mailbox));
      await checkScreen('/dashboard', 'dashboard-full');
      await page.goto('/zones');
      await page.getByRole('link', { name: createLabel }).click();
      await expect(page.getByRole('dialog').getByRole('link')).toHaveAttribute('href', '/pricing');
      await checkScreen('/zones', 'limit');

      await page.goto('/pricing');
      await popularPlanButton.click();
      await page.getByRole('button', { name: 'Pay' }).click();
      await expect(page.getByRole('main').getByRole('link')).toBeVisible();
      await checkScreen('/checkout');
      await pressInPortal('Cancel at period end');
      await pressInPortal('Refuse the next payment');
      await checkScreen('/checkout', 'checkout-returned');
      await checkScreen('/pricing');
      await checkScreen('/dashboard');
    });
  });
}
