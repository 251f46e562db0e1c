import type { Page } from '@playwright/test';
import { Clicks } from '../support/clicks.ts';
import { text } from '../support/files.ts';
import { Mailbox } from '../support/mailbox.ts';
import { startNewProduct } from '../support/server.ts';
import { expect, newAddress, test } from '../support/test.ts';

/** From the address that the start prints to the first file that somebody else reads. */
const MOST_CLICKS = 12;

const notes = text('Notes.txt', 'Light and shadow\n');

/** The three steps; from one field to the next leads Tab. */
async function setUp(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole('heading', { name: /Set Up Your Site/ })).toBeFocused();
  for (const words of ['Deniz', 'Acar', newAddress('deniz')]) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(words);
  }
  await page.getByLabel('Password', { exact: true }).focus();
  await page.keyboard.type('correct horse battery');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('radio', { name: /^My own audience/ })).toBeChecked();
  await page.getByRole('button', { name: 'Save and Continue' }).click();
  await page.getByRole('button', { name: 'Later' }).click();
}

/** A first file, and the link to where it lies. */
async function share(page: Page): Promise<string> {
  const list = page.getByRole('region', { name: 'Your First Member' });
  await list.getByRole('link', { name: 'Upload Files' }).click();
  const dialog = page.getByRole('dialog');
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose files' }).click();
  await (await chooser).setFiles(notes);
  await dialog.getByRole('button', { name: 'Create and Upload' }).click();
  await expect(page.getByText('Files uploaded successfully').first()).toBeVisible();
  await list.getByRole('button', { name: 'Copy' }).click();
  await expect(list.getByRole('listitem').filter({ hasText: 'Copy the link' })).toContainText('(done)');
  return page.evaluate(() => navigator.clipboard.readText());
}

test('from the printed address to the first file that somebody else reads it takes twelve clicks, and no mail server', async ({
  page,
  browser,
}) => {
  test.setTimeout(300_000);
  const started = performance.now();
  const product = await startNewProduct();
  try {
    const find = (pattern: RegExp) => pattern.exec(product.printed())?.[1];
    await expect.poll(() => find(/Set it up: (\S+)/), { message: 'the address is printed' }).toBeDefined();
    const clicks = new Clicks();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await clicks.countIn(page.context());
    await setUp(page, find(/Set it up: (\S+)/)!);
    const link = await share(page);

    const context = await browser.newContext();
    await clicks.countIn(context);
    const reader = await context.newPage();
    const email = newAddress('ayse');
    await reader.goto(link);
    await reader.getByLabel('Email address').focus();
    await reader.keyboard.type(email);
    await reader.getByRole('checkbox').check();
    await reader.getByRole('button', { name: 'Join Zone' }).click();
    const key = find(/\/dev\/mailbox\?key=(\S+)/);
    const mailbox = new Mailbox(reader.request, () => `${product.url}/dev/mailbox.json?key=${key}`);
    const inMail = await mailbox.link(email, '/verify-email');
    clicks.all.push('the button in the mail');
    await reader.goto(inMail);
    await reader.getByRole('button', { name: 'Confirm and join' }).click();
    await reader.getByRole('button', { name: notes.name, exact: true }).click();
    await expect(reader.getByRole('main')).toContainText('Light and shadow');

    const seconds = Math.round((performance.now() - started) / 1000);
    test.info().annotations.push({ type: 'first reader', description: `${seconds} s, ${clicks.all.length} clicks` });
    // In both browsers, on the first page and on the last one.
    expect(clicks.all).toEqual(expect.arrayContaining(['Create Account', 'Copy', 'Join Zone', 'Confirm and join']));
    expect(clicks.all.length, clicks.all.join(', ')).toBeLessThanOrEqual(MOST_CLICKS);
    await context.close();
  } finally {
    await product.stop();
  }
});

test('a click that falls into the moment in which a page comes alive is counted once', async ({ browser }) => {
  const context = await browser.newContext();
  const clicks = new Clicks();
  await clicks.countIn(context);
  const page = await context.newPage();
  await page.goto('data:text/html,<main><button>Drawn</button></main>');
  await page.locator('main').evaluate((main) => {
    main.addEventListener('mousemove', () => (main.innerHTML = '<button>Living</button>'), { once: true });
  });
  await page.getByRole('button').click();
  await expect.poll(() => clicks.all).toEqual(['Living']);
  await context.close();
});
