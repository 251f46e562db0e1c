import { pdf } from '../support/files.ts';
import { expect, expectAccessible, keepPicture, newPerson, register, test } from '../support/test.ts';

test('a PDF shows its first page in the grid and in the list, and its type where there is none', async ({
  page,
  mailbox,
}) => {
  await register(page, mailbox, newPerson());
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const made = await page.request.post('/api/zones', { headers, data: { name: 'Studio', type: 'private' } });
  const { id } = (await made.json()) as { id: number };
  await page.goto(`/zones/${id}`);
  await page
    .locator('input[type=file]')
    .setInputFiles([
      pdf('Plan.pdf', 'Soft light'),
      { name: 'Torn.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 torn') },
    ]);
  await expect(page.getByRole('button', { name: 'Plan.pdf', exact: true })).toBeVisible();
  const pictures = async () => {
    const answer = await page.request.get(`/api/zones/${id}/files`);
    const files = (await answer.json()) as { originalName: string; thumbnailUrl: string | null }[];
    return Object.fromEntries(files.map(({ originalName, thumbnailUrl }) => [originalName, thumbnailUrl !== null]));
  };
  await expect.poll(pictures).toEqual({ 'Plan.pdf': true, 'Torn.pdf': false });

  await page.reload();
  for (const view of ['Grid', 'List']) {
    await page.getByRole('button', { name: view, exact: true }).click();
    const picture = page.locator('img[src$="/thumbnail"]');
    await expect(picture).toHaveCount(1);
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(480);
    await expect(page.getByText('Torn.pdf').first()).toBeVisible();
    await expectAccessible(page);
    await keepPicture(page, `documents-${view.toLowerCase()}.png`);
  }
});
