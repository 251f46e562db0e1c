import { browserOf, nameOf, shapes, type Shape } from './support/shapes.ts';
import { signInAsSuperAdmin } from './support/super-admin.ts';
import { expect, expectAccessible, expectNoOverflow, keepPicture, test } from './support/test.ts';

const words = { en: 'Imprint', tr: 'Künye' };
const address = 'https://zones.example/register';

test('an imprint that is written under Installation stands on a page of its own, and goes with its text', async ({
  page,
  browser,
}) => {
  /** As a stranger sees it who reads another way. */
  async function read(shape: Shape): Promise<void> {
    const { baseURL } = test.info().project.use;
    const context = await browser.newContext({ baseURL, ...browserOf(shape) });
    const stranger = await context.newPage();
    await stranger.goto('/home');
    await stranger.getByRole('contentinfo').getByRole('link', { name: words[shape.language] }).click();
    await expect(stranger.getByRole('heading', { level: 1, name: words[shape.language] })).toBeVisible();
    await expect(stranger.getByRole('link', { name: address })).toHaveAttribute('href', address);
    expect((await stranger.goto('/imprint'))!.status()).toBe(200);
    await expect(stranger.getByText('Sample & Daughters Ltd').first()).toBeVisible();
    await expectNoOverflow(stranger);
    await expectAccessible(stranger);
    await keepPicture(stranger, `imprint-${nameOf(shape).replaceAll(/\W+/g, '-')}.png`, true);
    await context.close();
  }
  const save = async () => {
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.locator('.z-toaster')).toContainText('Site settings saved');
  };

  expect((await page.request.get('/imprint')).status()).toBe(404);
  await signInAsSuperAdmin(page);
  await page.goto('/admin/installation');
  await page.getByText('Or write your imprint here').click();
  const text = page.getByRole('textbox', { name: /^Imprint in English/ });
  await text.fill(`Sample & Daughters Ltd\nSample Street 1\n\nRegistered at ${address}.`);
  await expectNoOverflow(page);
  await expectAccessible(page);
  await keepPicture(page, 'installation-legal.png', true);
  await save();
  for (const shape of shapes) await read(shape);
  await text.fill('');
  await save();
  await expect.poll(async () => (await page.request.get('/imprint')).status()).toBe(404);
});
