import type { Page } from '@playwright/test';
import { expect, expectAccessible, newAddress, newPerson, register, test } from '../support/test.ts';

const headers = () => ({ origin: new URL(test.info().project.use.baseURL!).origin });

/** A private zone of whoever is signed in. */
async function makeZone(page: Page): Promise<number> {
  const data = { name: 'Spring course', description: 'Twelve lessons.', type: 'private' };
  const made = await page.request.post('/api/zones', { headers: headers(), data });
  expect(made.status()).toBe(201);
  return ((await made.json()) as { id: number }).id;
}

test('a private zone is shared by a link with a password and one use', async ({ page, browser, mailbox }) => {
  await register(page, mailbox, newPerson('Grace', 'Kaya'));
  const zoneId = await makeZone(page);
  await page.goto(`/zones/${zoneId}/share`);
  await page.getByRole('button', { name: 'Create link' }).click();
  const form = page.getByRole('dialog', { name: 'Create temporary link' });
  await form.getByLabel('Name').fill('For Ada');
  await form.getByLabel('Ends after').selectOption({ label: '7 days' });
  await form.getByLabel(/^Maximum uses/).fill('1');
  await form.getByLabel(/^Password/).fill('tulip tree');
  await form.getByRole('button', { name: 'Create link' }).click();
  await expect(page.getByText('Temporary link created')).toBeVisible();
  const ready = page.getByRole('dialog', { name: 'Your link is ready' });
  await expect(ready.getByLabel('Link', { exact: true })).toHaveValue(/\/zone\/temp\/\S+$/);
  await expect(ready.getByRole('img', { name: /^QR code of/ })).toBeVisible();
  await expectAccessible(page);
  await ready.getByRole('button', { name: 'Close' }).click();
  const row = page.getByRole('list', { name: 'Temporary links' }).getByRole('listitem');
  await expect(row).toContainText(/For Ada.*Active.*Ends in [67] days.*0 of 1 uses/);

  const listed = await page.request.get(`/api/zones/${zoneId}/temporary-links`);
  const [{ token }] = (await listed.json()) as [{ token: string }];
  const visit = async () => {
    const visitor = await (await browser.newContext()).newPage();
    await visitor.goto(`/zone/temp/${token}`);
    return visitor;
  };
  const first = await visit();
  const email = newAddress('ada');
  await expect(first.getByRole('heading', { level: 1, name: 'Spring course' })).toBeVisible();
  await expect(first.getByText('1 place left')).toBeVisible();
  await expect(first.getByText('Twelve lessons.')).toHaveCount(0);
  await first.getByLabel('Email address').fill(email);
  await first.getByLabel('Link password').fill('oak tree');
  await first.getByRole('checkbox').check();
  await first.getByRole('button', { name: 'Join Zone' }).click();
  await expect(first.getByText('The password for this link is incorrect.')).toBeVisible();
  await expectAccessible(first);
  await first.getByLabel('Link password').fill('tulip tree');
  await first.getByRole('button', { name: 'Join Zone' }).click();
  await expect(first.getByRole('heading', { name: 'Please check your email' })).toBeVisible();
  await first.goto(await mailbox.link(email, '/verify-email'));
  await first.getByRole('button', { name: 'Confirm and join' }).click();
  await expect(first).toHaveURL(/\/zones\/\d+$/);

  const second = await visit();
  await expect(second.getByRole('heading', { name: 'Link Usage Exceeded' })).toBeVisible();
  await expect(second.getByRole('link', { name: 'Go to the homepage' })).toBeVisible();

  await page.reload();
  await expect(row).toContainText(/Max Uses Reached.*1 of 1 uses/);
  await row.getByRole('button', { name: 'Actions for For Ada' }).click();
  await page.getByRole('menuitem', { name: 'Analytics' }).click();
  const panel = page.getByRole('dialog', { name: 'Analytics' });
  await expect(panel.getByText(email)).toBeVisible();
  await expect(panel.getByText('Wrong password')).toBeVisible();
  await expect(panel.getByRole('img', { name: /2 attempts and 1 joins in total/ })).toBeVisible();
  await expectAccessible(page);
  const saving = page.waitForEvent('download');
  await panel.getByRole('link', { name: 'Export as CSV' }).click();
  expect((await saving).suggestedFilename()).toMatch(/^link-\d+\.csv$/);
  await panel.getByRole('button', { name: 'Close analytics' }).click();
});

test('a link is drawn as a QR code, paused and deleted', async ({ page, browser, mailbox }) => {
  await register(page, mailbox, newPerson('Grace', 'Kaya'));
  const zoneId = await makeZone(page);
  const data = { name: 'Poster', expiresInHours: 24 };
  const made = await page.request.post(`/api/zones/${zoneId}/temporary-links`, { headers: headers(), data });
  const { token } = (await made.json()) as { token: string };
  await page.goto(`/zones/${zoneId}/share`);
  const menu = async (item: string) => {
    await page.getByRole('button', { name: 'Actions for Poster' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await menu('QR code');
  await expect(page.getByRole('img', { name: new RegExp(`QR code of .*/zone/temp/${token}`) })).toBeVisible();
  for (const kind of ['PNG', 'SVG']) {
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: `Download ${kind}` }).click();
    expect((await saving).suggestedFilename()).toBe(`qr-code.${kind.toLowerCase()}`);
  }
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close' }).click();

  await menu('Pause');
  await expect(page.getByText('“Poster” is paused')).toBeVisible();
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(`/zone/temp/${token}`);
  await expect(visitor.getByRole('heading', { name: 'Link Expired or Invalid' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('“Poster” is active again')).toBeVisible();
  await visitor.reload();
  await expect(visitor.getByRole('heading', { name: 'Spring course' })).toBeVisible();

  await menu('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Temporary link deleted')).toBeVisible();
  await expect(page.getByText(/No links yet/)).toBeVisible();
});
