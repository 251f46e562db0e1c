import type { Page } from '@playwright/test';
import { browserOf, nameOf, shapes } from './support/shapes.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  keepPicture,
  newAddress,
  newPerson,
  register,
  test,
} from './support/test.ts';
import { call } from './support/zones.ts';

const texts = {
  en: { label: 'Reply-to address', save: 'Save', waiting: 'Waiting for confirmation', again: 'Send Again' },
  tr: { label: 'Yanıt adresi', save: 'Kaydet', waiting: 'Onay bekleniyor', again: 'Yeniden Gönder' },
};
const confirm = { en: 'Confirm This Address', tr: 'Bu Adresi Onayla' };
const done = { en: "Replies to this zone's emails now go", tr: 'Bu bölgenin e-postalarına verilen yanıtlar' };

for (const shape of shapes) {
  const { width, scheme, language } = shape;
  test.describe(nameOf(shape), () => {
    test.use(browserOf(shape));

    test('answers go to another mailbox once it has agreed', async ({ page, browser, mailbox, context, baseURL }) => {
      test.setTimeout(180_000);
      const words = texts[language];
      const look = async (shown: Page, name: string) => {
        await shown.mouse.move(0, 0);
        await expectNoOverflow(shown);
        await expectAccessible(shown);
        await keepPicture(shown, `reply-to-${name}-${width}-${scheme}-${language}.png`, true);
      };
      await context.setExtraHTTPHeaders({ 'Accept-Language': language });
      await register(page, mailbox, newPerson('Deniz', 'Şahin'));
      const { id } = await call<{ id: number }>(page, '/api/zones', { name: 'Suluboya atölyesi', type: 'private' });
      const answers = newAddress('yanitlar');

      await page.goto(`/zones/${id}/campaigns`);
      await page.getByLabel(words.label).fill(answers);
      const form = page.locator('form').filter({ has: page.getByLabel(words.label) });
      await form.getByRole('button', { name: words.save }).click();
      await expect(page.getByText(words.waiting)).toBeVisible();
      await look(page, 'waiting');
      const old = await mailbox.link(answers, '/reply-to');
      await page.getByRole('button', { name: words.again }).click();
      const link = await mailbox.link(answers, '/reply-to', 2);
      expect(link).not.toBe(old);

      const other = await browser.newContext({ ...browserOf(shape), baseURL });
      const reader = await other.newPage();
      await reader.goto(link);
      await expect(reader.getByText(answers)).toBeVisible();
      await look(reader, 'link');
      await page.reload();
      await expect(page.getByText(words.waiting)).toBeVisible();
      await reader.getByRole('button', { name: confirm[language] }).click();
      await expect(reader.getByText(done[language])).toBeVisible();
      await look(reader, 'done');
      await other.close();

      await page.reload();
      await expect(page.getByLabel(words.label)).toHaveValue(answers);
      await expect(page.getByText(words.waiting)).toBeHidden();
    });
  });
}
