import type { Page } from '@playwright/test';
import { pdfFile } from '../support/sample-files.ts';
import { toBrowserOptions, describeVariant, displayVariants } from '../support/display-variants.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  saveScreenshot,
  makeUser,
  registerUser,
  test,
} from '../support/test.ts';

/** Creates a zone of the signed-in user, with a folder and a file, that users request to join. */
async function createZone(page: Page): Promise<{ id: number; publicLink: string }> {
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const post = async (path: string, data: object) => {
    const response = await page.request.post(path, { headers, data });
    expect(response.status(), path).toBe(201);
    return (await response.json()) as { id: number; publicLink: string };
  };
  const text = 'On iki ders ve tüm şablonlar.';
  const zone = await post('/api/zones', { name: 'Suluboya', description: text, type: 'public', autoJoin: false });
  await post(`/api/zones/${zone.id}/folders`, { name: 'Birinci bölüm' });
  const files = pdfFile('Ders 1.pdf', 'Ders 1');
  const fileResponse = await page.request.post(`/api/zones/${zone.id}/files`, { headers, multipart: { files } });
  expect(fileResponse.status()).toBe(201);
  return zone;
}

for (const variant of displayVariants) {
  const { width, scheme, language } = variant;
  test.describe(describeVariant(variant), () => {
    test.use(toBrowserOptions(variant));
    const translate = (en: string, tr: string) => (language === 'tr' ? tr : en);

    const checkScreen = async (page: Page, name: string) => {
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('html')).toHaveAttribute('data-theme', scheme);
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await page.mouse.move(0, 0);
      await expect(page.getByRole('tooltip')).toHaveCount(0);
      await expectNoOverflow(page);
      await expectAccessible(page);
      await saveScreenshot(page, `${name}-${width}-${scheme}-${language}.png`);
    };

    test('an owner manages a zone, its join requests and its settings', async ({
      page,
      browser,
      mailbox,
      context,
      baseURL,
    }) => {
      test.setTimeout(120_000);
      const dialog = page.getByRole('dialog');
      await context.setExtraHTTPHeaders({ 'Accept-Language': language });
      await registerUser(page, mailbox, makeUser('Deniz', 'Şahin'));
      await page.goto('/files');
      await expect(page.getByRole('link', { name: translate('Go to My Zones', 'Bölgelerime Git') })).toBeVisible();
      await checkScreen(page, 'no-files');
      await page.goto('/dashboard');
      await expect(
        page.getByRole('region', { name: translate('Get Your First Member', 'İlk Üyenizi Kazanın') }),
      ).toBeVisible();
      await checkScreen(page, 'first-dashboard');
      await page.getByRole('button', { name: translate('Upload Files', 'Dosya Yükle') }).click();
      await expect(dialog.getByLabel(translate('Zone name', 'Bölge adı'))).toHaveValue(
        translate('My First Zone', 'İlk Bölgem'),
      );
      await checkScreen(page, 'upload-first-zone');
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await page.goto('/campaigns/new');
      await expect(page.getByLabel(translate('Zone name', 'Bölge adı'))).toBeVisible();
      await checkScreen(page, 'campaign-first-zone');
      const { id, publicLink } = await createZone(page);

      const visitorContext = await browser.newContext({ baseURL, locale: 'en-US' });
      const visitor = await visitorContext.newPage();
      const { email } = await registerUser(visitor, mailbox, makeUser('Ayşe', 'Yılmaz'));
      await visitor.goto(`/join/${publicLink}`);
      await expect(visitor.getByLabel('Email address')).toHaveValue(email);
      await visitor.getByRole('checkbox').check();
      await visitor.getByRole('button', { name: 'Ask to Join' }).click();
      await expect(visitor.getByText('Your request has been sent to the owner')).toBeVisible();
      await visitorContext.close();

      await page.goto('/zones');
      const favouriteButton = page.getByRole('button', {
        name: translate('Favourite: Suluboya', 'Sık kullanılan: Suluboya'),
      });
      await favouriteButton.click();
      await expect(favouriteButton).toHaveAttribute('aria-pressed', 'true');
      await page.getByRole('button', { name: translate('Actions for Suluboya', 'Suluboya için işlemler') }).click();
      await expect(page.getByRole('menuitem')).toHaveCount(2);
      await checkScreen(page, 'zone-menu');
      await page.getByRole('menuitem').first().click();
      await expect(dialog).toBeVisible();
      await checkScreen(page, 'edit-zone');
      await page.keyboard.press('Escape');

      await page.goto(`/zones/${id}`);
      await page.getByRole('link', { name: translate('Preview as Visitor', 'Ziyaretçi Olarak Gör') }).click();
      await expect(page.getByText(translate('This is what visitors see', 'Ziyaretçiler bunu görüyor'))).toBeVisible();
      await expect(page.getByRole('heading', { level: 1, name: 'Suluboya' })).toBeVisible();
      await checkScreen(page, 'visitor-preview');
      await page.getByRole('link', { name: translate('Back to the Zone', 'Bölgeye Dön') }).click();

      await page.getByRole('tab', { name: translate('1 join request', '1 katılma isteği') }).click();
      await expect(page.getByText('Ayşe Yılmaz')).toBeVisible();
      await checkScreen(page, 'join-request');
      const approveButton = page.getByRole('button', { name: translate('Approve Ayşe Yılmaz', 'Onayla: Ayşe Yılmaz') });
      await approveButton.click();
      await expect(approveButton).toHaveCount(0);
      // An accepted user appears among the members at once.
      const actions = translate('Actions for Ayşe Yılmaz', 'Ayşe Yılmaz için işlemler');
      await expect(page.getByRole('button', { name: actions })).toBeVisible();

      await page.getByRole('tab', { name: translate('Share', 'Paylaşım') }).click();
      await expect(page.getByText(translate('You need a second zone', 'Ayna oluşturmak için'))).toBeVisible();
      await checkScreen(page, 'share');

      await page.getByRole('tab', { name: translate('Settings', 'Ayarlar') }).click();
      await page.getByRole('button', { name: translate('Change…', 'Değiştir…') }).click();
      await dialog.getByRole('radio').first().check();
      await expect(dialog.getByRole('status')).not.toBeEmpty();
      await checkScreen(page, 'change-privacy');
      await page.keyboard.press('Escape');
      await checkScreen(page, 'discard-question');
      await page.getByRole('button', { name: translate('Discard', 'Kaydetmeden Çık'), exact: true }).click();
      await expect(dialog).toHaveCount(0);
      await checkScreen(page, 'zone-settings');
      await page.getByRole('button', { name: translate('Delete Zone', 'Bölgeyi Sil') }).click();
      await expect(dialog).toBeVisible();
      await checkScreen(page, 'delete-zone');

      await page.goto('/files');
      await expect(page.getByText('Ders 1.pdf')).toBeVisible();
      await checkScreen(page, 'files-overview');
      await page.getByRole('link', { name: translate('View Ders 1.pdf', 'Görüntüle: Ders 1.pdf') }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Ders 1.pdf' })).toBeVisible();

      await page.goto('/dashboard');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await checkScreen(page, 'dashboard');
      await page.getByRole('button', { name: translate('Upload Files', 'Dosya Yükle') }).click();
      await dialog.locator('input[type=file]').setInputFiles(pdfFile('Ders 2.pdf', 'Ders 2'));
      await checkScreen(page, 'upload-panel');
      await dialog.getByRole('combobox').selectOption('Suluboya');
      await dialog.getByRole('button', { name: translate('Upload', 'Yükle'), exact: true }).click();
      await expect(
        page.getByText(translate('Files uploaded successfully', 'Dosyalar başarıyla yüklendi')).first(),
      ).toBeVisible();
    });
  });
}
