import type { Locator, Page } from '@playwright/test';
import { textFile } from '../support/sample-files.ts';
import { grantPlan } from '../support/super-admin.ts';
import { expect, expectAccessible, expectNoOverflow, saveScreenshot, test } from '../support/test.ts';
import {
  fileButton,
  folderLink,
  createFolder,
  createUserWithZone,
  postApi,
  selectionToolbar,
  uploadFiles,
} from '../support/zones.ts';

/** Drags an item over a target without releasing the mouse. */
async function dragOver(page: Page, item: Locator, target: Locator): Promise<void> {
  const { x, y, width, height } = (await target.boundingBox())!;
  await item.hover();
  await page.mouse.down();
  await page.mouse.move(x + width / 2 - 20, y + height / 2 - 20);
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 5 });
}

async function dragAndDrop(page: Page, item: Locator, target: Locator): Promise<void> {
  await dragOver(page, item, target);
  await page.mouse.up();
}

for (const view of ['Grid', 'List']) {
  test(`a user drags files onto a folder, a breadcrumb and the file area (${view})`, async ({ page, mailbox }) => {
    const id = await createUserWithZone(page, mailbox);
    const draftsId = await createFolder(page, id, 'Drafts');
    await createFolder(page, id, 'Old', draftsId);
    const names = ['Alpha.txt', 'Beta.txt', 'Gamma.txt'];
    await uploadFiles(
      page,
      id,
      names.map((name) => textFile(name, name)),
    );
    await page.goto(`/zones/${id}`);
    await page.getByRole('button', { name: view }).click();

    await dragAndDrop(page, fileButton(page, 'Beta.txt'), folderLink(page, 'Drafts'));
    await expect(page.getByText('File moved to “Drafts”')).toBeVisible();
    await expect(fileButton(page, 'Beta.txt')).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('Moved back')).toBeVisible();
    await expect(fileButton(page, 'Beta.txt')).toBeVisible();

    await fileButton(page, 'Alpha.txt').click({ modifiers: ['Control'] });
    await fileButton(page, 'Gamma.txt').click({ modifiers: ['Control'] });
    await dragOver(page, fileButton(page, 'Gamma.txt'), folderLink(page, 'Drafts'));
    await expect(page.getByText('2 items', { exact: true })).toBeVisible();
    await expect(page.getByText('Move to “Drafts”')).toBeVisible();
    await saveScreenshot(page, 'dragging.png');
    await page.mouse.up();
    await expect(page.getByText('2 items moved to “Drafts”')).toBeVisible();
    await expect(selectionToolbar(page)).toHaveCount(0);

    await folderLink(page, 'Drafts').click();
    await expect(fileButton(page, 'Gamma.txt')).toBeVisible();
    const folderPath = page.getByRole('navigation', { name: 'Folder path' });
    await dragAndDrop(page, fileButton(page, 'Alpha.txt'), folderPath.getByRole('link', { name: 'Studio' }));
    await expect(page.getByText('File moved to “Studio”')).toBeVisible();
    await expect(fileButton(page, 'Alpha.txt')).toHaveCount(0);
    await dragAndDrop(page, fileButton(page, 'Gamma.txt'), page.getByText('You can also drop files here'));
    await expect(fileButton(page, 'Gamma.txt')).toHaveCount(0);
    await folderLink(page, 'Studio').click();
    for (const name of names) await expect(fileButton(page, name)).toBeVisible();

    // Dropped on itself and cancelled: nothing happens and nothing opens.
    const box = (await fileButton(page, 'Beta.txt').boundingBox())!;
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + 30, box.y + 8, { steps: 4 });
    await page.mouse.up();
    await dragOver(page, fileButton(page, 'Beta.txt'), folderLink(page, 'Drafts'));
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(fileButton(page, 'Beta.txt')).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/zones/${id}$`));
  });
}

test('a user moves items with the dialog by keyboard and sees which targets are not allowed', async ({
  page,
  mailbox,
}) => {
  const id = await createUserWithZone(page, mailbox);
  const one = await createFolder(page, id, 'One');
  const two = await createFolder(page, id, 'Two', one);
  const three = await createFolder(page, id, 'Three', two);
  const four = await createFolder(page, id, 'Four', three);
  const other = await createFolder(page, id, 'Other');
  await createFolder(page, id, 'Inner', other);
  await uploadFiles(page, id, [textFile('Notes.txt', 'first')]);
  await uploadFiles(page, id, [textFile('Notes.txt', 'second')], two);
  await page.goto(`/zones/${id}`);

  await folderLink(page, 'Other').focus();
  await page.keyboard.press('Control+Space');
  await selectionToolbar(page).getByRole('button', { name: 'Move to…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move “Other”' });
  const treeItem = (name: string) => dialog.getByRole('treeitem', { name, exact: true });
  await expect(treeItem('Studio')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await expect(treeItem('Four')).toBeFocused();
  await expect(dialog.getByRole('status')).toHaveText('Folders can be at most 5 levels deep.');
  await expect(dialog.getByRole('button', { name: 'Move Here' })).toBeDisabled();
  await page.keyboard.press('End');
  await expect(treeItem('Other')).toHaveAttribute('aria-disabled', 'true');
  await expect(dialog.getByRole('status')).toHaveText(/can’t be moved into itself/);
  await expectAccessible(page);
  await saveScreenshot(page, 'move-dialog.png');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  await saveScreenshot(page, 'move-dialog-phone.png');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('status')).toHaveText('Studio / One');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Folder moved to “One”')).toBeVisible();
  await expect(folderLink(page, 'Other')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(folderLink(page, 'Other')).toBeVisible();

  // A name conflict asks first, then adds a number.
  await page.getByRole('button', { name: 'Actions for Notes.txt' }).click();
  await page.getByRole('menuitem', { name: 'Move to…' }).click();
  await page.getByRole('treeitem', { name: 'One', exact: true }).click();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('treeitem', { name: 'Two', exact: true }).click();
  await page.getByRole('button', { name: 'Move Here' }).click();
  const conflictDialog = page.getByRole('dialog', { name: 'An item with this name is already in “Two”' });
  await expect(conflictDialog).toContainText('Notes.txt');
  await expect(page.getByRole('button', { name: 'Notes.txt', exact: true, includeHidden: true })).toBeVisible();
  await conflictDialog.getByRole('button', { name: 'Rename & Move' }).click();
  await expect(page.getByText('File moved to “Two”')).toBeVisible();
  await page.goto(`/zones/${id}/folders/${two}`);
  await expect(fileButton(page, 'Notes (1).txt')).toBeVisible();
  await page.goto(`/zones/${id}/folders/${four}`);
  await expect(page.getByText('This folder is empty')).toBeVisible();
});

test('an owner copies and moves items to another zone on a phone and by dragging, and undoes it', async ({
  page,
  browser,
  mailbox,
}) => {
  const id = await createUserWithZone(page, mailbox);
  await grantPlan(browser, page, 'creator');
  const archive = await postApi<{ id: number }>(page, '/api/zones', { name: 'Archive', type: 'private' });
  const folderId = await createFolder(page, id, 'Course');
  await uploadFiles(page, id, [textFile('Notes.txt', 'words')], folderId);
  await createFolder(page, archive.id, 'Old');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/zones/${id}`);
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'Actions for Course' }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await page.getByRole('combobox', { name: 'Zone' }).selectOption('Archive');
  };
  const list = async (zoneId: number) =>
    ((await (await page.request.get(`/api/zones/${zoneId}/folders`)).json()) as { name: string; id: number }[]).filter(
      ({ name }) => name === 'Course',
    );

  await choose('Copy to…');
  const dialog = page.getByRole('dialog', { name: 'Copy “Course”' });
  await dialog.getByRole('treeitem', { name: 'Old', exact: true }).click();
  await expect(dialog.getByRole('status')).toHaveText('Archive / Old');
  await expectAccessible(page);
  await expectNoOverflow(page);
  await saveScreenshot(page, 'copy-dialog-phone.png');
  await dialog.getByRole('treeitem', { name: 'Archive', exact: true }).click();
  await dialog.getByRole('button', { name: 'Copy Here' }).click();
  await expect(page.getByText('1 item copied to “Archive”')).toBeVisible();
  expect(await list(archive.id)).toHaveLength(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone')).toBeVisible();
  expect(await list(archive.id)).toEqual([]);

  await choose('Move to…');
  await page.getByRole('button', { name: 'Move Here' }).click();
  await expect(page.getByText('1 item moved to “Archive”')).toBeVisible();
  await expect(folderLink(page, 'Course')).toHaveCount(0);
  expect(await list(archive.id)).toEqual([expect.objectContaining({ id: folderId })]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(folderLink(page, 'Course')).toBeVisible();
  expect(await list(archive.id)).toEqual([]);

  // With a sidebar, the zones are targets in it.
  await page.setViewportSize({ width: 1440, height: 900 });
  const zones = page.getByRole('list', { name: 'Move to Zone' });
  const course = folderLink(page, 'Course');
  await page.goto(`/zones/${id}`);
  const startDrag = async () => {
    await course.hover();
    const { x, y } = (await course.boundingBox())!;
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 60, { steps: 5 });
    await expect(zones).toBeVisible();
  };
  const dragOverZone = async (name: string) => {
    const box = (await zones.getByText(name).boundingBox())!;
    await page.mouse.move(box.x + 20, box.y + box.height / 2, { steps: 5 });
  };
  await startDrag();
  await expect(zones.getByRole('listitem')).toHaveText(['Archive', /^Studio.*Already in this zone$/]);
  await dragOverZone('Studio');
  await page.mouse.up();
  await expect(zones).toHaveCount(0);
  await expect(course).toBeVisible();
  await startDrag();
  await dragOverZone('Archive');
  await expect(page.getByText('Move to “Archive”')).toBeVisible();
  await saveScreenshot(page, 'drag-to-zone.png');
  await page.emulateMedia({ colorScheme: 'dark' });
  await saveScreenshot(page, 'drag-to-zone-dark.png');
  await page.mouse.up();
  await expect(page.getByText('1 item moved to “Archive”')).toBeVisible();
  await expect(course).toHaveCount(0);
  expect(await list(archive.id)).toEqual([expect.objectContaining({ id: folderId })]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(course).toBeVisible();
  expect(await list(archive.id)).toEqual([]);
});
