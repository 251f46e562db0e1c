import { text } from '../support/files.ts';
import { expect, expectAccessible, expectNoOverflow, keepPicture, test } from '../support/test.ts';
import { file, folder, makeFolder, openStudio, store } from '../support/zones.ts';

for (const language of ['en', 'tr'] as const) {
  const say = (en: string, tr: string) => (language === 'tr' ? tr : en);

  test.describe(`in ${language}`, () => {
    test.use({ locale: language === 'tr' ? 'tr-TR' : 'en-US', colorScheme: language === 'tr' ? 'dark' : 'light' });

    test('what was deleted is brought back from the trash, or removed for good', async ({ page, mailbox, context }) => {
      await context.setExtraHTTPHeaders({ 'Accept-Language': language });
      const id = await openStudio(page, mailbox);
      const drafts = await makeFolder(page, id, 'Drafts');
      await store(page, id, [text('Plan.txt', 'a plan')], drafts);
      await store(page, id, [text('Alpha.txt', 'alpha'), text('Beta.txt', 'beta')]);
      await page.goto(`/zones/${id}`);
      for (const entry of [folder(page, 'Drafts'), file(page, 'Alpha.txt'), file(page, 'Beta.txt')]) {
        await entry.press('Delete');
        await expect(entry).toHaveCount(0);
      }

      await page.getByRole('link', { name: say('Trash of this zone', 'Bu bölgenin çöp kutusu') }).click();
      await expect(page.getByText('Alpha.txt')).toBeVisible();
      await expect(page.getByText(say('3 items, 15 B.', '3 öğe, 15 B.'))).toBeVisible();
      await expectAccessible(page);
      await keepPicture(page, `trash-${language}.png`);
      await page.setViewportSize({ width: 360, height: 740 });
      await expectNoOverflow(page);
      await expectAccessible(page);
      await keepPicture(page, `trash-phone-${language}.png`);
      await page.setViewportSize({ width: 1440, height: 900 });

      await page.getByRole('button', { name: say('Restore Drafts', 'Drafts öğesini geri yükle') }).click();
      await expect(page.getByText(say('“Drafts” restored', '“Drafts” geri yüklendi'))).toBeVisible();
      const forever = say('Delete Alpha.txt forever', 'Alpha.txt öğesini kalıcı olarak sil');
      await page.getByRole('button', { name: forever }).click();
      await expect(page.getByRole('dialog')).toContainText(say('cannot be undone', 'geri alınamaz'));
      await expectAccessible(page);
      const purge = say('Delete forever', 'Kalıcı olarak sil');
      await page.getByRole('dialog').getByRole('button', { name: purge }).click();
      await expect(page.getByText(say('5 B freed up.', '5 B yer açıldı.'))).toBeVisible();
      const empty = say('Empty trash', 'Çöp kutusunu boşalt');
      await page.getByRole('button', { name: empty }).click();
      await page.getByRole('dialog').getByRole('button', { name: empty }).click();
      await expect(page.getByText(say('The trash is empty', 'Çöp kutusu boş'))).toBeVisible();

      await page.getByRole('link', { name: 'Studio', exact: true }).click();
      await folder(page, 'Drafts').click();
      await expect(file(page, 'Plan.txt')).toBeVisible();
    });
  });
}
