import { readFile } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import type { Mailbox } from '../support/mailbox.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  uniqueEmail,
  makeUser,
  registerUser,
  test,
} from '../support/test.ts';
import { postApi, joinZone, createUserWithZone } from '../support/zones.ts';

const getZone = async (page: Page, id: number) =>
  (await (await page.request.get(`/api/zones/${id}`)).json()) as { publicLink: string };

/** A user in their own browser who has joined the zone. */
async function createMember(browser: Browser, mailbox: Mailbox, publicLink: string, name: [string, string]) {
  const context = await browser.newContext({ baseURL: test.info().project.use.baseURL, locale: 'en-US' });
  const page = await context.newPage();
  const { email } = await registerUser(page, mailbox, makeUser(...name));
  await joinZone(page, publicLink, email);
  return { page, email };
}

test('an owner searches, edits, removes, exports and imports members', async ({ page, browser, mailbox }) => {
  const id = await createUserWithZone(page, mailbox, { name: 'Pottery', type: 'public' });
  const { publicLink } = await getZone(page, id);
  const ada = await createMember(browser, mailbox, publicLink, ['Ada', 'Kaya']);
  const isil = await createMember(browser, mailbox, publicLink, ['Işıl', 'Şen']);
  await page.goto(`/zones/${id}/members`);
  const table = page.getByRole('table', { name: 'Members' });
  const row = (email: string) => table.getByRole('row').filter({ hasText: email });
  await expect(row(ada.email)).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('searchbox').fill('IŞIL');
  await expect(row(ada.email)).toHaveCount(0);
  await expect(row(isil.email)).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();

  await page.getByRole('button', { name: 'Actions for Ada Kaya' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Edit Membership…' }).press('Enter');
  const membershipDialog = page.getByRole('dialog', { name: 'Membership of Ada Kaya' });
  await membershipDialog.getByRole('radio', { name: /^Admin/ }).check();
  await membershipDialog.getByLabel('Last day').fill('2999-12-31');
  await expectAccessible(page);
  await membershipDialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Membership updated')).toBeVisible();
  await expect(row(ada.email)).toContainText('Admin');
  await expect(row(ada.email)).toContainText(/Until .*2999/);
  await expect(page.getByRole('button', { name: 'Actions for Ada Kaya' })).toBeFocused();

  await page.getByRole('button', { name: 'Actions for Işıl Şen' }).click();
  await page.getByRole('menuitem', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('Işıl Şen removed')).toBeVisible();
  await expect(row(isil.email)).toHaveCount(0);
  expect((await isil.page.request.get(`/api/zones/${id}`)).status()).toBe(404);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Işıl Şen is a member again')).toBeVisible();
  await expect(row(isil.email)).toBeVisible();

  const importedEmail = uniqueEmail('nora');
  await page.getByRole('button', { name: 'Import CSV' }).click();
  const importDialog = page.getByRole('dialog');
  const buffer = Buffer.from(`email,firstName\n${importedEmail},Nora\n${ada.email},Ada\nnobody,\n`);
  await importDialog.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
  await importDialog.getByRole('radio', { name: 'Add them as members right away' }).check();
  await importDialog.getByRole('checkbox', { name: /^I confirm/ }).check();
  await importDialog.getByRole('checkbox', { name: 'Notify them by email that they’ve been added.' }).check();
  await importDialog.getByRole('button', { name: 'Check File' }).click();
  await expect(importDialog.getByText('1 of 3 rows would be added. Nothing has been changed yet.')).toBeVisible();
  await expect(importDialog.getByText('Deniz Acar has added you to Pottery', { exact: true })).toBeVisible();
  expect(mailbox.listEmails(importedEmail)).toEqual([]);
  await expectAccessible(page);
  await importDialog.getByRole('button', { name: 'Add 1 Person' }).click();
  await expect(importDialog.getByText('1 of 3 rows was added.')).toBeVisible();
  await expect(importDialog.getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(row(importedEmail)).toBeVisible();
  // The email links to the zone, and its sign-in instructions are correct.
  const zoneUrl = /https?:\/\/\S+\/zones\/\d+/.exec((await mailbox.waitForEmail(importedEmail)).text)![0];
  const nora = await (
    await browser.newContext({ baseURL: test.info().project.use.baseURL, locale: 'en-US' })
  ).newPage();
  await nora.goto(zoneUrl);
  await nora.getByRole('button', { name: 'Email Me a Sign-In Link' }).click();
  await nora.getByLabel('Email').fill(importedEmail);
  await nora.getByRole('button', { name: 'Send the Email' }).click();
  await nora.getByLabel('6-digit code').fill(await mailbox.waitForCode(importedEmail, 2));
  await expect(nora.getByRole('heading', { level: 1, name: 'Pottery' })).toBeVisible();
  await nora.context().close();

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  const exportedCsv = await readFile(await (await download).path(), 'utf8');
  for (const email of [ada.email, isil.email, importedEmail]) expect(exportedCsv).toContain(email);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Sort by Joined' }).click();
  await page.getByRole('menuitemradio', { name: 'Email' }).click();
  await page.getByRole('button', { name: 'Sort by Email' }).click();
  await page.getByRole('menuitem', { name: 'Sort ascending' }).click();
  const emails = [ada.email, isil.email, importedEmail].sort();
  await expect(table.getByRole('row').filter({ hasText: '@' })).toContainText(emails);
  await expectNoOverflow(page);
  await expectAccessible(page);
});

test('a member leaves twice a year in the app or always by link, and the owner sees the reason', async ({
  page,
  browser,
  mailbox,
}) => {
  const id = await createUserWithZone(page, mailbox, { name: 'Pottery', type: 'public' });
  const { publicLink } = await getZone(page, id);
  const { page: member, email } = await createMember(browser, mailbox, publicLink, ['Ada', 'Kaya']);
  await postApi(member, `/api/zones/${id}/leave`, {}, 200);
  await joinZone(member, publicLink, email);

  const leaveZone = async (reason: string) => {
    await member.goto('/shared-zones');
    await member.getByRole('button', { name: 'Leave Zone Pottery' }).click();
    const dialog = member.getByRole('dialog', { name: 'Leave “Pottery”?' });
    await dialog.getByLabel('Reason').fill(reason);
    await expectAccessible(member);
    await dialog.getByRole('button', { name: 'Leave Zone' }).click();
    return dialog;
  };
  await leaveZone('Too many emails');
  await expect(member.getByText('Zone Left Successfully')).toBeVisible();
  await expect(member.getByText('You aren’t in any zone')).toBeVisible();

  await joinZone(member, publicLink, email);
  const dialog = await leaveZone('Once more');
  await expect(dialog.getByText(/twice within a year/)).toBeVisible();
  await expect(dialog.getByLabel('Reason')).toHaveValue('Once more');
  await dialog.getByRole('link', { name: 'Open the Unsubscribe Page' }).click();
  await expect(member.getByRole('heading', { name: 'Leave “Pottery”?' })).toBeVisible();
  // Opening the page changes nothing, and neither does a GET of the URL that mail programs post to.
  const { pathname } = new URL(member.url());
  await member.request.get(`/api${pathname}`);
  expect((await member.request.get(`/api/zones/${id}`)).status()).toBe(200);
  await expectAccessible(member);
  await member.getByRole('button', { name: 'Leave Zone' }).click();
  await member.getByRole('button', { name: 'Yes, Leave the Zone' }).click();
  await expect(member.getByRole('heading', { name: 'You have left “Pottery”' })).toBeVisible();
  expect((await member.request.get(`/api/zones/${id}`)).status()).toBe(404);
  await member.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(member);
  await expectAccessible(member);
  await member.getByRole('button', { name: 'Return to the Zone' }).click();
  await expect(member.getByRole('heading', { name: 'Leave “Pottery”?' })).toBeVisible();
  expect((await member.request.get(`/api/zones/${id}`)).status()).toBe(200);

  await page.goto(`/zones/${id}/members`);
  await page.getByRole('combobox', { name: 'Memberships' }).click();
  await page.getByRole('option', { name: 'Left' }).click();
  const formerMembers = page.getByRole('table', { name: 'Former members' });
  await expect(formerMembers.getByRole('row')).toHaveCount(3);
  await expect(formerMembers.getByRole('row').nth(1)).toContainText('Too many emails');
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
});
