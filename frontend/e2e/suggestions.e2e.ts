import type { Page } from '@playwright/test';
import { signInAsSuperAdmin } from './support/super-admin.ts';
import { expect, expectAccessible, expectNoOverflow, registerUser, test } from './support/test.ts';

const toast = (page: Page) => page.locator('.z-toaster');

test('a user suggests a feature and votes for it, and an admin approves it', async ({ page, mailbox, browser }) => {
  const title = `Calendar ${Date.now()}`;
  const user = await registerUser(page, mailbox);
  await page.goto('/');
  await page.getByRole('navigation').getByRole('link', { name: 'Feature Requests' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Feature Requests' })).toBeVisible();
  await page.getByRole('button', { name: 'Suggest Something' }).click();
  const form = page.getByRole('dialog', { name: 'Suggest Something' });
  await form.getByRole('button', { name: 'Send Suggestion' }).click();
  await expect(form.getByText('Please fill in all required fields.')).toHaveCount(2);
  await form.getByLabel('Title').fill(title);
  await form.getByLabel('Description').fill('Too short');
  await form.getByRole('button', { name: 'Send Suggestion' }).click();
  await expect(form.getByText('The description must be 20 to 1000 characters long')).toBeVisible();
  await expectAccessible(page);
  await form.getByLabel('Description').fill('Members should see in a calendar what comes next in a zone.');
  await form.getByLabel('Category').selectOption('improvement');
  await form.getByRole('button', { name: 'Send Suggestion' }).click();
  await expect(toast(page)).toContainText('Suggestion Created');

  await page.getByRole('searchbox', { name: 'Search suggestions' }).fill(title);
  const card = page.getByRole('article', { name: title });
  await expect(card).toContainText('Pending');
  await expect(card).toContainText('Improvement');
  await expect(card).not.toContainText('priority');
  const voteButton = card.getByRole('button', { name: new RegExp(`Vote for “${title}”`) });
  await voteButton.click();
  await expect(voteButton).toHaveAttribute('aria-pressed', 'true');
  await expect(voteButton).toHaveText('1');
  await expectAccessible(page);

  const adminPage = await (await browser.newContext({ baseURL: test.info().project.use.baseURL })).newPage();
  await signInAsSuperAdmin(adminPage);
  await adminPage.goto('/feature-suggestions');
  await adminPage.getByRole('button', { name: `Edit “${title}”` }).click();
  const editDialog = adminPage.getByRole('dialog', { name: 'Edit Suggestion' });
  await editDialog.getByLabel('Status').selectOption('approved');
  await editDialog.getByLabel('Priority').selectOption('high');
  await editDialog.getByLabel('Our answer').fill('It comes in spring.');
  await editDialog.getByLabel('Hours of work').fill('40');
  await expectAccessible(adminPage);
  await editDialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(toast(adminPage)).toContainText('Suggestion saved');

  await page.goto('/feature-suggestions?status=approved');
  await expect(page.getByRole('tab', { name: 'Approved' })).toHaveAttribute('aria-selected', 'true');
  await expect(card).toContainText('High priority');
  await expect(card).toContainText('It comes in spring.');
  await expect(card).toContainText('40 hours of work');
  await page.setViewportSize({ width: 360, height: 780 });
  await expectNoOverflow(page);
  await expect
    .poll(() => mailbox.listEmails(user.email).map(({ subject }) => subject))
    .toContain('Your suggestion has been approved');
  await page.getByRole('tab', { name: 'Rejected' }).click();
  await expect(card).toHaveCount(0);
});
