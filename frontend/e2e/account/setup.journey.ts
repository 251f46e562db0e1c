import type { Page } from '@playwright/test';
import { startNewProduct } from '../support/server.ts';
import { browserOf, nameOf, shapes } from '../support/shapes.ts';
import { expect, expectAccessible, expectNoOverflow, keepPicture, newAddress, test } from '../support/test.ts';

const texts = {
  en: {
    ...{ title: 'Set Up Your Site', first: 'First name', last: 'Last name', email: 'Email' },
    ...{ username: 'Username', password: 'Password', closed: 'This setup address no longer works' },
    ...{ purpose: /Step 2 of 3.*What Is This Site For\?/s, own: /^My own audience/, name: /^Name/ },
    ...{
      address: /^Public address/,
      sender: /^Sender/,
      mail: /Step 3 of 3.*Email/s,
      dns: 'DNS Records',
      later: 'Later',
    },
    ...{ notice: 'Continue the Setup', start: 'Your First Member', visitors: 'This is what visitors see' },
  },
  tr: {
    ...{ title: 'Sitenizi Kurun', first: 'Ad', last: 'Soyad', email: 'E-posta' },
    ...{ username: 'Kullanıcı adı', password: 'Parola', closed: 'Bu kurulum adresi artık çalışmıyor' },
    ...{ purpose: /Adım 2 \/ 3.*Bu Site Ne İçin\?/s, own: /^Kendi takipçilerim/, name: /^Ad/ },
    ...{
      address: /^Herkese açık adres/,
      sender: /^Gönderen/,
      mail: /Adım 3 \/ 3.*E-posta/s,
      dns: 'DNS kayıtları',
      later: 'Daha Sonra',
    },
    ...{ notice: 'Kuruluma Devam Et', start: 'İlk Üyeniz', visitors: 'Ziyaretçiler bunu görüyor' },
  },
};

/** Of the installation: two words, which the sidebar has to hold. */
const NAME = 'Suluboya Atölyesi';

type Words = (typeof texts)['en' | 'tr'];

/** From its heading, which has the focus, also after a reload: what it is for, its name, its address. */
async function answerPurpose(page: Page, words: Words, look: (name: string) => Promise<void>): Promise<void> {
  const title = page.getByRole('heading', { name: words.purpose });
  await expect(title).toBeFocused();
  await page.reload();
  await expect(title).toBeFocused();
  await look('setup-purpose');
  await page.keyboard.press('Tab');
  const own = page.getByRole('radio', { name: words.own });
  await expect(own).toBeChecked();
  await expect(own).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('textbox', { name: words.name })).toBeFocused();
  await page.keyboard.type(NAME);
  await expect(page.getByRole('textbox', { name: words.address })).toHaveValue(new URL(page.url()).origin);
  await page.keyboard.press('Enter');
}

/** Who closes the window in between is led back by the dashboard. */
async function comeBack(page: Page, words: Words, look: (name: string) => Promise<void>): Promise<void> {
  await expect(page.getByRole('heading', { name: words.mail })).toBeVisible();
  // The name that was just set is there at once, in the header, the title and the sender.
  await expect(page.getByRole('banner').getByText(NAME)).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(`· ${NAME}$`));
  await expect(page.getByRole('textbox', { name: words.sender })).toHaveAccessibleDescription(
    new RegExp(`${NAME} <no-reply@localhost>`),
  );
  await page.goto(new URL('/', page.url()).href);
  const link = page.getByRole('link', { name: words.notice });
  await expect(link).toBeVisible();
  await expect(page.getByRole('region', { name: words.start })).toBeVisible();
  await look('setup-left');
  await link.focus();
  await page.keyboard.press('Enter');
}

/** What comes after it: the way to the first reader, and a first zone as a visitor sees it. */
async function begin(page: Page, words: Words, look: (name: string) => Promise<void>): Promise<void> {
  await expect(page.getByRole('region', { name: words.start })).toBeVisible();
  await expect(page.getByRole('link', { name: words.notice })).toHaveCount(0);
  await look('first-steps');
  const { origin } = new URL(page.url());
  const data = { name: 'Suluboya', type: 'public' };
  const made = await page.request.post(`${origin}/api/zones`, { headers: { origin }, data });
  await page.goto(`${origin}/zones/${((await made.json()) as { id: number }).id}/visitor`);
  await expect(page.getByText(words.visitors)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Suluboya' })).toBeVisible();
  await look('visitor-preview');
}

/** Nothing of it is needed; what it asks stands there, and the way on is found by the keyboard. */
async function leaveMail(page: Page, words: Words, look: (name: string) => Promise<void>): Promise<void> {
  const title = page.getByRole('heading', { name: words.mail });
  await expect(title).toBeFocused();
  await page.reload();
  await expect(title).toBeFocused();
  await expect(page.getByRole('region', { name: words.dns })).toBeVisible();
  await look('setup-mail');
  const later = page.getByRole('button', { name: words.later });
  await later.focus();
  await page.keyboard.press('Enter');
}

for (const shape of shapes) {
  const { width, scheme, language } = shape;
  test.describe(nameOf(shape), () => {
    test.use(browserOf(shape));

    let product: Awaited<ReturnType<typeof startNewProduct>>;
    test.beforeAll(async () => {
      test.setTimeout(300_000);
      product = await startNewProduct();
    });
    test.afterAll(() => product.stop());

    test('an empty installation gets its super admin by the printed address, from the keyboard, without mail', async ({
      page,
    }) => {
      const words = texts[language];
      const look = async (name: string) => {
        await expectNoOverflow(page);
        await expectAccessible(page);
        await keepPicture(page, `${name}-${width}-${scheme}-${language}.png`, true);
      };
      const printed = () => /Set it up: (\S+)/.exec(product.printed())?.[1];
      await expect.poll(printed, { message: 'the address is printed' }).toBeDefined();
      const address = printed()!;
      await page.goto(address);
      await expect(page.getByRole('heading', { name: words.title })).toBeVisible();
      await expect(page).toHaveURL(`${product.url}/setup`);
      await page.reload();
      await expect(page.getByRole('heading', { name: words.title })).toBeVisible();
      await look('setup');

      await page.getByLabel(words.first, { exact: true }).focus();
      const email = newAddress('deniz.acar');
      for (const text of ['Deniz', 'Acar', email]) {
        await page.keyboard.type(text);
        await page.keyboard.press('Tab');
      }
      const username = page.getByLabel(words.username);
      await expect(username).toBeFocused();
      await expect(username).toHaveValue(/^deniz_acar_[0-9a-f]{8}$/);
      await page.getByLabel(words.password, { exact: true }).focus();
      await page.keyboard.type('correct horse battery');
      await page.keyboard.press('Enter');
      await answerPurpose(page, words, look);
      await comeBack(page, words, look);
      await leaveMail(page, words, look);
      await expect(page).toHaveURL(`${product.url}/`);
      const { settings } = (await (await page.request.get(`${product.url}/api/admin/installation`)).json()) as {
        settings: { key: string; value: string; source: string }[];
      };
      expect(settings.filter(({ source }) => source === 'setting').map(({ key, value }) => [key, value])).toEqual([
        ['purpose', 'own'],
        ['name', NAME],
      ]);
      const who = (await (await page.request.get(`${product.url}/api/user`)).json()) as object;
      expect(who).toMatchObject({ email, isSuperAdmin: true, language });
      await begin(page, words, look);

      await page.goto(address);
      await expect(page.getByRole('heading', { name: words.closed })).toBeVisible();
      await expect(page).toHaveURL(`${product.url}/setup`);
      await look('setup-closed');
    });
  });
}
