import { textFile } from '../support/sample-files.ts';
import { expect, expectAccessible, expectNoOverflow, saveScreenshot, test } from '../support/test.ts';
import { fileButton, folderLink, createFolder, createUserWithZone, uploadFiles } from '../support/zones.ts';

for (const language of ['en', 'tr'] as const) {
  const translate = (en: string, tr: string) => (language === 'tr' ? tr : en);

  test.describe(`in ${language}`, () => {
    test.use({ locale: language === 'tr' ? 'tr-TR' : 'en-US', colorScheme: language === 'tr' ? 'dark' : 'light' });

    test('a user restores deleted items from the trash or deletes them permanently', async ({
      page,
      mailbox,
      context,
    }) => {
      await context.setExtraHTTPHeaders({ 'Accept-Language': language });
      const id = await createUserWithZone(page, mailbox);
      const draftsId = await createFolder(page, id, 'Drafts');
      await uploadFiles(page, id, [textFile('Plan.txt', 'a plan')], draftsId);
      await uploadFiles(page, id, [textFile('Alpha.txt', 'alpha'), textFile('Beta.txt', 'beta')]);
      await page.goto(`/zones/${id}`);
      for (const listItem of [
        folderLink(page, 'Drafts'),
        fileButton(page, 'Alpha.txt'),
        fileButton(page, 'Beta.txt'),
      ]) {
        await listItem.press('Delete');
        await expect(listItem).toHaveCount(0);
      }

      const trashName = translate('Trash of this zone', 'Bu bölgenin çöp kutusu');
      const isPhone = page.viewportSize()!.width < 600;
      if (isPhone) await page.getByRole('button', { name: translate('More Actions', 'Diğer İşlemler') }).click();
      await page.getByRole(isPhone ? 'menuitem' : 'link', { name: trashName }).click();
      await expect(page.getByText('Alpha.txt')).toBeVisible();
      await expect(page.getByText(translate('3 items, 15 B.', '3 öğe, 15 B.'))).toBeVisible();
      await expectAccessible(page);
      await saveScreenshot(page, `trash-${language}.png`);
      await page.setViewportSize({ width: 360, height: 740 });
      await expectNoOverflow(page);
      await expectAccessible(page);
      await saveScreenshot(page, `trash-phone-${language}.png`);
      await page.setViewportSize({ width: 1440, height: 900 });

      await page.getByRole('button', { name: translate('Restore Drafts', 'Drafts öğesini geri yükle') }).click();
      await expect(page.getByText(translate('“Drafts” restored', '“Drafts” geri yüklendi'))).toBeVisible();
      const deleteLabel = translate('Delete Alpha.txt forever', 'Alpha.txt öğesini kalıcı olarak sil');
      await page.getByRole('button', { name: deleteLabel }).click();
      await expect(page.getByRole('dialog')).toContainText(translate('cannot be undone', 'geri alınamaz'));
      await expectAccessible(page);
      const confirmLabel = translate('Delete Forever', 'Kalıcı Olarak Sil');
      await page.getByRole('dialog').getByRole('button', { name: confirmLabel }).click();
      await expect(page.getByText(translate('5 B freed up.', '5 B yer açıldı.'))).toBeVisible();
      const emptyTrashLabel = translate('Empty Trash', 'Çöp Kutusunu Boşalt');
      await page.getByRole('button', { name: emptyTrashLabel }).click();
      await page.getByRole('dialog').getByRole('button', { name: emptyTrashLabel }).click();
      await expect(page.getByText(translate('The trash is empty', 'Çöp kutusu boş'))).toBeVisible();

      await page.getByRole('link', { name: 'Studio', exact: true }).click();
      await folderLink(page, 'Drafts').click();
      await expect(fileButton(page, 'Plan.txt')).toBeVisible();
    });
  });
}
