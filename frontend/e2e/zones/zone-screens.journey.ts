import type { Page } from '@playwright/test';
import { pdf, png, text } from '../support/files.ts';
import { browserOf, nameOf, shapes } from '../support/shapes.ts';
import { grantPlan } from '../support/super-admin.ts';
import { expect, expectAccessible, expectNoOverflow, keepPicture, newPerson, register, test } from '../support/test.ts';

const longName = 'Anlaşılması güç ve gereğinden çok uzun bir ad – scanned, final, corrected once more (3).txt';

/** A public zone of whoever is signed in, with a folder and files in it. */
async function makeZone(page: Page): Promise<{ id: number; folderId: number; publicLink: string }> {
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const data = { name: 'Suluboya atölyesi', description: 'On iki ders ve tüm şablonlar.', type: 'public' };
  const made = await page.request.post('/api/zones', { headers, data });
  expect(made.status()).toBe(201);
  const { id, publicLink } = (await made.json()) as { id: number; publicLink: string };
  const folder = await page.request.post(`/api/zones/${id}/folders`, { headers, data: { name: 'Birinci bölüm' } });
  const { id: folderId } = (await folder.json()) as { id: number };
  for (const file of [png('Renk çemberi.png'), pdf('Ders 1.pdf', 'Ders 1'), text(longName, 'Merhaba')]) {
    const sent = await page.request.post(`/api/zones/${id}/files`, { headers, multipart: { files: file } });
    expect(sent.status()).toBe(201);
  }
  return { id, folderId, publicLink };
}

for (const shape of shapes) {
  const { width, scheme, language } = shape;
  test.describe(nameOf(shape), () => {
    test.use(browserOf(shape));

    const look = async (page: Page, name: string) => {
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('html')).toHaveAttribute('data-theme', scheme);
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await page.mouse.move(0, 0);
      await expect(page.getByRole('tooltip')).toHaveCount(0);
      await expectNoOverflow(page);
      await expectAccessible(page);
      const file = `${name}-${width}-${scheme}-${language}.png`;
      await keepPicture(page, file);
    };

    test('zones and files', async ({ page, browser, mailbox, context, baseURL }) => {
      test.setTimeout(120_000);
      await context.setExtraHTTPHeaders({ 'Accept-Language': language });
      await register(page, mailbox, newPerson('Deniz', 'Şahin'));
      const { id, folderId } = await makeZone(page);
      const title = page.getByRole('heading', { level: 1 });

      await page.goto('/zones');
      await expect(page.getByRole('link', { name: 'Suluboya atölyesi' })).toBeVisible();
      await look(page, 'zones-grid');
      await page.getByRole('button', { name: language === 'tr' ? 'Liste' : 'List' }).click();
      await expect(page.getByRole('table')).toBeVisible();
      await look(page, 'zones-list');
      // The one zone of the free plan is used; without room the form would not open.
      await grantPlan(browser, page, 'creator');
      await page.goto('/zones?create=zone');
      await page.getByRole('dialog').getByRole('radio').nth(1).check();
      await look(page, 'create-zone');

      await page.goto(`/zones/${id}`);
      await expect(page.getByRole('button', { name: 'Ders 1.pdf', exact: true })).toBeVisible();
      await look(page, 'files-grid');
      await page.getByRole('button', { name: /^(Actions for Ders 1\.pdf|Ders 1\.pdf için işlemler)$/ }).click();
      await expect(page.getByRole('menuitem').first()).toBeVisible();
      await look(page, 'file-menu');
      await page.keyboard.press('Escape');
      // A phone shows the list from the beginning.
      if (width > 600) await page.getByRole('button', { name: language === 'tr' ? 'Liste' : 'List' }).click();
      await expect(page.getByRole('grid')).toBeVisible();
      await look(page, 'files-list');
      await page.getByRole('button', { name: 'Renk çemberi.png', exact: true }).click();
      await expect(page.getByRole('img', { name: 'Renk çemberi.png' })).toBeVisible();
      await look(page, 'preview');
      await page.goto(`/zones/${id}/folders/${folderId}`);
      await expect(page.getByText(language === 'tr' ? 'Bu klasör boş' : 'This folder is empty')).toBeVisible();
      await look(page, 'folder-empty');
      await page.goto('/shared-zones');
      await expect(title).toBeVisible();
      await look(page, 'nothing-shared');

      const headers = { origin: baseURL! };
      const other = await browser.newContext({ baseURL, locale: 'en-US' });
      const visitor = await other.newPage();
      await register(visitor, mailbox, newPerson('Ayşe', 'Yılmaz'));
      const theirs = await makeZone(visitor);
      await other.close();
      await page.goto(`/join/${theirs.publicLink}`);
      await expect(title).toHaveText('Suluboya atölyesi');
      await look(page, 'join');
      const email = await page.locator('input[type=email]').inputValue();
      const joined = await page.request.post(`/api/public-zones/${theirs.publicLink}/join`, {
        headers,
        data: { email, emailConsent: true },
      });
      expect(((await joined.json()) as { requiresVerification: boolean }).requiresVerification).toBe(false);
      await page.goto('/shared-zones');
      await expect(page.getByText('Suluboya atölyesi').first()).toBeVisible();
      await look(page, 'shared-grid');
      await page.getByRole('button', { name: language === 'tr' ? 'Liste' : 'List' }).click();
      await look(page, 'shared-list');
    });
  });
}
