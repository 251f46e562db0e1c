import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { expect, expectAccessible, keepPicture, test } from '../support/test.ts';
import { findOffice } from '../../../backend/src/platform/rendering/office/find-office.ts';
import { file, openStudio, store } from '../support/zones.ts';

const heic = readFileSync(new URL('../../../backend/test/support/samples/two-colours.heic', import.meta.url));
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="#0000d8"/></svg>',
);

/** A scan of two pages. */
async function scan(): Promise<Buffer> {
  const page = (background: string) =>
    sharp({ create: { width: 300, height: 400, channels: 3, background } })
      .png()
      .toBuffer();
  return sharp([await page('#d80000'), await page('#00d800')], { join: { animated: true } })
    .tiff()
    .toBuffer();
}

const isDrawn = (page: Page, number: number) =>
  expect
    .poll(() =>
      page
        .getByRole('img', { name: `Page ${number}`, exact: true })
        .evaluate((shown: HTMLImageElement) => shown.naturalWidth),
    )
    .toBeGreaterThan(0);

test('a photograph of a phone, a scan and a drawing are seen in lists and read page by page', async ({
  page,
  mailbox,
}) => {
  const zone = await openStudio(page, mailbox);
  await store(page, zone, [
    { name: 'Beach.heic', mimeType: 'image/heic', buffer: heic },
    { name: 'Contract.tiff', mimeType: 'image/tiff', buffer: await scan() },
    { name: 'Logo.svg', mimeType: 'image/svg+xml', buffer: svg },
  ]);
  await expect
    .poll(async () => {
      const answer = await page.request.get(`/api/zones/${zone}/files`);
      const files = (await answer.json()) as { thumbnailUrl: string | null }[];
      return files.filter(({ thumbnailUrl }) => thumbnailUrl !== null).length;
    })
    .toBe(3);
  await page.goto(`/zones/${zone}`);
  await expect(page.locator('img[src$="/thumbnail"]')).toHaveCount(3);
  await keepPicture(page, 'pictures-grid.png');
  // Pages show their top, a photograph its middle; all have a frame, or white ones could not be seen.
  const looks = { Beach: '50% 50%', Contract: '50% 0%', Logo: '50% 0%' };
  const expectLooks = async (kind: 'listitem' | 'row') => {
    for (const [name, objectPosition] of Object.entries(looks)) {
      const shown = page.getByRole(kind).filter({ hasText: name }).locator('img[src$="/thumbnail"]');
      await expect(shown).toHaveCSS('object-position', objectPosition);
      await expect(shown).toHaveCSS('border-top-style', 'solid');
      await expect(shown).toHaveCSS('border-top-width', '1px');
    }
  };
  await expectLooks('listitem');
  await page.getByRole('button', { name: 'List', exact: true }).click();
  await expectLooks('row');
  await keepPicture(page, 'pictures-list.png');
  const wide = page.viewportSize()!;
  await page.setViewportSize({ width: 360, height: 740 });
  await expectLooks('row');
  await keepPicture(page, 'pictures-phone.png');
  await page.setViewportSize(wide);

  await file(page, 'Contract.tiff').click();
  await isDrawn(page, 1);
  await expect(page.getByLabel('Page, out of 2')).toHaveValue('1');
  await page.getByRole('img', { name: 'Page 2', exact: true }).scrollIntoViewIfNeeded();
  await isDrawn(page, 2);
  await expectAccessible(page);
  for (const name of ['Beach.heic', 'Logo.svg']) {
    await page.goto(`/zones/${zone}`);
    await file(page, name).click();
    await isDrawn(page, 1);
    await expect(page.getByLabel('Page, out of 1')).toHaveValue('1');
    await keepPicture(page, `pictures-${name.split('.')[1]}.png`);
  }
});

test('a letter is read page by page where LibreOffice is installed, and else its owner reads what to install', async ({
  page,
  mailbox,
}) => {
  const zone = await openStudio(page, mailbox);
  const letter = {
    name: 'Letter.rtf',
    mimeType: 'application/rtf',
    buffer: Buffer.from('{\\rtf1\\ansi Soft light\\par}'),
  };
  await store(page, zone, [letter]);
  await page.goto(`/zones/${zone}`);
  await file(page, 'Letter.rtf').click();
  if (findOffice(process.env.SOFFICE_PATH ?? null) === null)
    await expect(page.getByText('Office documents are shown here once LibreOffice is installed')).toBeVisible();
  else await isDrawn(page, 1);
  await expectAccessible(page);
  await keepPicture(page, 'office.png');
});
