import type { Page } from '@playwright/test';
import { ClickCounter } from '../support/click-counter.ts';
import { textFile } from '../support/sample-files.ts';
import { Mailbox } from '../support/mailbox.ts';
import { startUnconfiguredServer } from '../support/server.ts';
import { expect, uniqueEmail, test } from '../support/test.ts';

/** From the URL printed at startup to the first file read by another user. */
const MAX_CLICKS = 12;

const notes = textFile('Notes.txt', 'Light and shadow\n');

/** Completes the three steps by keyboard, moving between fields with Tab. */
async function completeSetup(page: Page, setupUrl: string): Promise<void> {
  await page.goto(setupUrl);
  await expect(page.getByRole('heading', { name: /Set Up Your Site/ })).toBeFocused();
  for (const value of ['Deniz', 'Acar', uniqueEmail('deniz')]) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(value);
  }
  await page.getByLabel('Password', { exact: true }).focus();
  await page.keyboard.type('correct horse battery');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('radio', { name: /^My own audience/ })).toBeChecked();
  await page.getByRole('button', { name: 'Save and Continue' }).click();
  await page.getByRole('button', { name: 'Later' }).click();
}

/** Uploads a first file and copies the zone's link. */
async function uploadAndCopyLink(page: Page): Promise<string> {
  const checklist = page.getByRole('region', { name: 'Get Your First Member' });
  await checklist.getByRole('link', { name: 'Upload Files' }).click();
  const dialog = page.getByRole('dialog');
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose Files' }).click();
  await (await chooser).setFiles(notes);
  await dialog.getByRole('button', { name: 'Create and Upload' }).click();
  await expect(page.getByText('Files uploaded successfully').first()).toBeVisible();
  await checklist.getByRole('button', { name: 'Copy' }).click();
  await expect(checklist.getByRole('listitem').filter({ hasText: 'Copy the link' })).toContainText('(done)');
  return page.evaluate(() => navigator.clipboard.readText());
}

test('an operator gets from the printed setup URL to a first member in at most twelve clicks without email', async ({
  page,
  browser,
}) => {
  test.setTimeout(300_000);
  const startedAt = performance.now();
  const server = await startUnconfiguredServer();
  try {
    const findInOutput = (pattern: RegExp) => pattern.exec(server.readOutput())?.[1];
    await expect.poll(() => findInOutput(/Set it up: (\S+)/), { message: 'the address is printed' }).toBeDefined();
    const clickCounter = new ClickCounter();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await clickCounter.countClicksIn(page.context());
    await completeSetup(page, findInOutput(/Set it up: (\S+)/)!);
    const link = await uploadAndCopyLink(page);

    const context = await browser.newContext();
    await clickCounter.countClicksIn(context);
    const memberPage = await context.newPage();
    const email = uniqueEmail('ayse');
    await memberPage.goto(link);
    await memberPage.getByLabel('Email address').focus();
    await memberPage.keyboard.type(email);
    await memberPage.getByRole('checkbox').check();
    await memberPage.getByRole('button', { name: 'Join Zone' }).click();
    const mailboxKey = findInOutput(/\/dev\/mailbox\?key=(\S+)/);
    const emailedLink = await new Mailbox(() => server.dataDir).waitForLink(email, '/verify-email');
    const mailboxPage = await memberPage.request.get(`${server.url}/dev/mailbox?key=${mailboxKey}`);
    expect(await mailboxPage.text()).toContain(email);
    clickCounter.labels.push('the button in the mail');
    await memberPage.goto(emailedLink);
    await memberPage.getByRole('button', { name: 'Confirm and Join' }).click();
    await memberPage.getByRole('button', { name: notes.name, exact: true }).click();
    await expect(memberPage.getByRole('main')).toContainText('Light and shadow');

    const seconds = Math.round((performance.now() - startedAt) / 1000);
    test
      .info()
      .annotations.push({ type: 'first member', description: `${seconds} s, ${clickCounter.labels.length} clicks` });
    // In both browsers, from the first page to the last.
    expect(clickCounter.labels).toEqual(
      expect.arrayContaining(['Create Account', 'Copy', 'Join Zone', 'Confirm and Join']),
    );
    expect(clickCounter.labels.length, clickCounter.labels.join(', ')).toBeLessThanOrEqual(MAX_CLICKS);
    await context.close();
  } finally {
    await server.stop();
  }
});

test('the click counter counts a click during hydration once', async ({ browser }) => {
  const context = await browser.newContext();
  const clickCounter = new ClickCounter();
  await clickCounter.countClicksIn(context);
  const page = await context.newPage();
  await page.goto('data:text/html,<main><button>Prerendered</button></main>');
  await page.locator('main').evaluate((main) => {
    main.addEventListener('mousemove', () => (main.innerHTML = '<button>Hydrated</button>'), { once: true });
  });
  await page.getByRole('button').click();
  await expect.poll(() => clickCounter.labels).toEqual(['Hydrated']);
  await context.close();
});
