import type { Page } from '@playwright/test';
import { pdfFile, textFile } from '../support/sample-files.ts';
import { grantPlan } from '../support/super-admin.ts';
import { expect, expectAccessible, expectNoOverflow, makeUser, registerUser, test } from '../support/test.ts';
import {
  postApi,
  fileButton,
  folderLink,
  joinZone,
  createFolder,
  createUserWithZone,
  selectionToolbar,
  uploadFiles,
} from '../support/zones.ts';

test('a member reads a mirror that nobody can change and loses access when it is deleted', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const targetZoneId = await createUserWithZone(page, mailbox, { name: 'Course', type: 'public' });
  await grantPlan(browser, page, 'starter');
  const sourceZone = await postApi<{ id: number }>(page, '/api/zones', { name: 'Archive', type: 'private' });
  const mastersId = await createFolder(page, sourceZone.id, 'Masters');
  const scoresId = await createFolder(page, sourceZone.id, 'Scores', mastersId);
  await uploadFiles(
    page,
    sourceZone.id,
    [textFile('Score one.txt', 'first score'), pdfFile('Score two.pdf', 'Second score')],
    scoresId,
  );

  await page.goto(`/zones/${sourceZone.id}/share`);
  await page.getByRole('button', { name: 'Create Mirror' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('radio', { name: 'Masters' }).check();
  await form.getByLabel('Target zone').selectOption({ label: 'Course' });
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Create Mirror' }).click();
  await expect(page.getByText('Mirror Created')).toBeVisible();

  const context = await browser.newContext({ baseURL, locale: 'en-US' });
  const member = await context.newPage();
  const { email } = await registerUser(member, mailbox, makeUser('Ada', 'Kaya'));
  const { publicLink } = (await (await page.request.get(`/api/zones/${targetZoneId}`)).json()) as {
    publicLink: string;
  };
  await joinZone(member, publicLink, email);
  await member.goto(`/zones/${targetZoneId}`);
  await expect(member.getByRole('img', { name: 'Mirror folder - read only' })).toHaveText('m');
  await member.getByRole('button', { name: 'Actions for Masters' }).click();
  await expect(member.getByRole('menuitem', { name: 'Mirror folder - read only' })).toBeVisible();
  await expect(member.getByRole('menuitem', { name: 'Rename' })).toHaveCount(0);
  await member.keyboard.press('Escape');
  await folderLink(member, 'Masters').click();
  await folderLink(member, 'Scores').click();
  await fileButton(member, 'Score one.txt').click();
  await expect(member.getByRole('document', { name: 'Score one.txt' })).toContainText('first score');
  await member.keyboard.press('ArrowRight');
  const pageImage = member.getByRole('img', { name: 'Page 1', exact: true });
  await expect.poll(() => pageImage.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(0);
  await member.keyboard.press('Escape');
  await expect(fileButton(member, 'Score two.pdf')).toBeFocused();
  await expect(member.getByRole('button', { name: 'Upload' })).toHaveCount(0);
  await expectAccessible(member);

  // Its content is found by name and marked as mirrored.
  await expect(member.getByRole('dialog')).toHaveCount(0);
  await member.keyboard.press('Control+k');
  await member.getByRole('dialog').getByRole('combobox').fill('score one');
  const searchResult = member.getByRole('option', { name: /Score one\.txt/ });
  await expect(searchResult).toContainText('Course / Masters / Scores');
  await expect(searchResult.getByRole('img', { name: 'Mirror folder - read only' })).toBeVisible();
  await member.keyboard.press('Escape');

  // The owner sees the same, and is rejected with the reason.
  await page.goto(`/zones/${targetZoneId}`);
  await folderLink(page, 'Masters').click();
  await expect(page.getByRole('button', { name: 'New Folder' })).toBeDisabled();
  await folderLink(page, 'Scores').press('Delete');
  await expect(page.getByText('Operation Not Allowed')).toBeVisible();
  await folderLink(page, 'Scores').focus();
  await page.keyboard.press('Control+a');
  await expect(selectionToolbar(page).getByRole('button', { name: 'Move to…' })).toHaveCount(0);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);

  const fileUrl = `/api/files/${await findFirstFileId(page, sourceZone.id, scoresId)}/view`;
  expect((await member.request.get(fileUrl)).status()).toBe(200);
  await page.goto(`/zones/${sourceZone.id}/share`);
  await page.getByRole('button', { name: 'Delete mirror Masters' }).click();
  await expect(page.getByText('Mirror Deleted')).toBeVisible();
  expect((await member.request.get(fileUrl)).status()).toBe(404);
  await member.goto(`/zones/${targetZoneId}`);
  await expect(member.getByText('No files yet')).toBeVisible();
  await context.close();
});

/** Returns the id of the first file in a folder. */
async function findFirstFileId(page: Page, zoneId: number, folderId: number): Promise<number> {
  const response = await page.request.get(`/api/zones/${zoneId}/files?folderId=${folderId}`);
  return ((await response.json()) as [{ id: number }])[0].id;
}
