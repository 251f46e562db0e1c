import type { Page } from '@playwright/test';
import { pdfFile, textFile } from '../support/sample-files.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  makeUser,
  registerUser,
  saveScreenshot,
  test,
} from '../support/test.ts';
import { createUserWithZone, fileButton, joinZone, uploadFiles } from '../support/zones.ts';

const versionsDialog = (page: Page) => page.getByRole('dialog', { name: 'Versions' });
const openMenuItem = async (page: Page, file: string, item: string) => {
  await page.getByRole('button', { name: `Actions for ${file}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

test('an owner corrects a shared PDF, readers see the new one, and the first version comes back', async ({
  page,
  browser,
  mailbox,
}) => {
  const zoneId = await createUserWithZone(page, mailbox, { type: 'public' });
  await uploadFiles(page, zoneId, [pdfFile('Plan.pdf', 'First wording')]);
  const files = (await (await page.request.get(`/api/zones/${zoneId}/files`)).json()) as { id: number }[];
  const { id } = files[0]!;
  const { publicLink } = (await (await page.request.get(`/api/zones/${zoneId}`)).json()) as { publicLink: string };
  const reader = await (await browser.newContext({ baseURL: test.info().project.use.baseURL! })).newPage();
  await joinZone(reader, publicLink, (await registerUser(reader, mailbox, makeUser('Ece', 'Can'))).email);
  await reader.goto(`/zones/${zoneId}/files/${id}`);
  await expect(reader.getByText('First wording')).toBeAttached();

  await page.goto(`/zones/${zoneId}`);
  await openMenuItem(page, 'Plan.pdf', 'Versions');
  await expect(versionsDialog(page).getByRole('listitem')).toHaveCount(1);
  const chooser = page.waitForEvent('filechooser');
  await versionsDialog(page).getByRole('button', { name: 'Replace File…' }).click();
  await (await chooser).setFiles(pdfFile('Plan corrected.pdf', 'Second wording'));
  await expect(versionsDialog(page).getByRole('listitem')).toHaveCount(2);
  await expect(versionsDialog(page)).toContainText('Version 2');
  await expect(page.getByText('New version of “Plan.pdf”')).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await saveScreenshot(page, 'versions');
  await reader.reload();
  await expect(reader.getByText('Second wording')).toBeAttached();
  await expect(reader.getByText(/^Updated /)).toBeVisible();
  expect(new URL(reader.url()).pathname).toBe(`/zones/${zoneId}/files/${id}`);

  await versionsDialog(page).getByRole('button', { name: 'Restore version 1' }).click();
  await expect(page.getByText('Version 1 restored')).toBeVisible();
  await expect(versionsDialog(page).getByRole('listitem')).toHaveCount(3);
  await versionsDialog(page).getByRole('button', { name: 'Delete version 2' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Delete version 2 forever?' });
  await confirmation.getByRole('button', { name: 'Delete Forever' }).click();
  await expect(confirmation).toHaveCount(0);
  await expect(versionsDialog(page).getByRole('listitem')).toHaveCount(2);
  await expect(versionsDialog(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(versionsDialog(page)).toHaveCount(0);
  await reader.reload();
  await expect(reader.getByText('First wording')).toBeAttached();
});

test('an owner replaces files of the same name and sets how many versions are kept', async ({ page, mailbox }) => {
  const zoneId = await createUserWithZone(page, mailbox);
  await uploadFiles(page, zoneId, [textFile('Notes.txt', 'first')]);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/zones/${zoneId}`);
  await expect(fileButton(page, 'Notes.txt')).toBeVisible();
  await page.locator('main input[type=file][multiple]').setInputFiles([textFile('Notes.txt', 'second')]);
  const dialog = page.getByRole('dialog', { name: 'A file with this name is already here' });
  await expectAccessible(page);
  await saveScreenshot(page, 'duplicates-360');
  await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
  await expect(page.getByText(/Updated /).first()).toBeVisible();
  await openMenuItem(page, 'Notes.txt', 'Versions');
  await expect(versionsDialog(page).getByRole('listitem')).toHaveCount(2);
  await expectAccessible(page);
  await expectNoOverflow(page);
  await saveScreenshot(page, 'versions-360');

  await page.goto(`/zones/${zoneId}/settings`);
  const form = page.getByRole('region', { name: 'Earlier Versions of Files' }).or(page.locator('main'));
  await form.getByLabel('Versions to keep of each file').fill('101');
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Please enter a whole number from 0 to 100.')).toBeVisible();
  await form.getByLabel('Versions to keep of each file').fill('3');
  await form.getByLabel('Days to keep a version').fill('90');
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Zone updated')).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByLabel('Days to keep a version')).toHaveValue('90');
});
