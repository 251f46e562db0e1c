import type { Page } from '@playwright/test';
import { expect, expectAccessible, registerUser, test } from '../support/test.ts';
import { createUserWithZone } from '../support/zones.ts';

const field = (page: Page, name: string) => page.getByRole('textbox', { name: new RegExp(`^${name}`) });

async function saveZone(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Update Zone' }).click();
}

const getZone = async (page: Page, id: number) =>
  (await (await page.request.get(`/api/zones/${id}`)).json()) as { name: string; description: string | null };

test('a user’s outdated tab saves only its own changes and asks about conflicts', async ({
  page,
  context,
  mailbox,
}) => {
  const id = await createUserWithZone(page, mailbox, { name: 'Watercolour' });
  const otherTab = await context.newPage();
  await page.goto(`/zones/${id}/settings`);
  await otherTab.goto(`/zones/${id}/settings`);
  await expect(field(page, 'Name')).toHaveValue('Watercolour');
  await expect(field(otherTab, 'Name')).toHaveValue('Watercolour');

  await field(otherTab, 'Name').fill('Gouache');
  await saveZone(otherTab);
  await expect(otherTab.getByText('Zone updated').first()).toBeVisible();
  await field(page, 'Description').fill('Ten lessons');
  await saveZone(page);
  await expect(page.getByText('Zone updated').first()).toBeVisible();
  await expect(field(page, 'Name')).toHaveValue('Gouache');
  expect(await getZone(page, id)).toMatchObject({ name: 'Gouache', description: 'Ten lessons' });

  await field(otherTab, 'Name').fill('Oil');
  await saveZone(otherTab);
  await expect.poll(async () => (await getZone(page, id)).name).toBe('Oil');
  await field(page, 'Name').fill('Ink');
  await saveZone(page);
  const conflictAlert = page.getByRole('main').getByRole('alert');
  await expect(conflictAlert).toContainText('Oil');
  await expect(field(page, 'Name')).toHaveValue('Ink');
  await expectAccessible(page);
  expect(await getZone(page, id)).toMatchObject({ name: 'Oil', description: 'Ten lessons' });
  await conflictAlert.getByRole('button', { name: 'Save Mine' }).click();
  await expect(conflictAlert).toHaveCount(0);
  await expect.poll(() => getZone(page, id)).toMatchObject({ name: 'Ink', description: 'Ten lessons' });
});

test('a user’s outdated tab changes nothing after another account has signed in', async ({
  page,
  context,
  mailbox,
}) => {
  const id = await createUserWithZone(page, mailbox, { name: 'Watercolour' });
  const { email } = (await (await page.request.get('/api/user')).json()) as { email: string };
  await page.goto(`/zones/${id}/settings`);
  await expect(field(page, 'Name')).toHaveValue('Watercolour');
  const otherTab = await context.newPage();
  const secondUser = await registerUser(otherTab, mailbox);

  await field(page, 'Name').fill('Written by somebody else');
  await saveZone(page);
  const notice = page.getByRole('dialog', { name: 'You’re now signed in with another account' });
  await expect(notice).toContainText(email);
  expect((await otherTab.request.get(`/api/zones/${id}`)).status()).toBe(404);
  expect(await (await otherTab.request.get('/api/zones')).json()).toEqual([]);
  await notice.getByRole('button', { name: 'Reload the Page' }).click();
  await page.getByRole('button', { name: 'Account menu' }).click();
  await expect(page.getByRole('menu')).toContainText(secondUser.email);
});
