import type { Page } from '@playwright/test';
import { expect, expectAccessible, register, test } from '../support/test.ts';
import { openStudio } from '../support/zones.ts';

const field = (page: Page, name: string) => page.getByRole('textbox', { name: new RegExp(`^${name}`) });

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Update Zone' }).click();
}

const zoneOf = async (page: Page, id: number) =>
  (await (await page.request.get(`/api/zones/${id}`)).json()) as { name: string; description: string | null };

test('an older tab writes over nothing that it did not touch, and where both did, a person chooses', async ({
  page,
  context,
  mailbox,
}) => {
  const id = await openStudio(page, mailbox, { name: 'Watercolour' });
  const other = await context.newPage();
  await page.goto(`/zones/${id}/settings`);
  await other.goto(`/zones/${id}/settings`);
  await expect(field(page, 'Name')).toHaveValue('Watercolour');
  await expect(field(other, 'Name')).toHaveValue('Watercolour');

  await field(other, 'Name').fill('Gouache');
  await save(other);
  await expect(other.getByText('Zone updated').first()).toBeVisible();
  await field(page, 'Description').fill('Ten lessons');
  await save(page);
  await expect(page.getByText('Zone updated').first()).toBeVisible();
  await expect(field(page, 'Name')).toHaveValue('Gouache');
  expect(await zoneOf(page, id)).toMatchObject({ name: 'Gouache', description: 'Ten lessons' });

  await field(other, 'Name').fill('Oil');
  await save(other);
  await expect.poll(async () => (await zoneOf(page, id)).name).toBe('Oil');
  await field(page, 'Name').fill('Ink');
  await save(page);
  const choice = page.getByRole('main').getByRole('alert');
  await expect(choice).toContainText('Oil');
  await expect(field(page, 'Name')).toHaveValue('Ink');
  await expectAccessible(page);
  expect(await zoneOf(page, id)).toMatchObject({ name: 'Oil', description: 'Ten lessons' });
  await choice.getByRole('button', { name: 'Save Mine' }).click();
  await expect(choice).toHaveCount(0);
  await expect.poll(() => zoneOf(page, id)).toMatchObject({ name: 'Ink', description: 'Ten lessons' });
});

test('a page that was opened for one account does nothing for another that has signed in beside it', async ({
  page,
  context,
  mailbox,
}) => {
  const id = await openStudio(page, mailbox, { name: 'Watercolour' });
  const { email } = (await (await page.request.get('/api/user')).json()) as { email: string };
  await page.goto(`/zones/${id}/settings`);
  await expect(field(page, 'Name')).toHaveValue('Watercolour');
  const other = await context.newPage();
  const second = await register(other, mailbox);

  await field(page, 'Name').fill('Written by somebody else');
  await save(page);
  const notice = page.getByRole('dialog', { name: 'You’re now signed in with another account' });
  await expect(notice).toContainText(email);
  expect((await other.request.get(`/api/zones/${id}`)).status()).toBe(404);
  expect(await (await other.request.get('/api/zones')).json()).toEqual([]);
  await notice.getByRole('button', { name: 'Reload the Page' }).click();
  await page.getByRole('button', { name: 'Account menu' }).click();
  await expect(page.getByRole('menu')).toContainText(second.email);
});
