import type { Page } from '@playwright/test';
import { textFile } from '../support/sample-files.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  saveScreenshot,
  makeUser,
  registerUser,
  signIn,
  test,
} from '../support/test.ts';
import type { Mailbox } from '../support/mailbox.ts';
import { createFolder, fileButton, folderLink, postApi, selectionToolbar } from '../support/zones.ts';

/** A signed-in user in a new zone with a folder and three files. */
async function openNewZone(page: Page, mailbox: Mailbox, user = makeUser()): Promise<number> {
  await registerUser(page, mailbox, user);
  const { id } = await postApi<{ id: number }>(page, '/api/zones', { name: 'Studio', type: 'private' });
  await createFolder(page, id, 'Drafts');
  await page.goto(`/zones/${id}`);
  const files = ['Alpha.txt', 'Beta.txt', 'Gamma.txt'].map((name) => textFile(name, name));
  await page.locator('input[type=file][multiple]').setInputFiles(files);
  for (const { name } of files) await expect(fileButton(page, name)).toBeVisible();
  return id;
}

test('a user starts a selection by long press, extends it and ends it', async ({ page, mailbox }) => {
  await openNewZone(page, mailbox);
  await fileButton(page, 'Beta.txt').click({ delay: 700 });
  await expect(selectionToolbar(page)).toContainText('1 selected');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await folderLink(page, 'Drafts').click();
  await fileButton(page, 'Gamma.txt').click();
  await expect(selectionToolbar(page)).toContainText('3 selected');
  await expectAccessible(page);
  await saveScreenshot(page, 'selection.png');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await fileButton(page, 'Gamma.txt').click();
  await folderLink(page, 'Drafts').click();
  await fileButton(page, 'Beta.txt').click();
  await expect(selectionToolbar(page)).toHaveCount(0);
  await fileButton(page, 'Beta.txt').click();
  await expect(page.getByRole('document', { name: 'Beta.txt' })).toContainText('Beta.txt');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Actions for Gamma.txt' }).click();
  await page.getByRole('menuitem', { name: 'Select' }).click();
  await expect(selectionToolbar(page)).toContainText('1 selected');
  await selectionToolbar(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(selectionToolbar(page)).toHaveCount(0);
});

test('a user opens the menu by right click and keyboard, and copies a link for members', async ({ page, mailbox }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const user = makeUser();
  const zoneId = await openNewZone(page, mailbox, user);
  const menuOf = (name: string) => page.getByRole('menu', { name: `Actions for ${name}` });
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await fileButton(page, 'Alpha.txt').click({ button: 'right' });
  const entries = await menuOf('Alpha.txt').getByRole('menuitem').allTextContents();
  await expectAccessible(page);
  await saveScreenshot(page, 'context-menu.png');
  await menuOf('Alpha.txt').getByRole('menuitem', { name: 'Copy Link' }).click();
  await expect(page.getByText('Members of the zone can open it after signing in.')).toBeVisible();
  const url = await readClipboard();
  await page.getByRole('button', { name: 'Actions for Alpha.txt' }).click();
  await expect(menuOf('Alpha.txt').getByRole('menuitem')).toHaveText(entries);
  await page.keyboard.press('Escape');

  await folderLink(page, 'Drafts').focus();
  await page.keyboard.press('Shift+F10');
  await expect(menuOf('Drafts').getByRole('menuitem', { name: 'Open' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(folderLink(page, 'Drafts')).toBeFocused();
  await page.keyboard.press('ContextMenu');
  await menuOf('Drafts').getByRole('menuitem', { name: 'Copy Link' }).click();
  await expect.poll(readClipboard).toMatch(new RegExp(`/zones/${zoneId}/folders/\\d+$`));
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 360, height: 740 });
  await fileButton(page, 'Gamma.txt').click({ button: 'right' });
  await expect(menuOf('Gamma.txt')).toBeVisible();
  await expectNoOverflow(page);
  await saveScreenshot(page, 'context-menu-phone-dark.png');
  // The file opens after signing in.
  await page.context().clearCookies();
  await page.goto(url);
  await signIn(page, user);
  await expect(page.getByRole('document', { name: 'Alpha.txt' })).toContainText('Alpha.txt');
});

test('a user selects with Ctrl, Shift and the keyboard, deletes the selection and undoes it', async ({
  page,
  mailbox,
}) => {
  await openNewZone(page, mailbox);
  await page.getByRole('button', { name: 'List' }).click();
  // A checkbox appears under the pointer and with the focus.
  const checkbox = page.getByRole('checkbox', { name: 'Select Beta.txt' });
  await expect(checkbox.locator('..')).toHaveCSS('opacity', '0');
  await fileButton(page, 'Beta.txt').hover();
  await expect(checkbox.locator('..')).toHaveCSS('opacity', '1');
  await saveScreenshot(page, 'checkbox-on-hover.png');
  await checkbox.check();
  await expect(selectionToolbar(page)).toContainText('1 selected');
  await checkbox.uncheck();
  await expect(selectionToolbar(page)).toHaveCount(0);
  await page.mouse.move(0, 0);
  await fileButton(page, 'Beta.txt').focus();
  await page.keyboard.press('Shift+Tab');
  await expect(checkbox).toBeFocused();
  await expect(checkbox.locator('..')).toHaveCSS('opacity', '1');
  await page.keyboard.press('Space');
  await expect(selectionToolbar(page)).toContainText('1 selected');
  await page.keyboard.press('Escape');
  await fileButton(page, 'Alpha.txt').click({ modifiers: ['Control'] });
  await fileButton(page, 'Gamma.txt').click({ modifiers: ['Shift'] });
  await expect(selectionToolbar(page)).toContainText('3 selected');
  await expect(page.getByRole('row', { selected: true })).toHaveCount(3);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(selectionToolbar(page)).toHaveCount(0);

  await folderLink(page, 'Drafts').focus();
  await page.keyboard.press('Control+Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+Space');
  await expect(selectionToolbar(page)).toContainText('2 selected');
  await page.keyboard.press('Space');
  await expect(page.getByRole('document', { name: 'Alpha.txt' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(fileButton(page, 'Alpha.txt')).toBeFocused();
  await page.keyboard.press('Control+a');
  await expect(selectionToolbar(page)).toContainText('4 selected');
  await page.keyboard.press('Delete');
  await expect(page.getByText('4 items deleted')).toBeVisible();
  await expect(page.getByText('No files yet')).toBeVisible();
  await expect(selectionToolbar(page)).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Restored')).toBeVisible();
  await expect(folderLink(page, 'Drafts')).toBeVisible();
  for (const name of ['Alpha.txt', 'Beta.txt', 'Gamma.txt']) await expect(fileButton(page, name)).toBeVisible();
  await expect(selectionToolbar(page)).toHaveCount(0);
});
