import type { Page } from '@playwright/test';
import { pdf, text } from '../support/files.ts';
import { grantPlan } from '../support/super-admin.ts';
import { expect, expectAccessible, expectNoOverflow, newPerson, register, test } from '../support/test.ts';
import { call, file, folder, joinZone, makeFolder, openStudio, selectionBar, store } from '../support/zones.ts';

test('a mirror is read by a member of the zone in which it lies, changed by nobody, and gone at once with it', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const target = await openStudio(page, mailbox, { name: 'Course', type: 'public' });
  await grantPlan(browser, page, 'starter');
  const source = await call<{ id: number }>(page, '/api/zones', { name: 'Archive', type: 'private' });
  const masters = await makeFolder(page, source.id, 'Masters');
  const inner = await makeFolder(page, source.id, 'Scores', masters);
  await store(page, source.id, [text('Score one.txt', 'first score'), pdf('Score two.pdf', 'Second score')], inner);

  await page.goto(`/zones/${source.id}/share`);
  await page.getByRole('button', { name: 'Create Mirror' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('radio', { name: 'Masters' }).check();
  await form.getByLabel('Target zone').selectOption({ label: 'Course' });
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Create Mirror' }).click();
  await expect(page.getByText('Mirror Created')).toBeVisible();

  const context = await browser.newContext({ baseURL, locale: 'en-US' });
  const member = await context.newPage();
  const { email } = await register(member, mailbox, newPerson('Ada', 'Kaya'));
  const { publicLink } = (await (await page.request.get(`/api/zones/${target}`)).json()) as { publicLink: string };
  await joinZone(member, publicLink, email);
  await member.goto(`/zones/${target}`);
  await expect(member.getByRole('img', { name: 'Mirror folder - read only' })).toHaveText('m');
  await member.getByRole('button', { name: 'Actions for Masters' }).click();
  await expect(member.getByRole('menuitem', { name: 'Mirror folder - read only' })).toBeVisible();
  await expect(member.getByRole('menuitem', { name: 'Rename' })).toHaveCount(0);
  await member.keyboard.press('Escape');
  await folder(member, 'Masters').click();
  await folder(member, 'Scores').click();
  await file(member, 'Score one.txt').click();
  await expect(member.getByRole('document', { name: 'Score one.txt' })).toContainText('first score');
  await member.keyboard.press('ArrowRight');
  const drawn = member.getByRole('img', { name: 'Page 1', exact: true });
  await expect.poll(() => drawn.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(0);
  await member.keyboard.press('Escape');
  await expect(file(member, 'Score two.pdf')).toBeFocused();
  await expect(member.getByRole('button', { name: 'Upload' })).toHaveCount(0);
  await expectAccessible(member);

  // What lies in it is found by its name, and marked.
  await expect(member.getByRole('dialog')).toHaveCount(0);
  await member.keyboard.press('Control+k');
  await member.getByRole('dialog').getByRole('combobox').fill('score one');
  const found = member.getByRole('option', { name: /Score one\.txt/ });
  await expect(found).toContainText('Course / Masters / Scores');
  await expect(found.getByRole('img', { name: 'Mirror folder - read only' })).toBeVisible();
  await member.keyboard.press('Escape');

  // The owner sees the same, and is refused with the reason.
  await page.goto(`/zones/${target}`);
  await folder(page, 'Masters').click();
  await expect(page.getByRole('button', { name: 'New folder' })).toBeDisabled();
  await folder(page, 'Scores').press('Delete');
  await expect(page.getByText('Operation Not Allowed')).toBeVisible();
  await folder(page, 'Scores').focus();
  await page.keyboard.press('Control+a');
  await expect(selectionBar(page).getByRole('button', { name: 'Move to…' })).toHaveCount(0);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);

  const address = `/api/files/${await firstFile(page, source.id, inner)}/view`;
  expect((await member.request.get(address)).status()).toBe(200);
  await page.goto(`/zones/${source.id}/share`);
  await page.getByRole('button', { name: 'Delete mirror Masters' }).click();
  await expect(page.getByText('Mirror Deleted')).toBeVisible();
  expect((await member.request.get(address)).status()).toBe(404);
  await member.goto(`/zones/${target}`);
  await expect(member.getByText('No files yet')).toBeVisible();
  await context.close();
});

/** The first file in a folder. */
async function firstFile(page: Page, zoneId: number, folderId: number): Promise<number> {
  const answer = await page.request.get(`/api/zones/${zoneId}/files?folderId=${folderId}`);
  return ((await answer.json()) as [{ id: number }])[0].id;
}
