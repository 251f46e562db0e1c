import { devices } from '@playwright/test';
import { createCoursePdf } from '../support/course-pdf.ts';
import { expectPageRendered, findFileId, waitForRenderedPages } from '../support/reader.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  makeUser,
  registerUser,
  saveScreenshot,
  signIn,
  test,
} from '../support/test.ts';
import { createUserWithZone, joinZone, uploadFiles } from '../support/zones.ts';

const course = createCoursePdf('Course.pdf');

test('a member reads on a computer and continues on a phone, from the home page and in the reader', async ({
  page,
  browser,
  mailbox,
  baseURL,
}) => {
  const zone = await createUserWithZone(page, mailbox, { type: 'public' });
  await uploadFiles(page, zone, [course]);
  const id = await findFileId(page, zone, course.name);
  await waitForRenderedPages(page, id);
  const { publicLink } = (await (await page.request.get(`/api/zones/${zone}`)).json()) as { publicLink: string };
  const computerContext = await browser.newContext({ baseURL, locale: 'en-US' });
  const computer = await computerContext.newPage();
  const user = await registerUser(computer, mailbox, makeUser('Ada', 'Kaya'));
  await joinZone(computer, publicLink, user.email);

  await computer.goto(`/zones/${zone}/files/${id}`);
  await expectPageRendered(computer, 1);
  const field = computer.getByLabel('Page, out of 30');
  await field.fill('12');
  await field.press('Enter');
  await expect(computer).toHaveURL(/\?page=12$/);
  await expectPageRendered(computer, 12);
  // Saved while the page is unloaded, at the latest.
  await computer.goto('about:blank');
  const readPage = async () =>
    ((await (await computer.request.get(`/api/files/${id}/position`)).json()) as { page: number | null }).page;
  await expect.poll(readPage).toBe(12);
  await computerContext.close();

  const phoneContext = await browser.newContext({ ...devices['Pixel 7'], baseURL, locale: 'en-US' });
  const phone = await phoneContext.newPage();
  await phone.goto('/auth');
  await signIn(phone, user);
  const unfinished = phone.getByRole('region', { name: 'Continue Reading' });
  await expect(unfinished.getByRole('link')).toHaveText(/Course\.pdf.*page 12 of 30/);
  await expectNoOverflow(phone);
  await expectAccessible(phone);
  await saveScreenshot(phone, 'continue-reading-phone.png');
  await unfinished.getByRole('link').tap();
  await expect(phone).toHaveURL(new RegExp(`/zones/${zone}/files/${id}\\?page=12$`));
  await expectPageRendered(phone, 12);
  await expect(phone.getByRole('button', { name: /^Continue at Page/ })).toHaveCount(0);

  await phone.goto(`/zones/${zone}/files/${id}`);
  await expectPageRendered(phone, 1);
  const offer = phone.getByRole('button', { name: 'Continue at Page 12' });
  await expect(offer).toBeVisible();
  await expectNoOverflow(phone);
  await expectAccessible(phone);
  await saveScreenshot(phone, 'reader-continue-phone.png');
  await offer.tap();
  await expectPageRendered(phone, 12);
  await expect(phone).toHaveURL(/\?page=12$/);
  await expect(offer).toHaveCount(0);

  await phone.goto(`/zones/${zone}/files/${id}`);
  await phone.getByRole('button', { name: 'Not Now' }).tap();
  await expect(offer).toHaveCount(0);
  await expect(phone.getByLabel('Page, out of 30')).toHaveValue('1');
  await phoneContext.close();
});
