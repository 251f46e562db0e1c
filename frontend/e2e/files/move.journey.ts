import type { Locator, Page } from '@playwright/test';
import { text } from '../support/files.ts';
import { expect, expectAccessible, expectNoOverflow, keepPicture, test } from '../support/test.ts';
import { file, folder, makeFolder, openStudio, selectionBar, store } from '../support/zones.ts';

/** Takes hold of something with the mouse and holds it above something else; the mouse stays down. */
async function hold(page: Page, what: Locator, above: Locator): Promise<void> {
  const { x, y, width, height } = (await above.boundingBox())!;
  await what.hover();
  await page.mouse.down();
  await page.mouse.move(x + width / 2 - 20, y + height / 2 - 20);
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 5 });
}

async function drag(page: Page, what: Locator, onto: Locator): Promise<void> {
  await hold(page, what, onto);
  await page.mouse.up();
}

for (const view of ['Grid', 'List']) {
  test(`files are dragged onto a folder, a part of the path, and the area (${view})`, async ({ page, mailbox }) => {
    const id = await openStudio(page, mailbox);
    const drafts = await makeFolder(page, id, 'Drafts');
    await makeFolder(page, id, 'Old', drafts);
    const names = ['Alpha.txt', 'Beta.txt', 'Gamma.txt'];
    await store(
      page,
      id,
      names.map((name) => text(name, name)),
    );
    await page.goto(`/zones/${id}`);
    await page.getByRole('button', { name: view }).click();

    await drag(page, file(page, 'Beta.txt'), folder(page, 'Drafts'));
    await expect(page.getByText('File moved to “Drafts”')).toBeVisible();
    await expect(file(page, 'Beta.txt')).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('Moved back')).toBeVisible();
    await expect(file(page, 'Beta.txt')).toBeVisible();

    await file(page, 'Alpha.txt').click({ modifiers: ['Control'] });
    await file(page, 'Gamma.txt').click({ modifiers: ['Control'] });
    await hold(page, file(page, 'Gamma.txt'), folder(page, 'Drafts'));
    await expect(page.getByText('2 items', { exact: true })).toBeVisible();
    await expect(page.getByText('Move to “Drafts”')).toBeVisible();
    await keepPicture(page, 'dragging.png');
    await page.mouse.up();
    await expect(page.getByText('2 items moved to “Drafts”')).toBeVisible();
    await expect(selectionBar(page)).toHaveCount(0);

    await folder(page, 'Drafts').click();
    await expect(file(page, 'Gamma.txt')).toBeVisible();
    const path = page.getByRole('navigation', { name: 'Folder path' });
    await drag(page, file(page, 'Alpha.txt'), path.getByRole('link', { name: 'Studio' }));
    await expect(page.getByText('File moved to “Studio”')).toBeVisible();
    await expect(file(page, 'Alpha.txt')).toHaveCount(0);
    await drag(page, file(page, 'Gamma.txt'), page.getByText('You can also drop files here'));
    await expect(file(page, 'Gamma.txt')).toHaveCount(0);
    await folder(page, 'Studio').click();
    for (const name of names) await expect(file(page, name)).toBeVisible();

    // Dropped on itself, and given up: nothing happens, and nothing is opened.
    const box = (await file(page, 'Beta.txt').boundingBox())!;
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + 30, box.y + 8, { steps: 4 });
    await page.mouse.up();
    await hold(page, file(page, 'Beta.txt'), folder(page, 'Drafts'));
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(file(page, 'Beta.txt')).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/zones/${id}$`));
  });
}

test('the dialog moves by keyboard alone, and says where things cannot go', async ({ page, mailbox }) => {
  const id = await openStudio(page, mailbox);
  const one = await makeFolder(page, id, 'One');
  const two = await makeFolder(page, id, 'Two', one);
  const three = await makeFolder(page, id, 'Three', two);
  const four = await makeFolder(page, id, 'Four', three);
  const other = await makeFolder(page, id, 'Other');
  await makeFolder(page, id, 'Inner', other);
  await store(page, id, [text('Notes.txt', 'first')]);
  await store(page, id, [text('Notes.txt', 'second')], two);
  await page.goto(`/zones/${id}`);

  await folder(page, 'Other').focus();
  await page.keyboard.press('Control+Space');
  await selectionBar(page).getByRole('button', { name: 'Move to…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move “Other”' });
  const place = (name: string) => dialog.getByRole('treeitem', { name, exact: true });
  await expect(place('Studio')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await expect(place('Four')).toBeFocused();
  await expect(dialog.getByRole('status')).toHaveText('Folders can be at most 5 levels deep.');
  await expect(dialog.getByRole('button', { name: 'Move here' })).toBeDisabled();
  await page.keyboard.press('End');
  await expect(place('Other')).toHaveAttribute('aria-disabled', 'true');
  await expect(dialog.getByRole('status')).toHaveText(/can’t be moved into itself/);
  await expectAccessible(page);
  await keepPicture(page, 'move-dialog.png');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  await keepPicture(page, 'move-dialog-phone.png');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('status')).toHaveText('Studio / One');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Folder moved to “One”')).toBeVisible();
  await expect(folder(page, 'Other')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(folder(page, 'Other')).toBeVisible();

  // A name that is taken there is asked about, and gets a number.
  await page.getByRole('button', { name: 'Actions for Notes.txt' }).click();
  await page.getByRole('menuitem', { name: 'Move to…' }).click();
  await page.getByRole('treeitem', { name: 'One', exact: true }).click();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('treeitem', { name: 'Two', exact: true }).click();
  await page.getByRole('button', { name: 'Move here' }).click();
  const clash = page.getByRole('dialog', { name: 'An item with this name is already in “Two”' });
  await expect(clash).toContainText('Notes.txt');
  await expect(page.getByRole('button', { name: 'Notes.txt', exact: true, includeHidden: true })).toBeVisible();
  await clash.getByRole('button', { name: 'Rename & move' }).click();
  await expect(page.getByText('File moved to “Two”')).toBeVisible();
  await page.goto(`/zones/${id}/folders/${two}`);
  await expect(file(page, 'Notes (1).txt')).toBeVisible();
  await page.goto(`/zones/${id}/folders/${four}`);
  await expect(page.getByText('This folder is empty')).toBeVisible();
});
