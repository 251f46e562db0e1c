import type { Page } from '@playwright/test';
import { toBrowserOptions, describeVariant, displayVariants } from '../support/display-variants.ts';
import { pdfFile, randomFile } from '../support/sample-files.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  saveScreenshot,
  uniqueEmail,
  makeUser,
  registerUser,
  test,
} from '../support/test.ts';
import { createFolder, folderLink, uploadFiles } from '../support/zones.ts';

const lessonName = '1. hafta – malzemeler ve kâğıtlar.pdf';
const texts = {
  en: {
    ...{ actions: /Actions for Instagram/, analytics: 'Analytics', create: 'Create Temporary Link', qr: 'QR Code' },
    ...{ open: 'Open', folderMenu: /^Actions for Yaz dönemi/, share: 'Share by Link…', createItem: 'Create Link' },
  },
  tr: {
    ...{ actions: /Instagram.* için işlemler/, analytics: 'Analiz', create: 'Geçici Bağlantı Oluştur', qr: 'QR Kodu' },
    ...{ open: 'Aç', folderMenu: /^Yaz dönemi.* için işlemler/, share: 'Bağlantıyla Paylaş…' },
    createItem: 'Bağlantı Oluştur',
  },
};

/** A private zone with links in several states, two of which have been tried, and links to one of its folders. */
async function createLinks(page: Page) {
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const post = async (path: string, data: object) => {
    const response = await page.request.post(path, { headers, data });
    return (await response.json()) as { id: number; token: string };
  };
  const zone = await post('/api/zones', { name: 'Suluboya atölyesi', description: 'On iki ders.', type: 'private' });
  const path = `/api/zones/${zone.id}/temporary-links`;
  const pausedLink = await post(path, { name: 'Eski grup', expiresInHours: 8760 });
  await page.request.patch(`/api/temporary-links/${pausedLink.id}`, { headers, data: { isActive: false } });
  const longName = 'Anlaşılması güç ve gereğinden çok uzun bir bağlantı adı (Facebook, Nisan 2026)';
  await post(path, { name: longName, expiresInHours: 720, maxUses: 1000, membershipDays: 30 });
  const link = await post(path, { name: 'Instagram', expiresInHours: 48, maxUses: 5, password: 'lale ağacı' });
  for (const password of ['yanlış', 'lale ağacı', 'lale ağacı']) {
    const body = { email: uniqueEmail(), emailConsent: true, password };
    await post(`/api/temporary-links/${link.token}/join`, body);
  }
  const folderId = await createFolder(page, zone.id, 'Yaz dönemi: suluboya ile doğa ve manzara çalışmaları');
  await createFolder(page, zone.id, 'Renk kuramı', folderId);
  await uploadFiles(page, zone.id, [pdfFile(lessonName, 'Lesson', 3)], folderId);
  await uploadFiles(page, zone.id, [randomFile('Fırçalar.zip', 5000)], folderId);
  const toFolder = await post(`/api/folders/${folderId}/links`, { name: longName, maxUses: 20, needsEmail: true });
  const locked = {
    name: 'Parolalı',
    expiresInHours: 48,
    password: 'lale ağacı',
    needsEmail: true,
    allowDownload: false,
  };
  const toLocked = await post(`/api/folders/${folderId}/links`, locked);
  return { zoneId: zone.id, token: link.token, folderToken: toFolder.token, lockedToken: toLocked.token };
}

for (const variant of displayVariants) {
  const { width, scheme, language } = variant;
  test.describe(describeVariant(variant), () => {
    test.use(toBrowserOptions(variant));

    test('link pages fit the screen and are accessible', async ({ page, browser, mailbox, context, baseURL }) => {
      test.setTimeout(240_000);
      const checkScreen = async (target: Page, name: string) => {
        await expect(target.locator('html')).toHaveAttribute('lang', language);
        await expect(target.locator('[aria-busy=true]')).toHaveCount(0);
        await target.mouse.move(0, 0);
        await expect(target.getByRole('tooltip')).toHaveCount(0);
        await expectNoOverflow(target);
        await expectAccessible(target);
        await saveScreenshot(target, `${name}-${width}-${scheme}-${language}.png`, true);
      };
      const labels = texts[language];
      await context.setExtraHTTPHeaders({ 'Accept-Language': language });
      await registerUser(page, mailbox, makeUser('Deniz', 'Şahin'));
      const { zoneId, token, folderToken, lockedToken } = await createLinks(page);

      await page.goto(`/zones/${zoneId}/share`);
      await expect(page.getByRole('listitem').filter({ hasText: 'Instagram' })).toBeVisible();
      await checkScreen(page, 'links-list');
      await page.getByRole('button', { name: labels.actions }).click();
      await page.getByRole('menuitem', { name: labels.analytics }).click();
      await expect(page.getByRole('dialog').getByRole('img').first()).toBeVisible();
      await checkScreen(page, 'links-analytics');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: labels.actions }).click();
      await page.getByRole('menuitem', { name: labels.qr }).click();
      await expect(page.getByRole('dialog').getByRole('img')).toBeVisible();
      await checkScreen(page, 'links-qr');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: labels.create }).click();
      const form = page.getByRole('dialog');
      await form.getByRole('combobox').first().selectOption('custom');
      await checkScreen(page, 'links-form');

      const visitor = await (await browser.newContext({ ...toBrowserOptions(variant), baseURL })).newPage();
      await visitor.goto(`/zone/temp/${token}`);
      await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Suluboya atölyesi');
      await checkScreen(visitor, 'links-join');
      await visitor.goto('/zone/temp/no-such-link');
      await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible();
      await checkScreen(visitor, 'links-dead');

      await visitor.goto(`/s/${lockedToken}`);
      await visitor.getByRole('button', { name: labels.open }).click();
      await expect(visitor.locator('[aria-invalid=true]')).toHaveCount(2);
      await checkScreen(visitor, 'item-links-enter');
      await visitor.goto(`/s/${folderToken}`);
      await visitor.locator('input[type=email]').fill(uniqueEmail());
      await visitor.getByRole('button', { name: labels.open }).click();
      await expect(folderLink(visitor, lessonName)).toBeVisible();
      await checkScreen(visitor, 'item-links-folder');
      await folderLink(visitor, lessonName).click();
      const picture = visitor.locator('.z-reader-picture').first();
      await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
      await checkScreen(visitor, 'item-links-reader');
      await visitor.goto('/s/no-such-link');
      await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible();
      await checkScreen(visitor, 'item-links-dead');

      await page.goto(`/zones/${zoneId}/share`);
      await expect(page.getByRole('listitem').filter({ hasText: 'Parolalı' })).toBeVisible();
      await checkScreen(page, 'item-links-zone');
      await page.goto(`/zones/${zoneId}`);
      await page.getByRole('button', { name: labels.folderMenu }).click();
      await page.getByRole('menuitem', { name: labels.share }).click();
      await expect(page.getByRole('listitem').filter({ hasText: 'Parolalı' })).toBeVisible();
      await checkScreen(page, 'item-links-drawer');
      await page.getByRole('button', { name: /Facebook.* için işlemler|Actions for .*Facebook/ }).click();
      await page.getByRole('menuitem', { name: labels.analytics }).click();
      await expect(page.getByRole('dialog', { name: labels.analytics }).getByRole('listitem')).toHaveCount(1);
      await checkScreen(page, 'item-links-visitors');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: labels.createItem }).click();
      await expect(page.getByRole('checkbox')).toHaveCount(2);
      await checkScreen(page, 'item-links-form');
    });
  });
}
