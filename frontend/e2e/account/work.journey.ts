import type { Page } from '@playwright/test';
import { Mailbox } from '../support/mailbox.ts';
import { startProduct } from '../support/server.ts';
import { browserOf, nameOf, shapes } from '../support/shapes.ts';
import { expect, expectAccessible, expectNoOverflow, keepPicture, newAddress, test } from '../support/test.ts';

const texts = {
  en: { email: 'Email address', join: 'Join Zone', sent: 'Please check your email', work: /running a short check/ },
  tr: {
    email: 'E-posta adresi',
    join: 'Bölgeye Katıl',
    sent: 'Lütfen e-postanıza bakın',
    work: /kısa bir kontrol yapıyor/,
  },
};

/** A product that counts, as it does for people, with a public zone in it. */
let product: Awaited<ReturnType<typeof startProduct>>;
let publicLink: string;

test.beforeAll(async ({ playwright }) => {
  test.setTimeout(300_000);
  product = await startProduct(() => Promise.resolve({ RATE_LIMIT: 'on' }));
  const origin = product.url;
  const owner = await playwright.request.newContext({ baseURL: origin, extraHTTPHeaders: { origin } });
  const email = newAddress('owner');
  await owner.post('/api/send-verification', { data: { email } });
  const before = process.env.E2E_DATA_DIR;
  process.env.E2E_DATA_DIR = product.dataDir;
  const verificationCode = await new Mailbox(owner).code(email);
  process.env.E2E_DATA_DIR = before;
  const names = {
    firstName: 'Deniz',
    lastName: 'Acar',
    username: `u_${Date.now()}`,
    password: 'correct horse battery',
  };
  expect((await owner.post('/api/register', { data: { ...names, email, verificationCode } })).status()).toBe(201);
  const made = await owner.post('/api/zones', { data: { name: 'Suluboya', type: 'public' } });
  ({ publicLink } = (await made.json()) as { publicLink: string });
  await owner.dispose();
});
test.afterAll(() => product.stop());

/** A class behind the browser's address has joined already; by the browser, which may speak IPv6 where others do not. */
async function makeBusy(page: Page): Promise<void> {
  await page.goto(`${product.url}/join/${publicLink}`);
  const statuses = await page.evaluate(async (path) => {
    const ask = async (visitor: number) => {
      const body = JSON.stringify({ email: `class-${Date.now()}-${visitor}@example.org`, emailConsent: true });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(path, { method: 'POST', headers, body })).status;
    };
    const all: number[] = [];
    for (let visitor = 0; visitor < 11; visitor++) all.push(await ask(visitor));
    return all;
  }, `/api/public-zones/${publicLink}/join`);
  expect(statuses.at(-1)).toBe(428);
}

/** Fills in the form and sends it; the person does nothing else. */
async function join(page: Page, words: (typeof texts)['en' | 'tr']): Promise<void> {
  await page.goto(`${product.url}/join/${publicLink}`);
  await page.getByLabel(words.email).fill(newAddress('visitor'));
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: words.join }).click();
}

for (const shape of shapes) {
  const { width, scheme, language } = shape;
  test.describe(nameOf(shape), () => {
    test.use(browserOf(shape));

    test('a visitor of a busy network joins while the browser works for it', async ({ page }) => {
      const words = texts[language];
      let goOn: () => void = () => undefined;
      const looked = new Promise<void>((resolve) => (goOn = resolve));
      await page.route(/work\.worker/, async (route) => {
        await looked;
        await route.continue();
      });
      await makeBusy(page);
      await join(page, words);
      await expect(page.getByText(words.work)).toBeVisible();
      await expectNoOverflow(page);
      await expectAccessible(page);
      await keepPicture(page, `work-${width}-${scheme}-${language}.png`);
      const began = Date.now();
      goOn();
      await expect(page.getByRole('heading', { name: words.sent })).toBeVisible();
      test
        .info()
        .annotations.push({ type: 'work', description: `${Date.now() - began} ms from the start of the work` });
      await expect(page.getByText(words.work)).toBeHidden();
    });
  });
}
