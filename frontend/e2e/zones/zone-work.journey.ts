import type { Page } from '@playwright/test';
import { pdf } from '../support/files.ts';
import { browserOf, nameOf, shapes } from '../support/shapes.ts';
import { expect, expectAccessible, expectNoOverflow, keepPicture, newPerson, register, test } from '../support/test.ts';

/** A zone of whoever is signed in, with a folder and a file, that people ask to join. */
async function makeZone(page: Page): Promise<{ id: number; publicLink: string }> {
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const post = async (path: string, data: object) => {
    const made = await page.request.post(path, { headers, data });
    expect(made.status(), path).toBe(201);
    return (await made.json()) as { id: number; publicLink: string };
  };
  const text = 'On iki ders ve tüm şablonlar.';
  const zone = await post('/api/zones', { name: 'Suluboya', description: text, type: 'public', autoJoin: false });
  await post(`/api/zones/${zone.id}/folders`, { name: 'Birinci bölüm' });
  const files = pdf('Ders 1.pdf', 'Ders 1');
  const sent = await page.request.post(`/api/zones/${zone.id}/files`, { headers, multipart: { files } });
  expect(sent.status()).toBe(201);
  return zone;
}

for (const shape of shapes) {
  const { width, scheme, language } = shape;
  test.describe(nameOf(shape), () => {
    test.use(browserOf(shape));
    const say = (en: string, tr: string) => (language === 'tr' ? tr : en);

    const look = async (page: Page, name: string) => {
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('html')).toHaveAttribute('data-theme', scheme);
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await page.mouse.move(0, 0);
      await expect(page.getByRole('tooltip')).toHaveCount(0);
      await expectNoOverflow(page);
      await expectAccessible(page);
      await keepPicture(page, `${name}-${width}-${scheme}-${language}.png`);
    };

    test('an owner looks after zones', async ({ page, browser, mailbox, context, baseURL }) => {
      test.setTimeout(120_000);
      const dialog = page.getByRole('dialog');
      await context.setExtraHTTPHeaders({ 'Accept-Language': language });
      await register(page, mailbox, newPerson('Deniz', 'Şahin'));
      await page.goto('/files');
      await expect(page.getByRole('link', { name: say('Go to My Zones', 'Bölgelerime Git') })).toBeVisible();
      await look(page, 'no-files');
      await page.goto('/dashboard');
      await expect(page.getByRole('region', { name: say('Your First Member', 'İlk Üyeniz') })).toBeVisible();
      await look(page, 'first-dashboard');
      await page.getByRole('button', { name: say('Upload Files', 'Dosya Yükle') }).click();
      await expect(dialog.getByLabel(say('Zone name', 'Bölge adı'))).toHaveValue(say('My First Zone', 'İlk Bölgem'));
      await look(page, 'upload-first-zone');
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await page.goto('/campaigns/new');
      await expect(page.getByLabel(say('Zone name', 'Bölge adı'))).toBeVisible();
      await look(page, 'campaign-first-zone');
      const { id, publicLink } = await makeZone(page);

      const other = await browser.newContext({ baseURL, locale: 'en-US' });
      const visitor = await other.newPage();
      const { email } = await register(visitor, mailbox, newPerson('Ayşe', 'Yılmaz'));
      await visitor.goto(`/join/${publicLink}`);
      await expect(visitor.getByLabel('Email address')).toHaveValue(email);
      await visitor.getByRole('checkbox').check();
      await visitor.getByRole('button', { name: 'Ask to join' }).click();
      await expect(visitor.getByText('Your request has been sent to the owner')).toBeVisible();
      await other.close();

      await page.goto('/zones');
      const star = page.getByRole('button', { name: say('Favourite: Suluboya', 'Sık kullanılan: Suluboya') });
      await star.click();
      await expect(star).toHaveAttribute('aria-pressed', 'true');
      await page.getByRole('button', { name: say('Actions for Suluboya', 'Suluboya için işlemler') }).click();
      await expect(page.getByRole('menuitem')).toHaveCount(2);
      await look(page, 'zone-menu');
      await page.getByRole('menuitem').first().click();
      await expect(dialog).toBeVisible();
      await look(page, 'edit-zone');
      await page.keyboard.press('Escape');

      await page.goto(`/zones/${id}`);
      await page.getByRole('link', { name: say('Preview as Visitor', 'Ziyaretçi Olarak Gör') }).click();
      await expect(page.getByText(say('This is what visitors see', 'Ziyaretçiler bunu görüyor'))).toBeVisible();
      await expect(page.getByRole('heading', { level: 1, name: 'Suluboya' })).toBeVisible();
      await look(page, 'visitor-preview');
      await page.getByRole('link', { name: say('Back to the Zone', 'Bölgeye Dön') }).click();

      await page.getByRole('tab', { name: say('1 join request', '1 katılma isteği') }).click();
      await expect(page.getByText('Ayşe Yılmaz')).toBeVisible();
      await look(page, 'join-request');
      const approve = page.getByRole('button', { name: say('Approve Ayşe Yılmaz', 'Onayla: Ayşe Yılmaz') });
      await approve.click();
      await expect(approve).toHaveCount(0);
      // Who was let in stands among the members at once.
      const actions = say('Actions for Ayşe Yılmaz', 'Ayşe Yılmaz için işlemler');
      await expect(page.getByRole('button', { name: actions })).toBeVisible();

      await page.getByRole('tab', { name: say('Share', 'Paylaşım') }).click();
      await expect(page.getByText(say('You need a second zone', 'Ayna oluşturmak için'))).toBeVisible();
      await look(page, 'share');

      await page.getByRole('tab', { name: say('Settings', 'Ayarlar') }).click();
      await page.getByRole('button', { name: say('Change…', 'Değiştir…') }).click();
      await dialog.getByRole('radio').first().check();
      await expect(dialog.getByRole('status')).not.toBeEmpty();
      await look(page, 'change-privacy');
      await page.keyboard.press('Escape');
      await look(page, 'discard-question');
      await page.getByRole('button', { name: say('Discard', 'Kaydetmeden Çık'), exact: true }).click();
      await expect(dialog).toHaveCount(0);
      await look(page, 'zone-settings');
      await page.getByRole('button', { name: say('Delete Zone', 'Bölgeyi Sil') }).click();
      await expect(dialog).toBeVisible();
      await look(page, 'delete-zone');

      await page.goto('/files');
      await expect(page.getByText('Ders 1.pdf')).toBeVisible();
      await look(page, 'files-overview');
      await page.getByRole('link', { name: say('View Ders 1.pdf', 'Görüntüle: Ders 1.pdf') }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Ders 1.pdf' })).toBeVisible();

      await page.goto('/dashboard');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await look(page, 'dashboard');
      await page.getByRole('button', { name: say('Upload Files', 'Dosya Yükle') }).click();
      await dialog.locator('input[type=file]').setInputFiles(pdf('Ders 2.pdf', 'Ders 2'));
      await look(page, 'upload-panel');
      await dialog.getByRole('combobox').selectOption('Suluboya');
      await dialog.getByRole('button', { name: say('Upload', 'Yükle'), exact: true }).click();
      await expect(
        page.getByText(say('Files uploaded successfully', 'Dosyalar başarıyla yüklendi')).first(),
      ).toBeVisible();
    });
  });
}
