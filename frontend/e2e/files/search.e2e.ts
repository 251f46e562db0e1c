import type { Page } from '@playwright/test';
import { pdfFile, textFile } from '../support/sample-files.ts';
import { expect, expectAccessible, expectNoOverflow, saveScreenshot, test } from '../support/test.ts';
import { postApi, fileButton, folderLink, createFolder, createUserWithZone, uploadFiles } from '../support/zones.ts';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search and commands' });
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name });

test('a user searches a zone by name and opens, locates, moves and deletes what is found', async ({
  page,
  mailbox,
}) => {
  const id = await createUserWithZone(page, mailbox);
  const draftsId = await createFolder(page, id, 'Drafts');
  const oldPlansId = await createFolder(page, id, 'Old plans', draftsId);
  await uploadFiles(page, id, [textFile('Plan A.txt', 'the first plan')], oldPlansId);
  await uploadFiles(page, id, [textFile('Notes.txt', 'notes'), textFile('Işık planı.txt', 'lamps')]);
  await page.goto(`/zones/${id}`);
  await expect(folderLink(page, 'Drafts')).toBeVisible();

  await page.keyboard.press('/');
  const searchField = page.getByRole('searchbox', { name: 'Search this zone' });
  await expect(searchField).toBeFocused();
  await page.keyboard.type('plan');
  await expect(page.getByRole('navigation', { name: 'Folder path' })).toContainText('Results for “plan”');
  await expect(page.getByRole('row')).toHaveCount(4);
  await expect(page).toHaveURL(/\?q=plan$/);
  await expect(page.getByRole('link', { name: 'In Drafts / Old plans' })).toBeVisible();
  await expectAccessible(page);
  await saveScreenshot(page, 'results.png');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  await saveScreenshot(page, 'results-phone.png');
  await page.setViewportSize({ width: 1440, height: 900 });

  await fileButton(page, 'Plan A.txt').click();
  await expect(page.getByRole('document', { name: 'Plan A.txt' })).toContainText('the first plan');
  await page.keyboard.press('Escape');
  await expect(searchField).toHaveValue('plan');
  await page.getByRole('button', { name: 'Actions for Plan A.txt' }).click();
  await page.getByRole('menuitem', { name: 'Show in Folder' }).click();
  await expect(page).toHaveURL(new RegExp(`/folders/${oldPlansId}\\?item=file-`));
  await expect(fileButton(page, 'Plan A.txt')).toBeFocused();

  await page.goBack();
  await expect(searchField).toHaveValue('plan');
  await fileButton(page, 'Plan A.txt').press('Delete');
  await expect(page.getByText('File deleted')).toBeVisible();
  await expect(fileButton(page, 'Plan A.txt')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(fileButton(page, 'Plan A.txt')).toBeVisible();

  await uploadFiles(page, id, [pdfFile('Lights.pdf', 'A large softbox', 3)]);
  await searchField.fill('softbox');
  const documentResults = page.getByRole('region', { name: 'Inside Documents' });
  // Text is extracted after the upload; the page repeats the search meanwhile.
  await expect(documentResults.getByRole('link', { name: 'Lights.pdf' })).toBeVisible({ timeout: 60_000 });
  await expect(documentResults).toContainText('Page 1 and 2 more pages');
  await expectAccessible(page);
  await saveScreenshot(page, 'inside-documents.png');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  await saveScreenshot(page, 'inside-documents-phone.png');
  await page.setViewportSize({ width: 1440, height: 900 });
  await documentResults.getByRole('link', { name: 'Lights.pdf' }).click();
  await expect(page).toHaveURL(/\/files\/\d+\?find=softbox$/);
  await expect(page.getByRole('search').getByRole('textbox')).toHaveValue('softbox');
  await expect(page.getByRole('search')).toContainText('1 of 3');
  await page.goBack();

  await searchField.fill('IŞIK');
  await expect(page.getByRole('row')).toHaveCount(2);
  await searchField.fill('nowhere to be found');
  await expect(page.getByText('No results for “nowhere to be found”')).toBeVisible();
  await expectAccessible(page);
  await searchField.press('Escape');
  await expect(searchField).toHaveValue('');
  await expect(folderLink(page, 'Drafts')).toBeVisible();
});

test('a user reaches zones, files, pages and actions from the command palette by keyboard', async ({
  page,
  mailbox,
}) => {
  const id = await createUserWithZone(page, mailbox);
  const draftsId = await createFolder(page, id, 'Drafts');
  await uploadFiles(page, id, [textFile('Plan A.txt', 'the first plan')], draftsId);
  await page.goto('/settings');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();

  await page.keyboard.press('Control+k');
  const searchField = palette(page).getByRole('combobox', { name: 'Search or jump to…' });
  await expect(searchField).toBeFocused();
  await expectAccessible(page);
  await saveScreenshot(page, 'palette-empty.png');
  await page.keyboard.type('plan');
  await expect(option(page, /Plan A\.txt/)).toHaveAttribute('aria-selected', 'true');
  await expect(option(page, /Plan A\.txt/)).toContainText('Studio / Drafts');
  await expectAccessible(page);
  await saveScreenshot(page, 'palette.png');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  await saveScreenshot(page, 'palette-phone.png');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/zones/${id}/files/\\d+$`));
  await expect(page.getByRole('document', { name: 'Plan A.txt' })).toContainText('the first plan');
  await page.keyboard.press('Escape');
  await expect(fileButton(page, 'Plan A.txt')).toBeFocused();

  await uploadFiles(page, id, [pdfFile('Lights.pdf', 'A large softbox', 3)]);
  await page.keyboard.press('Control+k');
  await expect(searchField).toBeFocused();
  await searchField.fill('softbox');
  await expect(option(page, /Lights\.pdf/)).toContainText('Page 1 · Studio · A large softbox 1', { timeout: 60_000 });
  await expectAccessible(page);
  await saveScreenshot(page, 'palette-texts.png');
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+k');
  await expect(searchField).toBeFocused();
  await page.keyboard.type('trash');
  await expect(option(page, 'Trash of Studio')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The trash is empty')).toBeVisible();

  // On pages without their own search, / opens the palette.
  await page.keyboard.press('/');
  await expect(searchField).toBeFocused();
  await page.keyboard.type('dark');
  await expect(option(page, 'Dark appearance')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.keyboard.press('Control+k');
  await expect(searchField).toBeFocused();
  await page.keyboard.type('stud');
  await expect(option(page, 'Studio').first()).toBeVisible();
  await saveScreenshot(page, 'palette-dark.png');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/zones/${id}$`));
  await page.getByRole('button', { name: 'Search…' }).click();
  await expect(searchField).toBeFocused();
  await page.keyboard.type('nothing like that');
  await expect(palette(page)).toContainText('No results for “nothing like that”');
  await page.keyboard.press('Escape');
  await expect(palette(page)).toHaveCount(0);
  await postApi(page, `/api/zones/${id}/delete`, { fileIds: [], folderIds: [draftsId] }, 200);
  // Old preview URLs lead to the reader.
  await page.goto(`/zones/${id}?preview=999999`);
  await expect(page.getByText('This file no longer exists')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/zones/${id}/files/999999$`));
  await page.getByRole('alert').getByRole('link', { name: 'Back to the Files' }).click();
  await expect(page).toHaveURL(new RegExp(`/zones/${id}$`));
});
