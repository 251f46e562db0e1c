import type { Page } from '@playwright/test';
import { toBrowserOptions, describeVariant, displayVariants } from './support/display-variants.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  saveScreenshot,
  uniqueEmail,
  makeUser,
  registerUser,
  test,
} from './support/test.ts';
import { postApi } from './support/zones.ts';

const texts = {
  en: { label: 'Reply-to address', save: 'Save', waiting: 'Waiting for confirmation', again: 'Send Again' },
  tr: { label: 'Yanıt adresi', save: 'Kaydet', waiting: 'Doğrulama bekleniyor', again: 'Yeniden Gönder' },
};
const confirmLabels = { en: 'Confirm This Address', tr: 'Bu Adresi Doğrula' };
const doneLabels = { en: "Replies to this zone's emails now go", tr: 'Bu bölgenin e-postalarına verilen yanıtlar' };

for (const variant of displayVariants) {
  const { width, scheme, language } = variant;
  test.describe(describeVariant(variant), () => {
    test.use(toBrowserOptions(variant));

    test('an owner directs replies to another mailbox once it has confirmed', async ({
      page,
      browser,
      mailbox,
      context,
      baseURL,
    }) => {
      test.setTimeout(180_000);
      const labels = texts[language];
      const checkScreen = async (target: Page, name: string) => {
        await target.mouse.move(0, 0);
        await expectNoOverflow(target);
        await expectAccessible(target);
        await saveScreenshot(target, `reply-to-${name}-${width}-${scheme}-${language}.png`, true);
      };
      await context.setExtraHTTPHeaders({ 'Accept-Language': language });
      await registerUser(page, mailbox, makeUser('Deniz', 'Şahin'));
      const { id } = await postApi<{ id: number }>(page, '/api/zones', { name: 'Suluboya atölyesi', type: 'private' });
      const replyToEmail = uniqueEmail('yanitlar');

      await page.goto(`/zones/${id}/campaigns`);
      await page.getByLabel(labels.label).fill(replyToEmail);
      const form = page.locator('form').filter({ has: page.getByLabel(labels.label) });
      await form.getByRole('button', { name: labels.save }).click();
      await expect(page.getByText(labels.waiting)).toBeVisible();
      await checkScreen(page, 'waiting');
      const firstLink = await mailbox.waitForLink(replyToEmail, '/reply-to');
      await page.getByRole('button', { name: labels.again }).click();
      const secondLink = await mailbox.waitForLink(replyToEmail, '/reply-to', 2);
      expect(secondLink).not.toBe(firstLink);

      const recipientContext = await browser.newContext({ ...toBrowserOptions(variant), baseURL });
      const recipientPage = await recipientContext.newPage();
      await recipientPage.goto(secondLink);
      await expect(recipientPage.getByText(replyToEmail)).toBeVisible();
      await checkScreen(recipientPage, 'link');
      await page.reload();
      await expect(page.getByText(labels.waiting)).toBeVisible();
      await recipientPage.getByRole('button', { name: confirmLabels[language] }).click();
      await expect(recipientPage.getByText(doneLabels[language])).toBeVisible();
      await checkScreen(recipientPage, 'done');
      await recipientContext.close();

      await page.reload();
      await expect(page.getByLabel(labels.label)).toHaveValue(replyToEmail);
      await expect(page.getByText(labels.waiting)).toBeHidden();
    });
  });
}
