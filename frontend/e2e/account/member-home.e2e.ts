import type { APIRequestContext, Page } from '@playwright/test';
import { textFile } from '../support/sample-files.ts';
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

const headers = () => ({ origin: new URL(test.info().project.use.baseURL!).origin });

async function post<T>(request: APIRequestContext, path: string, data: object): Promise<T> {
  const response = await request.post(path, { headers: headers(), data });
  expect(response.ok(), `${path}: ${response.status()}`).toBe(true);
  return (await response.json()) as T;
}

/** Creates a zone with a file for the given session. */
async function createZone(request: APIRequestContext, name: string, type: 'public' | 'private') {
  const zone = await post<{ id: number; publicLink: string }>(request, '/api/zones', { name, type });
  const files = textFile(
    'Anlaşılması güç ve gereğinden çok uzun bir ad – scanned, final, corrected once more (3).txt',
    'x',
  );
  const response = await request.post(`/api/zones/${zone.id}/files`, { headers: headers(), multipart: { files } });
  expect(response.status()).toBe(201);
  return zone;
}

for (const variant of displayVariants) {
  const { width, scheme, language } = variant;
  test.describe(describeVariant(variant), () => {
    test.use(toBrowserOptions(variant));
    const translate = (en: string, tr: string) => (language === 'tr' ? tr : en);
    const checkScreen = async (page: Page, name: string) => {
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await page.mouse.move(0, 0);
      await expectNoOverflow(page);
      await expectAccessible(page);
      await saveScreenshot(page, `${name}-${width}-${scheme}-${language}.png`, true);
    };

    test('a member sees invitations and new files at home, leaves a zone and switches after creating one', async ({
      page,
      browser,
      mailbox,
      context,
      baseURL,
    }) => {
      await context.setExtraHTTPHeaders({ 'Accept-Language': language });
      const { email } = await registerUser(page, mailbox, makeUser('Deniz', 'Şahin'));
      const ownerContext = await browser.newContext({ baseURL, locale: 'en-US' });
      const owner = await ownerContext.newPage();
      await registerUser(owner, mailbox, makeUser('Grace', 'Hopper'));
      const zone = await createZone(owner.request, 'Suluboya atölyesi', 'public');
      const joinForm = { email, emailConsent: true };
      await post(page.request, `/api/public-zones/${zone.publicLink}/join`, joinForm);
      const inviterContext = await browser.newContext({ baseURL, locale: 'en-US' });
      const inviter = await inviterContext.newPage();
      await registerUser(inviter, mailbox, makeUser('Ada', 'Lovelace'));
      const invitedZone = await createZone(inviter.request, 'Pottery', 'private');
      await post(inviter.request, `/api/zones/${invitedZone.id}/invite`, { emails: [email] });
      await inviterContext.close();
      const files = textFile('Ders 2.txt', 'Merhaba');
      await owner.request.post(`/api/zones/${zone.id}/files`, { headers: headers(), multipart: { files } });
      await ownerContext.close();

      await page.goto('/');
      // The HTML lists the member home’s requests, so that they don't wait for the script.
      await expect(page.locator('html')).toHaveAttribute('data-member-home-prefetches', /\/api\/home/);
      const zones = page.getByRole('region', { name: translate('Your Zones', 'Bölgeleriniz') });
      await expect(zones.getByText(translate('1 new', '1 yeni'))).toBeVisible();
      await expect(page.getByRole('banner').getByText(/^(Free|Ücretsiz)$/)).toHaveCount(0);
      await checkScreen(page, 'home');
      await page
        .getByRole('button', { name: translate('Accept the invitation to Pottery', 'Pottery davetini kabul et') })
        .click();
      await expect(page.getByRole('heading', { level: 1, name: 'Pottery' })).toBeVisible();
      await expect(page.getByRole('tab')).toHaveCount(0);
      await checkScreen(page, 'zone-of-a-member');
      await page.goto(`/zones/${zone.id}`);
      await expect(page.getByRole('heading', { level: 1, name: 'Suluboya atölyesi' })).toBeVisible();
      await expect
        .poll(async () => {
          const home = (await (await page.request.get('/api/home')).json()) as { zones: { newFiles: number }[] };
          return home.zones.map(({ newFiles }) => newFiles);
        })
        .toEqual([0, 0]);
      await page
        .getByRole('button', { name: translate('More actions for this zone', 'Bu bölge için diğer işlemler') })
        .click();
      await page.getByRole('menuitem', { name: translate('Leave Zone', 'Bölgeden Ayrıl') }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: translate('Leave Zone', 'Bölgeden Ayrıl') })
        .click();
      await expect(page).toHaveURL('/shared-zones');

      await createZone(page.request, 'Own', 'private');
      await page.goto('/');
      await expect(page.getByRole('heading', { level: 1, name: translate('Dashboard', 'Panel') })).toBeVisible();
      await checkScreen(page, 'dashboard-of-both');
      const switchLabel = width < 900 ? translate('Switch to Reading', 'Okumaya Geç') : translate('Reading', 'Okuma');
      await page.getByRole('button', { name: switchLabel }).click();
      await expect(page.getByRole('heading', { level: 1, name: translate('Dashboard', 'Panel') })).toBeVisible();
      await page.reload();
      await expect(page.getByRole('link', { name: /Pottery/ }).first()).toBeVisible();
      await checkScreen(page, 'home-of-both');
    });
  });
}
