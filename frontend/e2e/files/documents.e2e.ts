import { pdfFile } from '../support/sample-files.ts';
import { expect, expectAccessible, saveScreenshot, makeUser, registerUser, test } from '../support/test.ts';

test('a user sees the first page of a PDF in grid and list, or its type without a preview', async ({
  page,
  mailbox,
}) => {
  await registerUser(page, mailbox, makeUser());
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const zoneResponse = await page.request.post('/api/zones', { headers, data: { name: 'Studio', type: 'private' } });
  const { id } = (await zoneResponse.json()) as { id: number };
  await page.goto(`/zones/${id}`);
  await page
    .locator('input[type=file][multiple]')
    .setInputFiles([
      pdfFile('Plan.pdf', 'Soft light'),
      { name: 'Torn.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 torn') },
    ]);
  await expect(page.getByRole('button', { name: 'Plan.pdf', exact: true })).toBeVisible();
  const listThumbnails = async () => {
    const response = await page.request.get(`/api/zones/${id}/files`);
    const files = (await response.json()) as { originalName: string; thumbnailUrl: string | null }[];
    return Object.fromEntries(files.map(({ originalName, thumbnailUrl }) => [originalName, thumbnailUrl !== null]));
  };
  await expect.poll(listThumbnails).toEqual({ 'Plan.pdf': true, 'Torn.pdf': false });

  await page.reload();
  for (const view of ['Grid', 'List']) {
    await page.getByRole('button', { name: view, exact: true }).click();
    const thumbnail = page.locator('img[src$="/thumbnail"]');
    await expect(thumbnail).toHaveCount(1);
    await expect.poll(() => thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(480);
    await expect(page.getByText('Torn.pdf').first()).toBeVisible();
    await expectAccessible(page);
    await saveScreenshot(page, `documents-${view.toLowerCase()}.png`);
  }
});
