import { expect, type Page } from '@playwright/test';

export interface StoredFile {
  id: number;
  originalName: string;
  viewCount: number;
}

export const listFiles = async (page: Page, zoneId: number) =>
  (await (await page.request.get(`/api/zones/${zoneId}/files`)).json()) as StoredFile[];

export const findFileId = async (page: Page, zoneId: number, name: string) =>
  (await listFiles(page, zoneId)).find(({ originalName }) => originalName === name)!.id;

/** Waits until the first pages are rendered. */
export const waitForRenderedPages = (page: Page, id: number) =>
  expect
    .poll(async () => ((await (await page.request.get(`/api/files/${id}/pages`)).json()) as { state: string }).state)
    .toBe('ready');

/** A page of the open document. */
export const pageImage = (page: Page, number: number) => page.getByRole('img', { name: `Page ${number}`, exact: true });

/** Waits until a page is shown and the number of pages is known; before that, keys can't go beyond the first pages. */
export async function expectPageRendered(page: Page, number: number): Promise<void> {
  await expect(page.locator('.z-reader[data-around]')).toBeAttached();
  await expect
    .poll(() => pageImage(page, number).evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
}
