import type { Page } from '@playwright/test';
import { toBrowserOptions, describeVariant, displayVariants } from '../support/display-variants.ts';
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

const texts = {
  en: { actions: /Actions for Instagram/, analytics: 'Analytics', create: 'Create Temporary Link', qr: 'QR Code' },
  tr: { actions: /Instagram.* için işlemler/, analytics: 'Analiz', create: 'Geçici Bağlantı Oluştur', qr: 'QR Kodu' },
};

/** A private zone with links in several states, two of which have been tried. */
async function createLinks(page: Page): Promise<{ zoneId: number; token: string }> {
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
  return { zoneId: zone.id, token: link.token };
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
      const { zoneId, token } = await createLinks(page);

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
    });
  });
}
