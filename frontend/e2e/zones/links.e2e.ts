import type { Page } from '@playwright/test';
import { expect, expectAccessible, uniqueEmail, makeUser, registerUser, test } from '../support/test.ts';

const headers = () => ({ origin: new URL(test.info().project.use.baseURL!).origin });

/** Creates a private zone of the signed-in user. */
async function createZone(page: Page): Promise<number> {
  const data = { name: 'Spring course', description: 'Twelve lessons.', type: 'private' };
  const response = await page.request.post('/api/zones', { headers: headers(), data });
  expect(response.status()).toBe(201);
  return ((await response.json()) as { id: number }).id;
}

test('an owner shares a private zone by a single-use link with a password', async ({ page, browser, mailbox }) => {
  await registerUser(page, mailbox, makeUser('Grace', 'Kaya'));
  const zoneId = await createZone(page);
  await page.goto(`/zones/${zoneId}/share`);
  await page.getByRole('button', { name: 'Create Temporary Link' }).click();
  const form = page.getByRole('dialog', { name: 'Create Temporary Link' });
  await form.getByLabel('Name').fill('For Ada');
  await form.getByLabel('Ends after').selectOption({ label: '7 days' });
  await form.getByLabel(/^Maximum uses/).fill('1');
  await form.getByLabel(/^Password/).fill('tulip tree');
  await form.getByRole('button', { name: 'Create Link' }).click();
  await expect(page.getByText('Temporary link created')).toBeVisible();
  const linkDialog = page.getByRole('dialog', { name: 'Your link is ready' });
  await expect(linkDialog.getByLabel('Link', { exact: true })).toHaveValue(/\/zone\/temp\/\S+$/);
  await expect(linkDialog.getByRole('img', { name: /^QR code of/ })).toBeVisible();
  await expectAccessible(page);
  await linkDialog.getByRole('button', { name: 'Close' }).click();
  const linkRow = page.getByRole('list', { name: 'Temporary Links' }).getByRole('listitem');
  await expect(linkRow).toContainText(/For Ada.*Active.*Ends \w+ \d+, \d{4}, [\d:]+\s[AP]M.*0 of 1 uses/);

  const linksResponse = await page.request.get(`/api/zones/${zoneId}/temporary-links`);
  const [{ token }] = (await linksResponse.json()) as [{ token: string }];
  const openLink = async () => {
    const visitor = await (await browser.newContext()).newPage();
    await visitor.goto(`/zone/temp/${token}`);
    return visitor;
  };
  const firstVisitor = await openLink();
  const email = uniqueEmail('ada');
  await expect(firstVisitor.getByRole('heading', { level: 1, name: 'Spring course' })).toBeVisible();
  await expect(firstVisitor.getByText('1 place left')).toBeVisible();
  await expect(firstVisitor.getByText('Twelve lessons.')).toHaveCount(0);
  await firstVisitor.getByLabel('Email address').fill(email);
  await firstVisitor.getByLabel('Link password').fill('oak tree');
  await firstVisitor.getByRole('checkbox').check();
  await firstVisitor.getByRole('button', { name: 'Join Zone' }).click();
  await expect(firstVisitor.getByText('The password for this link is incorrect.')).toBeVisible();
  await expectAccessible(firstVisitor);
  await firstVisitor.getByLabel('Link password').fill('tulip tree');
  await firstVisitor.getByRole('button', { name: 'Join Zone' }).click();
  await expect(firstVisitor.getByRole('heading', { name: 'The email wasn’t sent' })).toBeVisible();
  await firstVisitor.goto(await mailbox.waitForLink(email, '/verify-email'));
  await firstVisitor.getByRole('button', { name: 'Confirm and Join' }).click();
  await expect(firstVisitor).toHaveURL(/\/zones\/\d+$/);

  const secondVisitor = await openLink();
  await expect(secondVisitor.getByRole('heading', { name: 'Link Usage Exceeded' })).toBeVisible();
  await expect(secondVisitor.getByRole('link', { name: 'Go to the Home Page' })).toBeVisible();

  await page.reload();
  await expect(linkRow).toContainText(/Max Uses Reached.*1 of 1 uses/);
  await linkRow.getByRole('button', { name: 'Actions for For Ada' }).click();
  await page.getByRole('menuitem', { name: 'Analytics' }).click();
  const analyticsDialog = page.getByRole('dialog', { name: 'Analytics' });
  await expect(analyticsDialog.getByText(email)).toBeVisible();
  await expect(analyticsDialog.getByText('Wrong password')).toBeVisible();
  await expect(analyticsDialog.getByRole('img', { name: /2 attempts and 1 joins in total/ })).toBeVisible();
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await analyticsDialog.getByRole('link', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^link-\d+\.csv$/);
  await analyticsDialog.getByRole('button', { name: 'Close Analytics' }).click();
});

test('an owner shows a link as a QR code, pauses it and deletes it', async ({ page, browser, mailbox }) => {
  await registerUser(page, mailbox, makeUser('Grace', 'Kaya'));
  const zoneId = await createZone(page);
  const data = { name: 'Poster', expiresInHours: 24 };
  const linkResponse = await page.request.post(`/api/zones/${zoneId}/temporary-links`, { headers: headers(), data });
  const { token } = (await linkResponse.json()) as { token: string };
  await page.goto(`/zones/${zoneId}/share`);
  const chooseAction = async (actionName: string) => {
    await page.getByRole('button', { name: 'Actions for Poster' }).click();
    await page.getByRole('menuitem', { name: actionName }).click();
  };
  await chooseAction('QR Code');
  await expect(page.getByRole('img', { name: new RegExp(`QR code of .*/zone/temp/${token}`) })).toBeVisible();
  for (const format of ['PNG', 'SVG']) {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: `Download ${format}` }).click();
    expect((await download).suggestedFilename()).toBe(`qr-code.${format.toLowerCase()}`);
  }
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close' }).click();

  await chooseAction('Pause');
  await expect(page.getByText('“Poster” is paused')).toBeVisible();
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(`/zone/temp/${token}`);
  await expect(visitor.getByRole('heading', { name: 'Link Expired or Invalid' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('“Poster” is active again')).toBeVisible();
  await visitor.reload();
  await expect(visitor.getByRole('heading', { name: 'Spring course' })).toBeVisible();

  await chooseAction('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Temporary link deleted')).toBeVisible();
  await expect(page.getByText(/No links yet/)).toBeVisible();
});
