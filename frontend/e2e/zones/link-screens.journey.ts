import type { Page } from '@playwright/test';
import { browserOf, nameOf, shapes } from '../support/shapes.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  keepPicture,
  newAddress,
  newPerson,
  register,
  test,
} from '../support/test.ts';

const texts = {
  en: { actions: /Actions for Instagram/, analytics: 'Analytics', create: 'Create link', qr: 'QR code' },
  tr: { actions: /Instagram.* için işlemler/, analytics: 'Analiz', create: 'Bağlantı oluştur', qr: 'QR kodu' },
};

/** A private zone with links in several states, two of which somebody has tried. */
async function makeLinks(page: Page): Promise<{ zoneId: number; token: string }> {
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(path, { headers, data });
    return (await answer.json()) as { id: number; token: string };
  };
  const zone = await post('/api/zones', { name: 'Suluboya atölyesi', description: 'On iki ders.', type: 'private' });
  const path = `/api/zones/${zone.id}/temporary-links`;
  const paused = await post(path, { name: 'Eski grup', expiresInHours: 8760 });
  await page.request.patch(`/api/temporary-links/${paused.id}`, { headers, data: { isActive: false } });
  const long = 'Anlaşılması güç ve gereğinden çok uzun bir bağlantı adı (Facebook, Nisan 2026)';
  await post(path, { name: long, expiresInHours: 720, maxUses: 1000, membershipDays: 30 });
  const link = await post(path, { name: 'Instagram', expiresInHours: 48, maxUses: 5, password: 'lale ağacı' });
  for (const password of ['yanlış', 'lale ağacı', 'lale ağacı']) {
    const body = { email: newAddress(), emailConsent: true, password };
    await post(`/api/temporary-links/${link.token}/join`, body);
  }
  return { zoneId: zone.id, token: link.token };
}

for (const shape of shapes) {
  const { width, scheme, language } = shape;
  test.describe(nameOf(shape), () => {
    test.use(browserOf(shape));

    test('links', async ({ page, browser, mailbox, context, baseURL }) => {
      test.setTimeout(240_000);
      const look = async (shown: Page, name: string) => {
        await expect(shown.locator('html')).toHaveAttribute('lang', language);
        await expect(shown.locator('[aria-busy=true]')).toHaveCount(0);
        await shown.mouse.move(0, 0);
        await expect(shown.getByRole('tooltip')).toHaveCount(0);
        await expectNoOverflow(shown);
        await expectAccessible(shown);
        await keepPicture(shown, `${name}-${width}-${scheme}-${language}.png`, true);
      };
      const words = texts[language];
      await context.setExtraHTTPHeaders({ 'Accept-Language': language });
      await register(page, mailbox, newPerson('Deniz', 'Şahin'));
      const { zoneId, token } = await makeLinks(page);

      await page.goto(`/zones/${zoneId}/share`);
      await expect(page.getByRole('listitem').filter({ hasText: 'Instagram' })).toBeVisible();
      await look(page, 'links-list');
      await page.getByRole('button', { name: words.actions }).click();
      await page.getByRole('menuitem', { name: words.analytics }).click();
      await expect(page.getByRole('dialog').getByRole('img').first()).toBeVisible();
      await look(page, 'links-analytics');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: words.actions }).click();
      await page.getByRole('menuitem', { name: words.qr }).click();
      await expect(page.getByRole('dialog').getByRole('img')).toBeVisible();
      await look(page, 'links-qr');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: words.create }).click();
      const form = page.getByRole('dialog');
      await form.getByRole('combobox').first().selectOption('custom');
      await look(page, 'links-form');

      const visitor = await (await browser.newContext({ ...browserOf(shape), baseURL })).newPage();
      await visitor.goto(`/zone/temp/${token}`);
      await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Suluboya atölyesi');
      await look(visitor, 'links-join');
      await visitor.goto('/zone/temp/no-such-link');
      await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible();
      await look(visitor, 'links-dead');
    });
  });
}
