import { startProduct } from '../support/server.ts';
import { browserOf, nameOf, shapes } from '../support/shapes.ts';
import { expect, expectAccessible, expectNoOverflow, keepPicture, newAddress, test } from '../support/test.ts';

const texts = {
  en: {
    ...{ title: 'Set Up Your Installation', first: 'First name', last: 'Last name', email: 'Email' },
    ...{ username: 'Username', password: 'Password', closed: 'This setup address no longer works' },
  },
  tr: {
    ...{ title: 'Kurulumunuzu Hazırlayın', first: 'Ad', last: 'Soyad', email: 'E-posta' },
    ...{ username: 'Kullanıcı adı', password: 'Parola', closed: 'Bu kurulum adresi artık çalışmıyor' },
  },
};

for (const shape of shapes) {
  const { width, scheme, language } = shape;
  test.describe(nameOf(shape), () => {
    test.use(browserOf(shape));

    let product: Awaited<ReturnType<typeof startProduct>>;
    test.beforeAll(async () => {
      test.setTimeout(300_000);
      product = await startProduct(() => Promise.resolve({ SUPER_ADMIN_EMAIL: '' }));
    });
    test.afterAll(() => product.stop());

    test('an empty installation gets its super admin by the printed address, from the keyboard, without mail', async ({
      page,
    }) => {
      const words = texts[language];
      const printed = () => /Set it up: (\S+)/.exec(product.printed())?.[1];
      await expect.poll(printed, { message: 'the address is printed' }).toBeDefined();
      const address = printed()!;
      await page.goto(address);
      await expect(page.getByRole('heading', { name: words.title })).toBeVisible();
      await expect(page).toHaveURL(`${product.url}/setup`);
      await page.reload();
      await expect(page.getByRole('heading', { name: words.title })).toBeVisible();
      await expectNoOverflow(page);
      await expectAccessible(page);
      await keepPicture(page, `setup-${width}-${scheme}-${language}.png`, true);

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
      await expect(page).toHaveURL(`${product.url}/`);
      const who = (await (await page.request.get(`${product.url}/api/user`)).json()) as object;
      expect(who).toMatchObject({ email, isSuperAdmin: true, language });

      await page.goto(address);
      await expect(page.getByRole('heading', { name: words.closed })).toBeVisible();
      await expect(page).toHaveURL(`${product.url}/setup`);
      await expectNoOverflow(page);
      await expectAccessible(page);
      await keepPicture(page, `setup-closed-${width}-${scheme}-${language}.png`, true);
    });
  });
}
