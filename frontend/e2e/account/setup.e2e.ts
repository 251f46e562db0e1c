import type { Page } from '@playwright/test';
import { startUnconfiguredServer } from '../support/server.ts';
import { toBrowserOptions, describeVariant, displayVariants } from '../support/display-variants.ts';
import { expect, expectAccessible, expectNoOverflow, saveScreenshot, uniqueEmail, test } from '../support/test.ts';

const texts = {
  en: {
    title: 'Set Up Your Site',
    first: 'First name',
    last: 'Last name',
    email: 'Email',
    username: 'Username',
    password: 'Password',
    closed: 'This site is already set up',
    purpose: /Step 2 of 3.*What Is This Site For\?/s,
    own: /^My own audience/,
    name: /^Name/,
    address: /^Public address/,
    sender: /^Sender/,
    mail: /Step 3 of 3.*Email/s,
    dns: 'DNS Records',
    later: 'Later',
    notice: 'Continue the Setup',
    start: 'Get Your First Member',
    visitors: 'This is what visitors see',
  },
  tr: {
    title: 'Sitenizi Kurun',
    first: 'Ad',
    last: 'Soyad',
    email: 'E-posta',
    username: 'Kullanıcı adı',
    password: 'Parola',
    closed: 'Bu site zaten kuruldu',
    purpose: /Adım 2 \/ 3.*Bu Site Ne İçin\?/s,
    own: /^Kendi takipçilerim/,
    name: /^Ad/,
    address: /^Herkese açık adres/,
    sender: /^Gönderen/,
    mail: /Adım 3 \/ 3.*E-posta/s,
    dns: 'DNS Kayıtları',
    later: 'Daha Sonra',
    notice: 'Kuruluma Devam Et',
    start: 'İlk Üyenizi Kazanın',
    visitors: 'Ziyaretçiler bunu görüyor',
  },
};

/** Name of the installation: two words, which must fit the sidebar. */
const SITE_NAME = 'Suluboya Atölyesi';

type Labels = (typeof texts)['en' | 'tr'];

/** Starts at the heading, which has the focus, also after a reload: purpose, name, URL. */
async function choosePurpose(page: Page, labels: Labels, checkScreen: (name: string) => Promise<void>): Promise<void> {
  const title = page.getByRole('heading', { name: labels.purpose });
  await expect(title).toBeFocused();
  await page.reload();
  await expect(title).toBeFocused();
  await checkScreen('setup-purpose');
  await page.keyboard.press('Tab');
  const ownAudience = page.getByRole('radio', { name: labels.own });
  await expect(ownAudience).toBeChecked();
  await expect(ownAudience).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('textbox', { name: labels.name })).toBeFocused();
  await page.keyboard.type(SITE_NAME);
  await expect(page.getByRole('textbox', { name: labels.address })).toHaveValue(new URL(page.url()).origin);
  await page.keyboard.press('Enter');
}

/** After closing the window, the dashboard leads back to the setup. */
async function returnToSetup(page: Page, labels: Labels, checkScreen: (name: string) => Promise<void>): Promise<void> {
  await expect(page.getByRole('heading', { name: labels.mail })).toBeVisible();
  // The new name appears at once in the header, the title and the sender.
  await expect(page.getByRole('banner').getByText(SITE_NAME)).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(`· ${SITE_NAME}$`));
  await expect(page.getByRole('textbox', { name: labels.sender })).toHaveAccessibleDescription(
    new RegExp(`${SITE_NAME} <no-reply@localhost>`),
  );
  await page.goto(new URL('/', page.url()).href);
  const link = page.getByRole('link', { name: labels.notice });
  await expect(link).toBeVisible();
  await expect(page.getByRole('region', { name: labels.start })).toBeVisible();
  await checkScreen('setup-left');
  await link.focus();
  await page.keyboard.press('Enter');
}

/** After the setup: the checklist for the first member, and the first zone as a visitor sees it. */
async function checkFirstSteps(
  page: Page,
  labels: Labels,
  checkScreen: (name: string) => Promise<void>,
): Promise<void> {
  await expect(page.getByRole('region', { name: labels.start })).toBeVisible();
  await expect(page.getByRole('link', { name: labels.notice })).toHaveCount(0);
  await checkScreen('first-steps');
  const { origin } = new URL(page.url());
  const data = { name: 'Suluboya', type: 'public' };
  const response = await page.request.post(`${origin}/api/zones`, { headers: { origin }, data });
  await page.goto(`${origin}/zones/${((await response.json()) as { id: number }).id}/visitor`);
  await expect(page.getByText(labels.visitors)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Suluboya' })).toBeVisible();
  await checkScreen('visitor-preview');
}

/** The step is optional; its settings are shown, and the keyboard reaches the way on. */
async function skipEmailStep(page: Page, labels: Labels, checkScreen: (name: string) => Promise<void>): Promise<void> {
  const title = page.getByRole('heading', { name: labels.mail });
  await expect(title).toBeFocused();
  await page.reload();
  await expect(title).toBeFocused();
  await expect(page.getByRole('region', { name: labels.dns })).toBeVisible();
  await checkScreen('setup-mail');
  const laterButton = page.getByRole('button', { name: labels.later });
  await laterButton.focus();
  await page.keyboard.press('Enter');
}

for (const variant of displayVariants) {
  const { width, scheme, language } = variant;
  test.describe(describeVariant(variant), () => {
    test.use(toBrowserOptions(variant));

    let server: Awaited<ReturnType<typeof startUnconfiguredServer>>;
    test.beforeAll(async () => {
      test.setTimeout(300_000);
      server = await startUnconfiguredServer();
    });
    test.afterAll(() => server.stop());

    test('an operator creates the super admin from the printed setup URL by keyboard, without email', async ({
      page,
    }) => {
      const labels = texts[language];
      const checkScreen = async (name: string) => {
        await expectNoOverflow(page);
        await expectAccessible(page);
        await saveScreenshot(page, `${name}-${width}-${scheme}-${language}.png`, true);
      };
      const findSetupUrl = () => /Set it up: (\S+)/.exec(server.readOutput())?.[1];
      await expect.poll(findSetupUrl, { message: 'the address is printed' }).toBeDefined();
      const setupUrl = findSetupUrl()!;
      await page.goto(setupUrl);
      await expect(page.getByRole('heading', { name: labels.title })).toBeVisible();
      await expect(page).toHaveURL(`${server.url}/setup`);
      await page.reload();
      await expect(page.getByRole('heading', { name: labels.title })).toBeVisible();
      await checkScreen('setup');

      await page.getByLabel(labels.first, { exact: true }).focus();
      const email = uniqueEmail('deniz.acar');
      for (const text of ['Deniz', 'Acar', email]) {
        await page.keyboard.type(text);
        await page.keyboard.press('Tab');
      }
      const usernameField = page.getByLabel(labels.username);
      await expect(usernameField).toBeFocused();
      await expect(usernameField).toHaveValue(/^deniz_acar_[0-9a-f]{8}$/);
      await page.getByLabel(labels.password, { exact: true }).focus();
      await page.keyboard.type('correct horse battery');
      await page.keyboard.press('Enter');
      await choosePurpose(page, labels, checkScreen);
      await returnToSetup(page, labels, checkScreen);
      await skipEmailStep(page, labels, checkScreen);
      await expect(page).toHaveURL(`${server.url}/`);
      const { settings } = (await (await page.request.get(`${server.url}/api/admin/installation`)).json()) as {
        settings: { key: string; value: string; source: string }[];
      };
      expect(settings.filter(({ source }) => source === 'setting').map(({ key, value }) => [key, value])).toEqual([
        ['purpose', 'own'],
        ['name', SITE_NAME],
      ]);
      const user = (await (await page.request.get(`${server.url}/api/user`)).json()) as object;
      expect(user).toMatchObject({ email, isSuperAdmin: true, language });
      await checkFirstSteps(page, labels, checkScreen);

      await page.goto(setupUrl);
      await expect(page.getByRole('heading', { name: labels.closed })).toBeVisible();
      await expect(page).toHaveURL(`${server.url}/setup`);
      await checkScreen('setup-closed');
    });
  });
}
