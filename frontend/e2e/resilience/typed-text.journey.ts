import type { Page } from '@playwright/test';
import { expect, register, test } from '../support/test.ts';
import { call } from '../support/zones.ts';

const subject = (page: Page) => page.getByLabel('Subject line');

/** A draft that the server has, open in the composer. */
async function openDraft(page: Page): Promise<void> {
  const zone = await call<{ id: number }>(page, '/api/zones', { name: 'Watercolour', type: 'public' });
  const words = { name: 'News', subject: 'Spring', htmlContent: '<p>Hello</p>' };
  const { id } = await call<{ id: number }>(page, '/api/campaigns', { zoneId: zone.id, ...words });
  await page.goto(`/campaigns/${id}`);
  await expect(subject(page)).toHaveValue('Spring');
}

/** What the server has of the only campaign of the person. */
async function kept(page: Page): Promise<string | undefined> {
  const list = (await (await page.request.get('/api/campaigns')).json()) as { subject: string }[];
  return list[0]?.subject;
}

test('words that are written while an older save is on its way outlast a lost line and a reload', async ({
  page,
  mailbox,
  complaints,
}) => {
  await register(page, mailbox);
  await openDraft(page);

  const line = Promise.withResolvers<void>();
  let saves = 0;
  await page.route(/\/api\/campaigns\/\d+$/, async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    // The first is slow; what would follow it meets no line any more.
    if (++saves > 1) return route.abort('connectionfailed');
    await line.promise;
    return route.continue();
  });
  const saving = page.waitForRequest((request) => request.method() === 'PUT');
  await subject(page).fill('Spring in the');
  await saving;
  await subject(page).fill('Spring in the garden');
  line.resolve();
  await expect.poll(() => kept(page)).toBe('Spring in the');
  await expect(page.getByText(/^Not saved:/)).toBeVisible();
  page.once('dialog', (question) => void question.accept());
  await page.unrouteAll();
  await page.reload();
  await expect(subject(page)).toHaveValue('Spring in the garden');
  await expect.poll(() => kept(page)).toBe('Spring in the garden');
  complaints.length = 0;
});

test('saving goes on by itself after the session has ended and the person has signed in again over the page', async ({
  page,
  mailbox,
}) => {
  const person = await register(page, mailbox);
  await openDraft(page);

  await page.context().clearCookies();
  await subject(page).fill('Spring in the garden');
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toHaveCount(0);
  await expect(subject(page)).toHaveValue('Spring in the garden');
  await expect.poll(() => kept(page)).toBe('Spring in the garden');
});
