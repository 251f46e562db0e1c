import type { APIRequestContext, Page } from '@playwright/test';
import { text } from '../support/files.ts';
import { browserOf, nameOf, shapes } from '../support/shapes.ts';
import { expect, expectAccessible, expectNoOverflow, keepPicture, newPerson, register, test } from '../support/test.ts';

const headers = () => ({ origin: new URL(test.info().project.use.baseURL!).origin });

async function post<T>(request: APIRequestContext, path: string, data: object): Promise<T> {
  const answer = await request.post(path, { headers: headers(), data });
  expect(answer.ok(), `${path}: ${answer.status()}`).toBe(true);
  return (await answer.json()) as T;
}

/** A zone with a file in it, of whoever asks. */
async function makeZone(request: APIRequestContext, name: string, type: 'public' | 'private') {
  const zone = await post<{ id: number; publicLink: string }>(request, '/api/zones', { name, type });
  const files = text(
    'Anlaşılması güç ve gereğinden çok uzun bir ad – scanned, final, corrected once more (3).txt',
    'x',
  );
  const sent = await request.post(`/api/zones/${zone.id}/files`, { headers: headers(), multipart: { files } });
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
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await page.mouse.move(0, 0);
      await expectNoOverflow(page);
      await expectAccessible(page);
      await keepPicture(page, `${name}-${width}-${scheme}-${language}.png`, true);
    };

    test('a reader finds at home who invites, what is new and what came last, leaves, and switches once they create', async ({
      page,
      browser,
      mailbox,
      context,
      baseURL,
    }) => {
      await context.setExtraHTTPHeaders({ 'Accept-Language': language });
      const { email } = await register(page, mailbox, newPerson('Deniz', 'Şahin'));
      const other = await browser.newContext({ baseURL, locale: 'en-US' });
      const owner = await other.newPage();
      await register(owner, mailbox, newPerson('Grace', 'Hopper'));
      const zone = await makeZone(owner.request, 'Suluboya atölyesi', 'public');
      const joining = { email, emailConsent: true };
      await post(page.request, `/api/public-zones/${zone.publicLink}/join`, joining);
      const second = await browser.newContext({ baseURL, locale: 'en-US' });
      const inviter = await second.newPage();
      await register(inviter, mailbox, newPerson('Ada', 'Lovelace'));
      const invited = await makeZone(inviter.request, 'Pottery', 'private');
      await post(inviter.request, `/api/zones/${invited.id}/invite`, { emails: [email] });
      await second.close();
      const files = text('Ders 2.txt', 'Merhaba');
      await owner.request.post(`/api/zones/${zone.id}/files`, { headers: headers(), multipart: { files } });
      await other.close();

      await page.goto('/');
      // The document names what readers need, so that nothing waits for the program.
      await expect(page.locator('html')).toHaveAttribute('data-readers-asks', /\/api\/home/);
      const zones = page.getByRole('region', { name: say('Your Zones', 'Bölgeleriniz') });
      await expect(zones.getByText(say('1 new', '1 yeni'))).toBeVisible();
      await expect(page.getByRole('banner').getByText(/^(Free|Ücretsiz)$/)).toHaveCount(0);
      await look(page, 'home');
      await page
        .getByRole('button', { name: say('Accept the invitation to Pottery', 'Pottery davetini kabul et') })
        .click();
      await expect(page.getByRole('heading', { level: 1, name: 'Pottery' })).toBeVisible();
      await expect(page.getByRole('tab')).toHaveCount(0);
      await look(page, 'zone-of-a-reader');
      await page.goto(`/zones/${zone.id}`);
      await expect(page.getByRole('heading', { level: 1, name: 'Suluboya atölyesi' })).toBeVisible();
      await expect
        .poll(async () => {
          const home = (await (await page.request.get('/api/home')).json()) as { zones: { newFiles: number }[] };
          return home.zones.map(({ newFiles }) => newFiles);
        })
        .toEqual([0, 0]);
      await page
        .getByRole('button', { name: say('More actions for this zone', 'Bu bölge için diğer işlemler') })
        .click();
      await page.getByRole('menuitem', { name: say('Leave Zone', 'Bölgeden Ayrıl') }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: say('Leave Zone', 'Bölgeden Ayrıl') })
        .click();
      await expect(page).toHaveURL('/shared-zones');

      await makeZone(page.request, 'Own', 'private');
      await page.goto('/');
      await expect(page.getByRole('heading', { level: 1, name: say('Dashboard', 'Panel') })).toBeVisible();
      await look(page, 'dashboard-of-both');
      const toReading = width < 900 ? say('Switch to Reading', 'Okumaya Geç') : say('Reading', 'Okuma');
      await page.getByRole('button', { name: toReading }).click();
      await expect(page.getByRole('heading', { level: 1, name: say('Home', 'Ana Sayfa') })).toBeVisible();
      await page.reload();
      await expect(page.getByRole('link', { name: /Pottery/ }).first()).toBeVisible();
      await look(page, 'home-of-both');
    });
  });
}
