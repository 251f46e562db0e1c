import type { Page } from '@playwright/test';
import { expect, registerUser, test } from '../support/test.ts';
import { postApi } from '../support/zones.ts';

const subjectField = (page: Page) => page.getByLabel('Subject line');

/** A saved draft, open in the composer. */
async function openDraft(page: Page): Promise<void> {
  const zone = await postApi<{ id: number }>(page, '/api/zones', { name: 'Watercolour', type: 'public' });
  const draftFields = { name: 'News', subject: 'Spring', htmlContent: '<p>Hello</p>' };
  const { id } = await postApi<{ id: number }>(page, '/api/campaigns', { zoneId: zone.id, ...draftFields });
  await page.goto(`/campaigns/${id}`);
  await expect(subjectField(page)).toHaveValue('Spring');
}

/** The saved subject of the user's only campaign. */
async function getSavedSubject(page: Page): Promise<string | undefined> {
  const campaigns = (await (await page.request.get('/api/campaigns')).json()) as { subject: string }[];
  return campaigns[0]?.subject;
}

test('a user’s text written during a pending save survives a lost connection and a reload', async ({
  page,
  mailbox,
  pageErrors,
}) => {
  await registerUser(page, mailbox);
  await openDraft(page);

  const saveGate = Promise.withResolvers<void>();
  let saveCount = 0;
  await page.route(/\/api\/campaigns\/\d+$/, async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    // The first save is slow; later ones find no connection.
    if (++saveCount > 1) return route.abort('connectionfailed');
    await saveGate.promise;
    return route.continue();
  });
  const saveRequest = page.waitForRequest((request) => request.method() === 'PUT');
  await subjectField(page).fill('Spring in the');
  await saveRequest;
  await subjectField(page).fill('Spring in the garden');
  saveGate.resolve();
  await expect.poll(() => getSavedSubject(page)).toBe('Spring in the');
  await expect(page.getByText(/^Not saved:/)).toBeVisible();
  page.once('dialog', (question) => void question.accept());
  await page.unrouteAll();
  await page.reload();
  await expect(subjectField(page)).toHaveValue('Spring in the garden');
  await expect.poll(() => getSavedSubject(page)).toBe('Spring in the garden');
  pageErrors.length = 0;
});

test('a user’s draft is saved automatically after the session expired and they signed in again', async ({
  page,
  mailbox,
}) => {
  const user = await registerUser(page, mailbox);
  await openDraft(page);

  await page.context().clearCookies();
  await subjectField(page).fill('Spring in the garden');
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toHaveCount(0);
  await expect(subjectField(page)).toHaveValue('Spring in the garden');
  await expect.poll(() => getSavedSubject(page)).toBe('Spring in the garden');
});
