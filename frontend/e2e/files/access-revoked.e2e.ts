import type { Browser, Page } from '@playwright/test';
import { pdfFile } from '../support/sample-files.ts';
import type { Mailbox } from '../support/mailbox.ts';
import { expect, expectAccessible, makeUser, registerUser, test } from '../support/test.ts';
import { joinZone, createUserWithZone, uploadFiles } from '../support/zones.ts';

const course = pdfFile('Course.pdf', 'Lesson', 5);
const originHeaders = (baseURL: string | undefined) => ({ origin: new URL(baseURL!).origin });
const pageImage = (page: Page, number: number) => page.getByRole('img', { name: `Page ${number}`, exact: true });

/** An owner with a document, and a member who has opened its second page. */
async function openDocument(page: Page, browser: Browser, mailbox: Mailbox, baseURL: string | undefined) {
  const zone = await createUserWithZone(page, mailbox, { type: 'public' });
  await uploadFiles(page, zone, [course]);
  const [{ id }] = (await (await page.request.get(`/api/zones/${zone}/files`)).json()) as [{ id: number }];
  const { publicLink } = (await (await page.request.get(`/api/zones/${zone}`)).json()) as { publicLink: string };
  const context = await browser.newContext({ baseURL, locale: 'en-US' });
  const member = await context.newPage();
  const user = await registerUser(member, mailbox, makeUser('Ada', 'Kaya'));
  await joinZone(member, publicLink, user.email);
  const watchResponse = member.waitForResponse((response) => response.url().endsWith(`/api/files/${id}/watch`));
  await member.goto(`/zones/${zone}/files/${id}?page=2`);
  await expect
    .poll(() => pageImage(member, 2).evaluate((shown: HTMLImageElement) => shown.naturalWidth))
    .toBeGreaterThan(0);
  expect((await watchResponse).status()).toBe(200);
  const currentUser = (await (await member.request.get('/api/user')).json()) as { id: number };
  return { zone, id, member, userId: currentUser.id, password: user.password, context };
}

test('a removed member loses the open document at once without a click', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const { zone, id, member, userId, context } = await openDocument(page, browser, mailbox, baseURL);
  const removeResponse = await page.request.delete(`/api/zones/${zone}/members/${userId}`, {
    headers: originHeaders(baseURL),
  });
  expect(removeResponse.status()).toBe(204);
  const removedAt = performance.now();
  await expect(member.getByRole('alert')).toContainText('This file is no longer shared with you');
  process.stdout.write(`access revoked ${Math.round(performance.now() - removedAt)} ms after the removal\n`);
  await expect(member.getByRole('img', { name: /^Page /, includeHidden: true })).toHaveCount(0);
  await expect(member.getByText(course.name)).toHaveCount(0);
  await expectAccessible(member);
  expect((await member.request.get(`/api/files/${id}/pages/2`)).status()).toBe(404);
  await member.getByRole('link', { name: 'Go to the Dashboard' }).click();
  await expect(member).toHaveURL(/\/$/);
  await context.close();
});

test('a member whose session ended elsewhere signs in again and reads on', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const { member, password, context } = await openDocument(page, browser, mailbox, baseURL);
  // In another tab, so this one isn't notified.
  const logoutResponse = await member.request.post('/api/logout', { headers: originHeaders(baseURL) });
  expect(logoutResponse.status()).toBe(200);
  const signInDialog = member.getByRole('dialog');
  await expect(signInDialog).toBeVisible();
  await expect(member.getByRole('img', { name: /^Page /, includeHidden: true })).toHaveCount(0);
  await signInDialog.getByLabel('Password', { exact: true }).fill(password);
  await signInDialog.getByLabel('Password', { exact: true }).press('Enter');
  await expect(pageImage(member, 2)).toBeVisible();
  await expect(member.getByRole('alert')).toHaveCount(0);
  await context.close();
});
