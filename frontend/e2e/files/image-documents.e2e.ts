import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { expect, expectAccessible, saveScreenshot, test } from '../support/test.ts';
import { findOffice } from '../../../backend/src/platform/rendering/office/find-office.ts';
import { fileButton, createUserWithZone, uploadFiles } from '../support/zones.ts';

const heic = readFileSync(new URL('../../../backend/test/support/samples/two-colours.heic', import.meta.url));
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="#0000d8"/></svg>',
);

/** A scan of two pages. */
async function createTiffScan(): Promise<Buffer> {
  const colouredPage = (background: string) =>
    sharp({ create: { width: 300, height: 400, channels: 3, background } })
      .png()
      .toBuffer();
  return sharp([await colouredPage('#d80000'), await colouredPage('#00d800')], { join: { animated: true } })
    .tiff()
    .toBuffer();
}

const expectPageRendered = (page: Page, number: number) =>
  expect
    .poll(() =>
      page
        .getByRole('img', { name: `Page ${number}`, exact: true })
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBeGreaterThan(0);

test('a user sees HEIC, TIFF and SVG images in lists and reads them page by page', async ({ page, mailbox }) => {
  const zone = await createUserWithZone(page, mailbox);
  await uploadFiles(page, zone, [
    { name: 'Beach.heic', mimeType: 'image/heic', buffer: heic },
    { name: 'Contract.tiff', mimeType: 'image/tiff', buffer: await createTiffScan() },
    { name: 'Logo.svg', mimeType: 'image/svg+xml', buffer: svg },
  ]);
  await expect
    .poll(async () => {
      const response = await page.request.get(`/api/zones/${zone}/files`);
      const files = (await response.json()) as { thumbnailUrl: string | null }[];
      return files.filter(({ thumbnailUrl }) => thumbnailUrl !== null).length;
    })
    .toBe(3);
  await page.goto(`/zones/${zone}`);
  await expect(page.locator('img[src$="/thumbnail"]')).toHaveCount(3);
  await saveScreenshot(page, 'pictures-grid.png');
  // Previews of pages show the top, photos the middle, drawings all; all have a frame, or white ones would be invisible.
  const styles = { Beach: ['cover', '50% 50%'], Contract: ['cover', '50% 0%'], Logo: ['contain', '50% 50%'] } as const;
  const expectThumbnailStyles = async (role: 'listitem' | 'row') => {
    for (const [name, [objectFit, objectPosition]] of Object.entries(styles)) {
      const thumbnail = page.getByRole(role).filter({ hasText: name }).locator('img[src$="/thumbnail"]');
      await expect(thumbnail).toHaveCSS('object-fit', objectFit);
      await expect(thumbnail).toHaveCSS('object-position', objectPosition);
      await expect(thumbnail).toHaveCSS('border-top-style', 'solid');
      await expect(thumbnail).toHaveCSS('border-top-width', '1px');
    }
  };
  await expectThumbnailStyles('listitem');
  await page.getByRole('button', { name: 'List', exact: true }).click();
  await expectThumbnailStyles('row');
  await saveScreenshot(page, 'pictures-list.png');
  const desktopSize = page.viewportSize()!;
  await page.setViewportSize({ width: 360, height: 740 });
  await expectThumbnailStyles('row');
  await saveScreenshot(page, 'pictures-phone.png');
  await page.setViewportSize(desktopSize);

  await fileButton(page, 'Contract.tiff').click();
  await expectPageRendered(page, 1);
  await expect(page.getByLabel('Page, out of 2')).toHaveValue('1');
  await page.getByRole('img', { name: 'Page 2', exact: true }).scrollIntoViewIfNeeded();
  await expectPageRendered(page, 2);
  await expectAccessible(page);
  for (const name of ['Beach.heic', 'Logo.svg']) {
    await page.goto(`/zones/${zone}`);
    await fileButton(page, name).click();
    await expectPageRendered(page, 1);
    await expect(page.getByLabel('Page, out of 1')).toHaveValue('1');
    await saveScreenshot(page, `pictures-${name.split('.')[1]}.png`);
  }
});

test('a user reads an office document, or learns that LibreOffice must be installed', async ({ page, mailbox }) => {
  const zone = await createUserWithZone(page, mailbox);
  const rtfDocument = {
    name: 'Letter.rtf',
    mimeType: 'application/rtf',
    buffer: Buffer.from('{\\rtf1\\ansi Soft light\\par}'),
  };
  await uploadFiles(page, zone, [rtfDocument]);
  await page.goto(`/zones/${zone}`);
  await fileButton(page, 'Letter.rtf').click();
  if (findOffice(process.env.SOFFICE_PATH ?? null) === null)
    await expect(page.getByText('Office documents can be shown once LibreOffice is installed')).toBeVisible();
  else await expectPageRendered(page, 1);
  await expectAccessible(page);
  await saveScreenshot(page, 'office.png');
});
