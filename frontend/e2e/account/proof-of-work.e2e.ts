import type { Page } from '@playwright/test';
import { Mailbox } from '../support/mailbox.ts';
import { startServer } from '../support/server.ts';
import { toBrowserOptions, describeVariant, displayVariants } from '../support/display-variants.ts';
import { expect, expectAccessible, expectNoOverflow, saveScreenshot, uniqueEmail, test } from '../support/test.ts';

const texts = {
  en: { email: 'Email address', join: 'Join Zone', sent: 'The email wasn’t sent', work: /running a short check/ },
  tr: {
    email: 'E-posta adresi',
    join: 'Bölgeye Katıl',
    sent: 'E-posta gönderilmedi',
    work: /kısa bir kontrol yapıyor/,
  },
};

/** A server with rate limits enabled, as in production, with a public zone. */
let server: Awaited<ReturnType<typeof startServer>>;
let publicLink: string;

test.beforeAll(async ({ playwright }) => {
  test.setTimeout(300_000);
  server = await startServer(() => Promise.resolve({ RATE_LIMIT: 'on' }));
  const origin = server.url;
  const ownerClient = await playwright.request.newContext({ baseURL: origin, extraHTTPHeaders: { origin } });
  const email = uniqueEmail('owner');
  await ownerClient.post('/api/send-verification', { data: { email } });
  const verificationCode = await new Mailbox(() => server.dataDir).waitForCode(email);
  const names = {
    firstName: 'Deniz',
    lastName: 'Acar',
    username: `u_${Date.now()}`,
    password: 'correct horse battery',
  };
  expect((await ownerClient.post('/api/register', { data: { ...names, email, verificationCode } })).status()).toBe(201);
  const zoneResponse = await ownerClient.post('/api/zones', { data: { name: 'Suluboya', type: 'public' } });
  ({ publicLink } = (await zoneResponse.json()) as { publicLink: string });
  await ownerClient.dispose();
});
test.afterAll(() => server.stop());

/** Uses up the join limit of the browser's network, from the browser itself, because it may use IPv6. */
async function exhaustJoinLimit(page: Page): Promise<void> {
  await page.goto(`${server.url}/join/${publicLink}`);
  const statuses = await page.evaluate(async (path) => {
    const requestJoin = async (visitor: number) => {
      const body = JSON.stringify({ email: `class-${Date.now()}-${visitor}@example.org`, emailConsent: true });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(path, { method: 'POST', headers, body })).status;
    };
    const results: number[] = [];
    for (let visitor = 0; visitor < 11; visitor++) results.push(await requestJoin(visitor));
    return results;
  }, `/api/public-zones/${publicLink}/join`);
  expect(statuses.at(-1)).toBe(428);
}

/** Fills in and submits the form; nothing else is asked of the user. */
async function submitJoinForm(page: Page, labels: (typeof texts)['en' | 'tr']): Promise<void> {
  await page.goto(`${server.url}/join/${publicLink}`);
  await page.getByLabel(labels.email).fill(uniqueEmail('visitor'));
  for (const checkbox of await page.getByRole('checkbox').all()) await checkbox.check();
  await page.getByRole('button', { name: labels.join }).click();
}

for (const variant of displayVariants) {
  const { width, scheme, language } = variant;
  test.describe(describeVariant(variant), () => {
    test.use(toBrowserOptions(variant));

    test('a visitor from a busy network joins after the browser computes a proof of work', async ({ page }) => {
      const labels = texts[language];
      let resumeWorker: () => void = () => undefined;
      const screenChecked = new Promise<void>((resolve) => (resumeWorker = resolve));
      await page.route(/work\.worker/, async (route) => {
        await screenChecked;
        await route.continue();
      });
      await exhaustJoinLimit(page);
      await submitJoinForm(page, labels);
      await expect(page.getByText(labels.work)).toBeVisible();
      await expectNoOverflow(page);
      await expectAccessible(page);
      await saveScreenshot(page, `work-${width}-${scheme}-${language}.png`);
      const startedAt = Date.now();
      resumeWorker();
      await expect(page.getByRole('heading', { name: labels.sent })).toBeVisible();
      test
        .info()
        .annotations.push({ type: 'work', description: `${Date.now() - startedAt} ms from the start of the work` });
      await expect(page.getByText(labels.work)).toBeHidden();
    });
  });
}
