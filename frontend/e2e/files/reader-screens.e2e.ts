import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { createEncryptedPdf } from '../../../backend/test/e2e/files/rendering/generated/pdf-samples.ts';
import { pdfFile, pngFile, textFile } from '../support/sample-files.ts';
import { toBrowserOptions, describeVariant, displayVariants } from '../support/display-variants.ts';
import { expect, expectAccessible, expectNoOverflow, saveScreenshot, test } from '../support/test.ts';
import { createUserWithZone, uploadFiles } from '../support/zones.ts';

const damagedPdf = { name: 'Torn.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 torn') };
const lockedPdf = { name: 'Sözleşme.pdf', mimeType: 'application/pdf', buffer: createEncryptedPdf('swallow') };
const readHiddenSample = (name: string, displayName: string) => ({
  name: displayName,
  mimeType: 'application/pdf',
  buffer: readFileSync(`backend/test/support/samples/hidden/${name}`),
});
const layers = readHiddenSample('layer.pdf', 'Floor plan.pdf');
const portfolio = readHiddenSample('portfolio.pdf', 'Portfolio.pdf');
const files = [
  ...[pdfFile('Suluboya kursu, on iki ders ve tüm şablonlar.pdf', 'Lesson', 30), pngFile('Wheel.png', 1200, 800)],
  ...[textFile('Notes.txt', 'Işık, gölge ve su\n'.repeat(40)), damagedPdf, textFile('Nothing.txt', ''), lockedPdf],
  ...[layers, portfolio],
];

for (const variant of displayVariants) {
  const { width, scheme, language } = variant;
  test.describe(describeVariant(variant), () => {
    test.use(toBrowserOptions(variant));

    const checkScreen = async (page: Page, name: string) => {
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('html')).toHaveAttribute('data-theme', scheme);
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await expectNoOverflow(page);
      await expectAccessible(page);
      await saveScreenshot(page, `${name}-${width}-${scheme}-${language}.png`);
    };

    const checkReaderControls = async (page: Page) => {
      const isTurkish = language === 'tr';
      const moreButton = page.locator('summary').filter({ visible: true });
      await expect(moreButton).toHaveAccessibleName(isTurkish ? 'Diğer' : 'More');
      await moreButton.click();
      await checkScreen(page, 'document-menu');
      await page.getByRole('button', { name: isTurkish ? 'Sayfa Sayfa' : 'Page by Page' }).click();
      await expect(page.getByRole('button', { name: isTurkish ? 'Sonraki Sayfa' : 'Next Page' })).toBeVisible();
      await checkScreen(page, 'document-page');
      const thumbnailsLabel = isTurkish ? 'Küçük Resimler' : 'Thumbnails';
      if (width < 800) await moreButton.click();
      await page.getByRole('button', { name: isTurkish ? 'Sayfalar ve İçindekiler' : 'Pages and Contents' }).click();
      await expect(page.getByRole('navigation', { name: thumbnailsLabel }).getByRole('button').first()).toBeVisible();
      await checkScreen(page, 'document-strip');
      await page.keyboard.press('?');
      await expect(
        page.getByRole('dialog', { name: isTurkish ? 'Klavye Kısayolları' : 'Keyboard Shortcuts' }),
      ).toBeVisible();
      await checkScreen(page, 'document-keys');
      await page.keyboard.press('Escape');
      for (const [name, themeLabel] of [
        ['sepia', isTurkish ? 'Sepya' : 'Sepia'],
        ['paper', isTurkish ? 'Kâğıt' : 'Paper'],
        ['black', isTurkish ? 'Siyah' : 'Black'],
      ] as const) {
        await moreButton.click();
        await page.getByRole('button', { name: themeLabel }).click();
        await expect(page.locator(`[data-around=${name}]`)).toBeVisible();
        await checkScreen(page, `document-${name}`);
      }
    };

    test('the reader fits the screen and is accessible with every kind of file', async ({ page, context, mailbox }) => {
      await context.setExtraHTTPHeaders({ 'Accept-Language': language });
      const zone = await createUserWithZone(page, mailbox);
      await uploadFiles(page, zone, files);
      const response = await page.request.get(`/api/zones/${zone}/files`);
      const storedFiles = (await response.json()) as { id: number; originalName: string }[];
      const openFile = (name: string, query = '') =>
        page.goto(`/zones/${zone}/files/${storedFiles.find(({ originalName }) => originalName === name)!.id}${query}`);

      await openFile(files[0]!.name);
      const secondPage = page.getByRole('img', { name: language === 'tr' ? 'Sayfa 2' : 'Page 2', exact: true });
      await expect.poll(() => secondPage.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(0);
      await checkScreen(page, 'document');
      await checkReaderControls(page);
      await openFile('Wheel.png');
      await expect(page.getByRole('img', { name: 'Wheel.png' })).toBeVisible();
      await expect(page.getByRole('status', { name: /^(Loading…|Yükleniyor…)$/ })).toHaveCount(0);
      await checkScreen(page, 'picture');
      await openFile('Notes.txt');
      await expect(page.getByRole('document', { name: 'Notes.txt' })).toContainText('Işık');
      await checkScreen(page, 'text');
      await openFile('Torn.pdf');
      await expect(page.getByText(/hasarlı ve gösterilemiyor|is damaged and can’t be shown/)).toBeVisible();
      await checkScreen(page, 'damaged');
      await openFile('Nothing.txt');
      await expect(page.getByText(/^(This file is empty|Bu dosya boş)$/)).toBeVisible();
      await checkScreen(page, 'empty');
      await openFile(lockedPdf.name);
      await expect(page.getByLabel(language === 'tr' ? 'Parola' : 'Password', { exact: true })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(page.getByText(/^(Please enter the password|Lütfen parolayı girin)\.$/)).toBeVisible();
      await checkScreen(page, 'locked');
      // Shown once a job has extracted the document's text.
      await expect(async () => {
        await openFile(layers.name);
        await expect(page.getByRole('note')).toContainText(/hidden layers|Gizli katman/, { timeout: 2000 });
      }).toPass();
      await checkScreen(page, 'hidden-layers');
      await openFile(portfolio.name);
      await expect(page.getByRole('link', { name: /a\.txt/ })).toBeVisible();
      await checkScreen(page, 'attachments');
      const noOfficePages = { state: 'failed', count: null, failure: 'no-office', pages: [] };
      await page.route('**/api/files/*/pages', (route) => route.fulfill({ json: noOfficePages }));
      await openFile(files[0]!.name);
      await expect(page.getByText(/LibreOffice/)).toBeVisible();
      await checkScreen(page, 'no-office');
      const waitingPages = { state: 'waiting', count: null, failure: null, pages: [] };
      await page.route('**/api/files/*/pages', (route) => route.fulfill({ json: waitingPages }));
      await openFile(files[0]!.name);
      await expect(page.getByText(/^(This document is being prepared|Bu belge hazırlanıyor)$/)).toBeVisible();
      await checkScreen(page, 'waiting');
    });
  });
}
