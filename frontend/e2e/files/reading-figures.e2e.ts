import { createCoursePdf } from '../support/course-pdf.ts';
import { expectPageRendered, findFileId, waitForRenderedPages } from '../support/reader.ts';
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  makeUser,
  registerUser,
  saveScreenshot,
  test,
} from '../support/test.ts';
import { createUserWithZone, joinZone, uploadFiles } from '../support/zones.ts';

const course = createCoursePdf('Course.pdf');

test('the owner sees which pages a member read, until the zone no longer records it', async ({
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
  const memberContext = await browser.newContext({ baseURL, locale: 'en-US' });
  const memberPage = await memberContext.newPage();
  const { email } = await registerUser(memberPage, mailbox, makeUser('Ada', 'Kaya'));
  await joinZone(memberPage, publicLink, email);

  // Time passes for the page only, and the server credits a first report.
  await memberPage.clock.install();
  await memberPage.goto(`/zones/${zone}/files/${id}?page=12`);
  await expectPageRendered(memberPage, 12);
  await expect(memberPage).toHaveURL(/\?page=12$/);
  const report = memberPage.waitForResponse((response) => response.url().endsWith(`/api/files/${id}/pages/reading`));
  await memberPage.clock.runFor(16_000);
  expect(await (await report).json()).toEqual({ isRecorded: true });

  const openFigures = async () => {
    await page.goto(`/zones/${zone}`);
    await page
      .getByRole('button', { name: /Course\.pdf/ })
      .last()
      .click();
    await page.getByRole('menuitem', { name: 'Reading Figures' }).click();
    return page.getByRole('dialog', { name: 'Reading Figures' });
  };
  const figures = await openFigures();
  await expect(figures.getByText(/^1 of 30 pages · 1\d sec · last page 12$/)).toBeVisible();
  await expect(figures.getByText(email)).toBeVisible();
  await expectNoOverflow(page);
  await expectAccessible(page);
  await saveScreenshot(page, 'reading-figures.png');

  await page.goto(`/zones/${zone}/settings`);
  await page.getByRole('checkbox', { name: 'Record who opens files and what members read' }).click();
  await expect(page.getByText('Zone updated')).toBeVisible();
  const lastReport = memberPage.waitForResponse((response) =>
    response.url().endsWith(`/api/files/${id}/pages/reading`),
  );
  await memberPage.mouse.move(100, 100);
  await memberPage.clock.runFor(16_000);
  expect(await (await lastReport).json()).toEqual({ isRecorded: false });
  await memberContext.close();
  const oldFigures = await openFigures();
  await expect(oldFigures.getByRole('note')).toBeVisible();
  await expect(oldFigures.getByText(/^1 of 30 pages/)).toBeVisible();
});
