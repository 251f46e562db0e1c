import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoOverflow, saveScreenshot, registerUser, test } from '../support/test.ts';
import { createUserWithZone } from '../support/zones.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const field = (page: Page, name: string | RegExp) => dialog(page).getByLabel(name);
const notice = (page: Page) => dialog(page).getByText('We’ve restored what you wrote before the page was reloaded.');

/** Leaves the page although the browser asks, as users do by accident. */
const acceptLeavingPage = (page: Page) => page.on('dialog', (question) => void question.accept());

const listDraftKeys = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('zonary.words.')));
const readBrowserStorage = (page: Page) => page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));

test('a user’s entries for a new zone survive a reload until they are saved or discarded', async ({
  page,
  mailbox,
}) => {
  acceptLeavingPage(page);
  await registerUser(page, mailbox);
  await page.goto('/zones');
  const openDialog = () => page.getByRole('link', { name: 'Create Your First Zone' }).click();
  await openDialog();
  await field(page, /^Name/).fill('Watercolour');
  await dialog(page)
    .getByRole('radio', { name: /Public/ })
    .check();
  // The answered question is still fading out when Escape is pressed again.
  await page.keyboard.press('Escape');
  const discardDialog = page.getByRole('dialog', { name: 'Discard your changes?' });
  for (let round = 0; round < 2; round++) {
    await discardDialog.getByRole('button', { name: 'Keep Editing' }).click();
    await page.keyboard.press('Escape');
  }
  await discardDialog.getByRole('button', { name: 'Keep Editing' }).click();
  await expect(discardDialog).toHaveCount(0);
  // The URL still opens the dialog.
  await page.reload();
  await expect(field(page, /^Name/)).toHaveValue('Watercolour');
  await expect(dialog(page).getByRole('radio', { name: /Public/ })).toBeChecked();
  await expect(notice(page)).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  await saveScreenshot(page, 'kept.png');
  await page.setViewportSize({ width: 1280, height: 800 });

  // A draft the user discards is deleted.
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await openDialog();
  await expect(field(page, /^Name/)).toHaveValue('');
  await expect(notice(page)).toHaveCount(0);

  await field(page, /^Name/).fill('Gouache');
  await dialog(page).getByRole('button', { name: 'Create Zone' }).click();
  await expect.poll(() => listDraftKeys(page)).toEqual([]);
});

test('a user’s drafts are kept without passwords and removed in every tab on sign-out', async ({
  page,
  context,
  mailbox,
}) => {
  acceptLeavingPage(page);
  const id = await createUserWithZone(page, mailbox);
  await page.goto(`/zones/${id}/share`);
  await page.getByRole('button', { name: 'Create Temporary Link' }).click();
  await field(page, /^Name/).fill('Poster');
  await field(page, /^Password/).fill('open sesame');
  expect(await readBrowserStorage(page)).toContain('Poster');
  expect(await readBrowserStorage(page)).not.toContain('sesame');
  await page.reload();
  await page.getByRole('button', { name: 'Create Temporary Link' }).click();
  await expect(field(page, /^Name/)).toHaveValue('Poster');
  await expect(field(page, /^Password/)).toHaveValue('');

  // Another tab has its own drafts, which are deleted when any tab signs out.
  const otherTab = await context.newPage();
  await otherTab.goto(`/zones/${id}/members`);
  await otherTab.getByRole('button', { name: 'Invite Members' }).click();
  await field(otherTab, 'Email addresses').fill('ada@example.org');
  await expect.poll(() => listDraftKeys(otherTab)).toHaveLength(1);
  await page.reload();
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible();
  expect(await listDraftKeys(page)).toEqual([]);
  await expect.poll(() => listDraftKeys(otherTab)).toEqual([]);
  await otherTab.close();
});
