import { readFile } from 'node:fs/promises';
import { png, text } from '../support/files.ts';
import { expect, expectAccessible, expectNoOverflow, keepPicture, newPerson, register, test } from '../support/test.ts';
import { call, file, folder, joinZone, makeFolder, store } from '../support/zones.ts';

const phone = { width: 360, height: 740 };

test('on a phone a reader sees the first files in the upper half, searches by a button and takes all along', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const person = newPerson();
  await register(page, mailbox, person);
  const zone = { name: 'Watercolour', type: 'public', description: 'Twelve lessons, with every template to print.' };
  const { id, publicLink } = await call<{ id: number; publicLink: string }>(page, '/api/zones', zone);
  await makeFolder(page, id, 'Templates');
  await store(page, id, [text('Lesson 1.txt', 'one'), png('Wheel.png')]);

  const context = await browser.newContext({ baseURL, viewport: phone, locale: 'en-US', hasTouch: true });
  const reader = await context.newPage();
  const { email } = newPerson();
  await register(reader, mailbox, { ...newPerson(), email });
  await joinZone(reader, publicLink, email);
  await reader.goto(`/zones/${id}`);
  await expect(folder(reader, 'Templates')).toBeVisible();
  const { y } = (await folder(reader, 'Templates').boundingBox())!;
  expect(y).toBeLessThan(phone.height / 2);
  await expect(file(reader, 'Wheel.png')).toBeInViewport();
  await expectNoOverflow(reader);
  await expectAccessible(reader);
  await keepPicture(reader, 'reader-phone.png');

  await reader.getByRole('button', { name: 'Search this zone' }).click();
  await expect(reader.getByRole('searchbox', { name: 'Search this zone' })).toBeFocused();
  await reader.keyboard.type('lesson');
  await expect(folder(reader, 'Templates')).toBeHidden();
  await expect(file(reader, 'Lesson 1.txt')).toBeVisible();
  await reader.keyboard.press('Escape');
  await expect(folder(reader, 'Templates')).toBeVisible();
  await reader.keyboard.press('Escape');
  await expect(reader.getByRole('button', { name: 'Search this zone' })).toBeFocused();

  const [zip] = await Promise.all([
    reader.waitForEvent('download'),
    reader.getByRole('button', { name: 'Download All' }).click(),
  ]);
  expect(zip.suggestedFilename()).toBe('Watercolour.zip');
  const archive = await readFile(await zip.path());
  for (const name of ['Templates/', 'Lesson 1.txt', 'Wheel.png']) expect(archive.includes(name)).toBe(true);
  await context.close();
});
