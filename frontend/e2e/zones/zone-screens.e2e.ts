import type { Page } from '@playwright/test';
import { pdfFile, pngFile, textFile } from '../support/sample-files.ts';
import { toBrowserOptions, describeVariant, displayVariants } from '../support/display-variants.ts';
import { grantPlan } from '../support/super-admin.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  saveScreenshot,
  makeUser,
  registerUser,
  test,
} from '../support/test.ts';

const longName = 'Anlaşılması güç ve gereğinden çok uzun bir ad – scanned, final, corrected once more (3).txt';

/** Creates a public zone of the signed-in user, with a folder and files. */
async function createZone(page: Page): Promise<{ id: number; folderId: number; publicLink: string }> {
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const data = { name: 'Suluboya atölyesi', description: 'On iki ders ve tüm şablonlar.', type: 'public' };
  const zoneResponse = await page.request.post('/api/zones', { headers, data });
  expect(zoneResponse.status()).toBe(201);
  const { id, publicLink } = (await zoneResponse.json()) as { id: number; publicLink: string };
  const folderResponse = await page.request.post(`/api/zones/${id}/folders`, {
    headers,
    data: { name: 'Birinci bölüm' },
  });
  const { id: folderId } = (await folderResponse.json()) as { id: number };
  for (const file of [pngFile('Renk çemberi.png'), pdfFile('Ders 1.pdf', 'Ders 1'), textFile(longName, 'Merhaba')]) {
    const fileResponse = await page.request.post(`/api/zones/${id}/files`, { headers, multipart: { files: file } });
    expect(fileResponse.status()).toBe(201);
  }
  return { id, folderId, publicLink };
}

for (const variant of displayVariants) {
  const { width, scheme, language } = variant;
  test.describe(describeVariant(variant), () => {
    test.use(toBrowserOptions(variant));

    const checkScreen = async (page: Page, name: string) => {
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('html')).toHaveAttribute('data-theme', scheme);
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await page.mouse.move(0, 0);
      await expect(page.getByRole('tooltip')).toHaveCount(0);
      await expectNoOverflow(page);
      await expectAccessible(page);
      const file = `${name}-${width}-${scheme}-${language}.png`;
      await saveScreenshot(page, file);
    };

    test('zone and file pages fit the screen and are accessible', async ({
      page,
      browser,
      mailbox,
      context,
      baseURL,
    }) => {
      test.setTimeout(120_000);
      await context.setExtraHTTPHeaders({ 'Accept-Language': language });
      await registerUser(page, mailbox, makeUser('Deniz', 'Şahin'));
      const { id, folderId } = await createZone(page);
      const title = page.getByRole('heading', { level: 1 });

      await page.goto('/zones');
      await expect(page.getByRole('link', { name: 'Suluboya atölyesi' })).toBeVisible();
      await checkScreen(page, 'zones-grid');
      await page.getByRole('button', { name: language === 'tr' ? 'Liste' : 'List' }).click();
      await expect(page.getByRole('table')).toBeVisible();
      await checkScreen(page, 'zones-list');
      // The free plan's only zone is in use, so the form wouldn't open without a larger plan.
      await grantPlan(browser, page, 'creator');
      await page.goto('/zones?create=zone');
      await page.getByRole('dialog').getByRole('radio').nth(1).check();
      await checkScreen(page, 'create-zone');

      await page.goto(`/zones/${id}`);
      await expect(page.getByRole('button', { name: 'Ders 1.pdf', exact: true })).toBeVisible();
      await checkScreen(page, 'files-grid');
      await page.getByRole('button', { name: /^(Actions for Ders 1\.pdf|Ders 1\.pdf için işlemler)$/ }).click();
      await expect(page.getByRole('menuitem').first()).toBeVisible();
      await checkScreen(page, 'file-menu');
      await page.keyboard.press('Escape');
      // Phones show the list by default.
      if (width > 600) await page.getByRole('button', { name: language === 'tr' ? 'Liste' : 'List' }).click();
      await expect(page.getByRole('grid')).toBeVisible();
      await checkScreen(page, 'files-list');
      await page.getByRole('button', { name: 'Renk çemberi.png', exact: true }).click();
      await expect(page.getByRole('img', { name: 'Renk çemberi.png' })).toBeVisible();
      await checkScreen(page, 'preview');
      await page.goto(`/zones/${id}/folders/${folderId}`);
      await expect(page.getByText(language === 'tr' ? 'Bu klasör boş' : 'This folder is empty')).toBeVisible();
      await checkScreen(page, 'folder-empty');
      await page.goto('/shared-zones');
      await expect(title).toBeVisible();
      await checkScreen(page, 'nothing-shared');

      const headers = { origin: baseURL! };
      const visitorContext = await browser.newContext({ baseURL, locale: 'en-US' });
      const visitor = await visitorContext.newPage();
      await registerUser(visitor, mailbox, makeUser('Ayşe', 'Yılmaz'));
      const visitorZone = await createZone(visitor);
      await visitorContext.close();
      await page.goto(`/join/${visitorZone.publicLink}`);
      await expect(title).toHaveText('Suluboya atölyesi');
      await checkScreen(page, 'join');
      const email = await page.locator('input[type=email]').inputValue();
      const joinResponse = await page.request.post(`/api/public-zones/${visitorZone.publicLink}/join`, {
        headers,
        data: { email, emailConsent: true },
      });
      expect(((await joinResponse.json()) as { requiresVerification: boolean }).requiresVerification).toBe(false);
      await page.goto('/shared-zones');
      await expect(page.getByText('Suluboya atölyesi').first()).toBeVisible();
      await checkScreen(page, 'shared-grid');
      await page.getByRole('button', { name: language === 'tr' ? 'Liste' : 'List' }).click();
      await checkScreen(page, 'shared-list');
    });
  });
}
