import { pdfFile } from '../support/sample-files.ts';
import { expect, makeUser, registerUser, test } from '../support/test.ts';

test('a new user is guided from an empty dashboard to the first member', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await registerUser(page, mailbox);
  await page.goto('/dashboard');
  const checklist = page.getByRole('region', { name: 'Get Your First Member' });
  const checklistItem = (name: string) => checklist.getByRole('listitem').filter({ hasText: name });
  await expect(checklistItem('Create a zone')).toContainText('(to do)');
  await expect(page.getByLabel('Statistics')).toHaveCount(0);

  await checklistItem('Add files').getByRole('link', { name: 'Upload Files' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(pdfFile('Lesson 1.pdf', 'Lesson 1'));
  await dialog.getByRole('button', { name: 'Create and Upload' }).dblclick();
  await expect(page.getByText('Files uploaded successfully').first()).toBeVisible();
  await expect(checklistItem('Create a zone')).toContainText('(done)');
  await expect(checklistItem('Add files')).toContainText('(done)');
  const zones = (await (await page.request.get('/api/zones')).json()) as { name: string; type: string }[];
  expect(zones.map(({ name, type }) => [name, type])).toEqual([['My First Zone', 'public']]);

  await checklistItem('View your zone').getByRole('link', { name: 'Preview as Visitor' }).click();
  await expect(page.getByText('This is what visitors see')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'My First Zone' })).toBeVisible();
  await page.goto('/dashboard');
  await expect(checklistItem('View your zone')).toContainText('(done)');
  await checklistItem('Copy the link').getByRole('button', { name: 'Copy' }).click();
  await expect(checklistItem('Copy the link')).toContainText('(done)');
  const link = await page.evaluate(() => navigator.clipboard.readText());

  const visitorContext = await browser.newContext({ baseURL });
  const visitor = await visitorContext.newPage();
  await registerUser(visitor, mailbox, makeUser('Ayşe', 'Yılmaz'));
  await visitor.goto(link);
  await visitor.getByRole('checkbox').check();
  await visitor.getByRole('button', { name: 'Join Zone' }).click();
  await expect(visitor).toHaveURL(/\/zones\/\d+$/);
  await visitorContext.close();

  await page.reload();
  await expect(checklist.getByRole('status')).toContainText('Done');
  await expect(checklistItem('See your first member')).toContainText('(done)');
  await expect.poll(async () => (await (await page.request.get('/api/dashboard/start')).json()).closed).toBe(true);
  await page.reload();
  await expect(page.getByLabel('Statistics')).toBeVisible();
  await expect(checklist).toHaveCount(0);
});
