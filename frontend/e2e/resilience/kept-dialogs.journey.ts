import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoOverflow, keepPicture, register, test } from '../support/test.ts';
import { openStudio } from '../support/zones.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const field = (page: Page, name: string | RegExp) => dialog(page).getByLabel(name);
const notice = (page: Page) => dialog(page).getByText('We’ve restored what you wrote before the page was reloaded.');

/** By an accident the page is left although the browser asks. */
const careless = (page: Page) => page.on('dialog', (question) => void question.accept());

const keys = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('zonary.words.')));
const stored = (page: Page) => page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));

test('what was typed for a new zone outlasts a reload until it is made or let go', async ({ page, mailbox }) => {
  careless(page);
  await register(page, mailbox);
  await page.goto('/zones');
  const open = () => page.getByRole('link', { name: 'Create Your First Zone' }).click();
  await open();
  await field(page, /^Name/).fill('Watercolour');
  await dialog(page)
    .getByRole('radio', { name: /Public/ })
    .check();
  // The question that is answered still fades as Escape is pressed again.
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });
  for (let time = 0; time < 2; time++) {
    await question.getByRole('button', { name: 'Keep Editing' }).click();
    await page.keyboard.press('Escape');
  }
  await question.getByRole('button', { name: 'Keep Editing' }).click();
  await expect(question).toHaveCount(0);
  // The address still asks for the dialog.
  await page.reload();
  await expect(field(page, /^Name/)).toHaveValue('Watercolour');
  await expect(dialog(page).getByRole('radio', { name: /Public/ })).toBeChecked();
  await expect(notice(page)).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  await keepPicture(page, 'kept.png');
  await page.setViewportSize({ width: 1280, height: 800 });

  // Let go by a person, it is gone.
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await open();
  await expect(field(page, /^Name/)).toHaveValue('');
  await expect(notice(page)).toHaveCount(0);

  await field(page, /^Name/).fill('Gouache');
  await dialog(page).getByRole('button', { name: 'Create Zone' }).click();
  await expect.poll(() => keys(page)).toEqual([]);
});

test('addresses and links are kept without a password, each for its zone, and nothing after signing out', async ({
  page,
  context,
  mailbox,
}) => {
  careless(page);
  const id = await openStudio(page, mailbox);
  await page.goto(`/zones/${id}/share`);
  await page.getByRole('button', { name: 'Create link' }).click();
  await field(page, /^Name/).fill('Poster');
  await field(page, /^Password/).fill('open sesame');
  expect(await stored(page)).toContain('Poster');
  expect(await stored(page)).not.toContain('sesame');
  await page.reload();
  await page.getByRole('button', { name: 'Create link' }).click();
  await expect(field(page, /^Name/)).toHaveValue('Poster');
  await expect(field(page, /^Password/)).toHaveValue('');

  // Another tab keeps its own, and forgets with the one that signs out.
  const other = await context.newPage();
  await other.goto(`/zones/${id}/members`);
  await other.getByRole('button', { name: 'Invite Members' }).click();
  await field(other, 'Email addresses').fill('ada@example.org');
  await expect.poll(() => keys(other)).toHaveLength(1);
  await page.reload();
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible();
  expect(await keys(page)).toEqual([]);
  await expect.poll(() => keys(other)).toEqual([]);
  await other.close();
});
