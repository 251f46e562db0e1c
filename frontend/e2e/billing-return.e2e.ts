import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoOverflow, makeUser, registerUser, signIn, test } from './support/test.ts';
import { postApi } from './support/zones.ts';

const badge = (page: Page, text: string | RegExp) => page.getByRole('banner').locator('.z-badge').getByText(text);
const manageButton = (page: Page) =>
  page.locator('.z-pricing-notice').getByRole('button', { name: 'Manage Subscription' });

/** Presses a button in the portal, which stays open, and returns to the opening page. */
async function pressInPortal(page: Page, portal: Page, button: string): Promise<void> {
  const submitted = portal.waitForResponse((response) => response.request().method() === 'POST');
  await portal.getByRole('button', { name: button }).click();
  await submitted;
  await page.bringToFront();
  // Headless browsers fire no event on return, so the test fires it.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
}

test('a user sees changes made in the billing portal on a page open beside it', async ({ page, mailbox }) => {
  const user = makeUser();
  await registerUser(page, mailbox, user);
  // Users without a zone see no badge once they are back on the free plan.
  await postApi(page, '/api/zones', { name: 'Studio', type: 'private' });
  await page.context().clearCookies();

  await page.goto('/pricing');
  await page.getByRole('radio', { name: 'Yearly' }).check();
  await page.getByRole('button', { name: 'Choose Plan Starter' }).click();
  await expect(page.getByText('Authentication Required')).toBeVisible();
  await signIn(page, user);
  await expect(page.getByRole('radio', { name: 'Yearly' })).toBeChecked();
  await page.getByRole('button', { name: 'Choose Plan Starter' }).click();
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.getByText('You’re now on the Starter plan. Its limits apply immediately.')).toBeVisible();

  await page.goto('/pricing');
  await expect(page.getByRole('radio', { name: 'Yearly' })).toBeChecked();
  await expect(page.locator('.z-pricing-notice')).toHaveCount(0);
  const portalOpened = page.context().waitForEvent('page');
  await page.locator('.z-plans').getByRole('button', { name: 'Manage Subscription' }).click();
  const portal = await portalOpened;
  await pressInPortal(page, portal, 'Cancel at period end');
  await expect(badge(page, /^Starter: Subscription cancelled, access until/)).toBeVisible();
  await expect(page.getByText(/^Your Starter plan ends on .+ To keep it, go to Manage Subscription/)).toBeVisible();
  await expect(manageButton(page)).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);

  await pressInPortal(page, portal, 'Keep');
  await expect(badge(page, 'Starter')).toBeVisible();
  await expect(page.locator('.z-pricing-notice')).toHaveCount(0);

  await pressInPortal(page, portal, 'Refuse the next payment');
  await expect(page.getByText(/^Your payment didn’t go through\. You keep your plan until/)).toBeVisible();
  await expectAccessible(page);

  await pressInPortal(page, portal, 'End now');
  await expect(badge(page, 'Free')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Choose Plan Starter' })).toBeEnabled();
});
