import type { Browser, Page } from '@playwright/test';
import type { Mailbox } from './support/mailbox.ts';
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

interface Zone {
  id: number;
  publicLink: string;
}

/** A new user joins the zone by its link and consents to emails; returns the email address. */
async function joinByLink(browser: Browser, mailbox: Mailbox, zone: Zone): Promise<string> {
  const context = await browser.newContext();
  const visitor = await context.newPage();
  const email = uniqueEmail('ada');
  await visitor.goto(`/join/${zone.publicLink}`);
  await visitor.getByLabel('Email address').fill(email);
  await visitor.getByRole('checkbox').check();
  await visitor.getByRole('button', { name: 'Join Zone' }).click();
  await expect(visitor.getByRole('heading', { name: 'The email wasn’t sent' })).toBeVisible();
  await visitor.goto(await mailbox.waitForLink(email, '/verify-email'));
  await visitor.getByRole('button', { name: 'Confirm and Join' }).click();
  await expect(visitor).toHaveURL(/\/zones\/\d+$/);
  await context.close();
  return email;
}

/** Email previews are in a sandboxed frame without scripts, so axe can't run there and is skipped. */
const checkScreen = async (page: Page, name: string, { withMail: withEmail = false } = {}) => {
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
  await page.mouse.move(0, 0);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await expectNoOverflow(page);
  if (!withEmail) await expectAccessible(page);
  await saveScreenshot(page, `${name}.png`, true);
};

test('an owner sends a campaign, follows its live report, and a member unsubscribes', async ({
  page,
  browser,
  mailbox,
}) => {
  test.setTimeout(240_000);
  await registerUser(page, mailbox, makeUser('Grace', 'Kaya'));
  const zone = await postApi<Zone>(page, '/api/zones', { name: 'Watercolour', type: 'public' });
  const member = await joinByLink(browser, mailbox, zone);

  await page.goto('/campaigns');
  await expect(page.getByText('No campaigns yet')).toBeVisible();
  await checkScreen(page, '01-none');

  await page.goto(`/zones/${zone.id}/campaigns`);
  await page.getByRole('link', { name: 'Write to Members' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New Campaign' })).toBeVisible();
  await page.getByRole('button', { name: 'Put Campaign on Hold' }).click();
  await expect(page.getByText('Please fill in all required fields')).toBeVisible();
  await expect(page.getByText('Please enter a subject line', { exact: true })).toBeVisible();

  await checkScreen(page, '01-missing');
  await page.getByLabel('Campaign name').fill('Spring news');
  await page.getByLabel('Subject line').fill('Spring in {{zone_name}}');
  const text = page.getByRole('textbox', { name: 'Text of the email' });
  await text.click();
  await page.keyboard.type('Hello ');
  await page.getByRole('button', { name: 'First name' }).click();
  // The typed text must go into the editor, not into the merge field.
  await page.keyboard.type(', the lessons are ready.');
  const mergeField = text.getByRole('button', { name: 'First name: edit the fallback text' });
  await expect(mergeField).toHaveText('First name');
  await mergeField.click();
  const fallbackDialog = page.getByRole('dialog', { name: 'Fallback Text for “First name”' });
  await fallbackDialog.getByLabel(/Fallback text/).fill('friend');
  await page.keyboard.press('Enter');
  await expect(fallbackDialog).toBeHidden();
  await expect(text.locator('[data-merge]')).toHaveText('First name, or “friend”');
  await page.keyboard.type('!');
  await page.keyboard.press('Backspace');
  await expect(page.getByRole('status').filter({ hasText: 'Draft saved' })).toBeVisible();
  await expect(page).toHaveURL(/\/campaigns\/\d+$/);
  const mail = page.frameLocator('iframe[title="The email as you’d get it"]').last();
  await expect(mail.getByText('Hello Grace, the lessons are ready.')).toBeVisible();
  await expect(page.getByText('1 recipient', { exact: true })).toBeVisible();
  await expect(page.getByText(/No email server is set up: this email would be put on hold/)).toBeVisible();
  await page.getByRole('button', { name: 'Phone' }).click();
  await checkScreen(page, '02-composer', { withMail: true });

  await page.reload();
  await expect(text).toContainText('the lessons are ready.');
  await page.getByRole('button', { name: 'Put Campaign on Hold' }).click();
  const dialog = page.getByRole('dialog', { name: /^Send “/ });
  await expect(dialog).toContainText('the email to 1 member of Watercolour is put on hold and not sent.');
  await checkScreen(page, '02-kept-dialog');
  await dialog.getByRole('button', { name: 'Put on Hold' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Spring news' })).toBeVisible();
  // No mail server is configured: nothing is reported as sent or counted.
  await expect(page.locator('main').getByText('On hold, not sent', { exact: true }).first()).toBeVisible();
  await expect(page.getByText(/1 email is on hold\. Nobody has received it/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send Emails on Hold' })).toBeDisabled();
  await checkScreen(page, '03-report', { withMail: true });

  const receivedEmail = await mailbox.waitForEmail(member, 2);
  expect(receivedEmail.subject).toBe('Spring in Watercolour');
  expect(receivedEmail.text).toContain('Hello friend, the lessons are ready.');
  const unsubscribeUrl = /(https?:\/\/\S+\/unsubscribe\/[^\s)>\]]+)/.exec(receivedEmail.text)![1]!;
  const memberPage = await (await browser.newContext()).newPage();
  await memberPage.goto(unsubscribeUrl);
  await expect(memberPage.getByRole('heading', { name: 'Leave “Watercolour”?' })).toBeVisible();

  await page.goto('/campaigns');
  const row = page.getByRole('table', { name: 'Campaigns' }).getByRole('row', { name: /Spring news/ });
  await expect(row).toContainText('Not sent');
  await checkScreen(page, '04-list');
  await page.setViewportSize({ width: 360, height: 740 });
  await checkScreen(page, '05-list-phone');
});

test('an owner writes and enables the welcome email for new members', async ({ page, browser, mailbox }) => {
  test.setTimeout(180_000);
  await registerUser(page, mailbox, makeUser('Grace', 'Kaya'));
  const zone = await postApi<Zone>(page, '/api/zones', { name: 'Watercolour', type: 'public' });
  await page.goto(`/zones/${zone.id}/campaigns`);
  await expect(page.getByText('Subject: Welcome to Watercolour')).toBeVisible();
  await page.getByRole('button', { name: 'Edit Welcome Email' }).click();
  const dialog = page.getByRole('dialog', { name: 'Welcome Email' });
  await dialog.getByRole('button', { name: 'HTML' }).click();
  const html = dialog.getByRole('textbox', { name: 'HTML of the email' });
  await html.fill('');
  await dialog.getByRole('button', { name: 'Text' }).click();
  await dialog.getByRole('button', { name: 'Save Welcome Email' }).click();
  const text = dialog.getByRole('textbox', { name: 'Text of the email' });
  await expect(dialog.getByText('Please enter email content', { exact: true })).toBeVisible();
  await expect(text).toHaveAttribute('aria-invalid', 'true');
  await expect(text).toBeFocused();
  await checkScreen(page, '06-welcome-missing');

  await page.keyboard.type('Your brushes are waiting.');
  await expect(text).not.toHaveAttribute('aria-invalid');
  await dialog.getByLabel('Subject line').fill('So good that you are in {{zone_name}}');
  await dialog.getByRole('button', { name: 'Save Welcome Email' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Subject: So good that you are in Watercolour')).toBeVisible();
  await page.getByRole('switch', { name: 'Send it to new members' }).click();
  await expect(page.getByText('New members get the welcome email')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Send it to new members' })).toBeChecked();
  await checkScreen(page, '07-welcome');

  const member = await joinByLink(browser, mailbox, zone);
  const mail = await mailbox.waitForEmail(member, 2);
  expect(mail.subject).toBe('So good that you are in Watercolour');
  expect(mail.text).toContain('Your brushes are waiting.');
});
