import { readFile } from 'node:fs/promises';
import { pngFile, textFile } from '../support/sample-files.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  saveScreenshot,
  makeUser,
  registerUser,
  test,
} from '../support/test.ts';
import { postApi, fileButton, folderLink, joinZone, createFolder, uploadFiles } from '../support/zones.ts';

const phone = { width: 360, height: 740 };

test('a member on a phone sees files in the upper half, searches and downloads everything', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const owner = makeUser();
  await registerUser(page, mailbox, owner);
  const zone = { name: 'Watercolour', type: 'public', description: 'Twelve lessons, with every template to print.' };
  const { id, publicLink } = await postApi<{ id: number; publicLink: string }>(page, '/api/zones', zone);
  await createFolder(page, id, 'Templates');
  await uploadFiles(page, id, [textFile('Lesson 1.txt', 'one'), pngFile('Wheel.png')]);

  const ownerContext = await browser.newContext({
    baseURL,
    viewport: phone,
    hasTouch: true,
    storageState: await page.context().storageState(),
  });
  const ownerPage = await ownerContext.newPage();
  await ownerPage.goto(`/zones/${id}`);
  await expect(folderLink(ownerPage, 'Templates')).toBeVisible();
  expect((await folderLink(ownerPage, 'Templates').boundingBox())!.y).toBeLessThan(450);
  const [menuButton, uploadButton] = [/^More Actions$/, /^Upload$/].map((name) =>
    ownerPage.getByRole('button', { name }),
  );
  expect((await menuButton!.boundingBox())!.y).toBeCloseTo((await uploadButton!.boundingBox())!.y, -1);
  await menuButton!.click();
  await ownerPage.getByRole('menuitem', { name: 'New Folder' }).click();
  await expect(ownerPage.getByRole('dialog', { name: 'New Folder' })).toBeVisible();
  await ownerPage.keyboard.press('Escape');
  await expectNoOverflow(ownerPage);
  await expectAccessible(ownerPage);
  await saveScreenshot(ownerPage, 'owner-phone.png');
  await ownerContext.close();

  const context = await browser.newContext({ baseURL, viewport: phone, locale: 'en-US', hasTouch: true });
  const memberPage = await context.newPage();
  const { email } = makeUser();
  await registerUser(memberPage, mailbox, { ...makeUser(), email });
  await joinZone(memberPage, publicLink, email);
  await memberPage.goto(`/zones/${id}`);
  await expect(folderLink(memberPage, 'Templates')).toBeVisible();
  const { y } = (await folderLink(memberPage, 'Templates').boundingBox())!;
  expect(y).toBeLessThan(phone.height / 2);
  await expect(fileButton(memberPage, 'Wheel.png')).toBeInViewport();
  await expect(memberPage.getByRole('checkbox', { name: 'Select Wheel.png' }).locator('..')).toHaveCSS('opacity', '1');
  await expectNoOverflow(memberPage);
  await expectAccessible(memberPage);
  await saveScreenshot(memberPage, 'memberPage-phone.png');

  await memberPage.getByRole('searchbox', { name: 'Search this zone' }).click();
  await memberPage.keyboard.type('lesson');
  await expect(folderLink(memberPage, 'Templates')).toBeHidden();
  await expect(fileButton(memberPage, 'Lesson 1.txt')).toBeVisible();
  await memberPage.keyboard.press('Escape');
  await expect(folderLink(memberPage, 'Templates')).toBeVisible();
  await memberPage.keyboard.press('Escape');
  await expect(memberPage.getByRole('searchbox', { name: 'Search this zone' })).not.toBeFocused();

  const [zipDownload] = await Promise.all([
    memberPage.waitForEvent('download'),
    memberPage.getByRole('button', { name: 'Download All' }).click(),
  ]);
  expect(zipDownload.suggestedFilename()).toBe('Watercolour.zip');
  const archive = await readFile(await zipDownload.path());
  for (const name of ['Templates/', 'Lesson 1.txt', 'Wheel.png']) expect(archive.includes(name)).toBe(true);
  await context.close();
});
