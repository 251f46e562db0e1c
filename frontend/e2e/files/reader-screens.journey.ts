import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { lockedWith } from '../../../backend/test/e2e/files/drawing/generated/odd-pdf.ts';
import { pdf, png, text } from '../support/files.ts';
import { browserOf, nameOf, shapes } from '../support/shapes.ts';
import { expect, expectAccessible, expectNoOverflow, keepPicture, test } from '../support/test.ts';
import { openStudio, store } from '../support/zones.ts';

const damaged = { name: 'Torn.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 torn') };
const locked = { name: 'Sözleşme.pdf', mimeType: 'application/pdf', buffer: lockedWith('swallow') };
const sample = (name: string, shown: string) => ({
  name: shown,
  mimeType: 'application/pdf',
  buffer: readFileSync(`backend/test/support/samples/hidden/${name}`),
});
const layers = sample('layer.pdf', 'Floor plan.pdf');
const portfolio = sample('portfolio.pdf', 'Portfolio.pdf');
const files = [
  ...[pdf('Suluboya kursu, on iki ders ve tüm şablonlar.pdf', 'Lesson', 30), png('Wheel.png', 1200, 800)],
  ...[text('Notes.txt', 'Işık, gölge ve su\n'.repeat(40)), damaged, text('Nothing.txt', ''), locked],
  ...[layers, portfolio],
];

for (const shape of shapes) {
  const { width, scheme, language } = shape;
  test.describe(nameOf(shape), () => {
    test.use(browserOf(shape));

    const look = async (page: Page, name: string) => {
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('html')).toHaveAttribute('data-theme', scheme);
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await expectNoOverflow(page);
      await expectAccessible(page);
      await keepPicture(page, `${name}-${width}-${scheme}-${language}.png`);
    };

    const lookAtControls = async (page: Page) => {
      const isTurkish = language === 'tr';
      const more = page.locator('summary').filter({ visible: true });
      await expect(more).toHaveAccessibleName(isTurkish ? 'Daha fazla' : 'More');
      await more.click();
      await look(page, 'document-menu');
      await page.getByRole('button', { name: isTurkish ? 'Sayfa Sayfa' : 'Page by Page' }).click();
      await expect(page.getByRole('button', { name: isTurkish ? 'Sonraki Sayfa' : 'Next Page' })).toBeVisible();
      await look(page, 'document-page');
      const strip = isTurkish ? 'Küçük Resimler' : 'Thumbnails';
      if (width < 800) await more.click();
      await page.getByRole('button', { name: isTurkish ? 'Sayfalar ve İçindekiler' : 'Pages and Contents' }).click();
      await expect(page.getByRole('navigation', { name: strip }).getByRole('button').first()).toBeVisible();
      await look(page, 'document-strip');
      await page.keyboard.press('?');
      await expect(
        page.getByRole('dialog', { name: isTurkish ? 'Klavye kısayolları' : 'Keyboard shortcuts' }),
      ).toBeVisible();
      await look(page, 'document-keys');
      await page.keyboard.press('Escape');
      for (const [name, around] of [
        ['sepia', isTurkish ? 'Sepya' : 'Sepia'],
        ['paper', isTurkish ? 'Kâğıt' : 'Paper'],
        ['black', isTurkish ? 'Siyah' : 'Black'],
      ] as const) {
        await more.click();
        await page.getByRole('button', { name: around }).click();
        await expect(page.locator(`[data-around=${name}]`)).toBeVisible();
        await look(page, `document-${name}`);
      }
    };

    test('a document, a picture, a text, and what cannot be shown', async ({ page, context, mailbox }) => {
      await context.setExtraHTTPHeaders({ 'Accept-Language': language });
      const zone = await openStudio(page, mailbox);
      await store(page, zone, files);
      const answer = await page.request.get(`/api/zones/${zone}/files`);
      const stored = (await answer.json()) as { id: number; originalName: string }[];
      const open = (name: string, query = '') =>
        page.goto(`/zones/${zone}/files/${stored.find(({ originalName }) => originalName === name)!.id}${query}`);

      await open(files[0]!.name);
      const second = page.getByRole('img', { name: language === 'tr' ? 'Sayfa 2' : 'Page 2', exact: true });
      await expect.poll(() => second.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(0);
      await look(page, 'document');
      await lookAtControls(page);
      await open('Wheel.png');
      await expect(page.getByRole('img', { name: 'Wheel.png' })).toBeVisible();
      await expect(page.getByRole('status', { name: /^(Loading…|Yükleniyor…)$/ })).toHaveCount(0);
      await look(page, 'picture');
      await open('Notes.txt');
      await expect(page.getByRole('document', { name: 'Notes.txt' })).toContainText('Işık');
      await look(page, 'text');
      await open('Torn.pdf');
      await expect(page.getByText(/hasarlı ve gösterilemiyor|is damaged and can’t be shown/)).toBeVisible();
      await look(page, 'damaged');
      await open('Nothing.txt');
      await expect(page.getByText(/^(This file is empty|Bu dosya boş)$/)).toBeVisible();
      await look(page, 'empty');
      await open(locked.name);
      await expect(page.getByLabel(language === 'tr' ? 'Parola' : 'Password', { exact: true })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(page.getByText(/^(Please enter the password|Lütfen parolayı girin)\.$/)).toBeVisible();
      await look(page, 'locked');
      // It is told once the text of the document is read, which a job does.
      await expect(async () => {
        await open(layers.name);
        await expect(page.getByRole('note')).toContainText(/hidden layers|Gizli katman/, { timeout: 2000 });
      }).toPass();
      await look(page, 'hidden-layers');
      await open(portfolio.name);
      await expect(page.getByRole('link', { name: /a\.txt/ })).toBeVisible();
      await look(page, 'attachments');
      const noOffice = { state: 'failed', count: null, failure: 'no-office', pages: [] };
      await page.route('**/api/files/*/pages', (route) => route.fulfill({ json: noOffice }));
      await open(files[0]!.name);
      await expect(page.getByText(/LibreOffice/)).toBeVisible();
      await look(page, 'no-office');
      const waiting = { state: 'waiting', count: null, failure: null, pages: [] };
      await page.route('**/api/files/*/pages', (route) => route.fulfill({ json: waiting }));
      await open(files[0]!.name);
      await expect(page.getByText(/^(This document is being prepared|Bu belge hazırlanıyor)$/)).toBeVisible();
      await look(page, 'waiting');
    });
  });
}
