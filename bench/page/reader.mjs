import { devices } from '@playwright/test';
import { waitForCode, registerUser } from '../lib/product.mjs';
import { createBookPdf } from './book-pdf.mjs';
import { openTab, slowDown } from './visits.mjs';

const TIMEOUT_MS = 60_000;
const PAGES = 300;
const PHONE = { ...devices['Pixel 7'], locale: 'en-GB' };
const FILE_NAME = 'Book.pdf';

/** Creates a public zone with a book of 300 pages, and waits until its first pages are rendered and its text is extracted. */
export async function createLibrary(url) {
  const client = await registerUser(url, 'librarian');
  const zone = await (await client.call('POST', '/api/zones', { name: 'Library', type: 'public' })).json();
  const form = new FormData();
  form.set('files', new Blob([createBookPdf(PAGES)], { type: 'application/pdf' }), FILE_NAME);
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const headers = { 'Content-Type': request.headers.get('content-type') };
  const bytes = Buffer.from(await request.arrayBuffer());
  const [{ id }] = await (await client.call('POST', `/api/zones/${zone.id}/files`, bytes, headers)).json();
  for (;;) {
    const response = await client.call('GET', `/api/files/${id}/pages/search?q=lesson`).catch(() => undefined);
    if (response) return { cookie: client.cookie, zonePath: `/zones/${zone.id}`, joinPath: `/join/${zone.publicLink}` };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const waitForPage = (page, number) =>
  page.waitForFunction(
    (pageNumber) => {
      const image = document.querySelector(`.z-reader-pages [aria-posinset="${pageNumber}"] img`);
      return image?.complete && image.naturalWidth > 0;
    },
    number,
    { timeout: TIMEOUT_MS, polling: 20 },
  );

async function measureSeconds(work) {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

/**
 * Measures the time from an idle list to the first page of a book, on Fast 3G.
 * @param isSlow whether the CPU is four times slower too
 */
export async function measureFromList(user, path, { isPhone, isSlow }) {
  const { context, page } = await openTab(user, isPhone ? PHONE : undefined);
  await page.goto(path);
  await page.getByRole('button', { name: FILE_NAME, exact: true }).waitFor();
  // Until the list is idle, including its prefetches.
  await page.waitForTimeout(3000);
  const cdpSession = await slowDown(context, page, isSlow ? undefined : 1);
  let bytes = 0;
  cdpSession.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  const seconds = await measureSeconds(async () => {
    await page.getByRole('button', { name: FILE_NAME, exact: true }).click();
    await waitForPage(page, 1);
  });
  const kilobytes = bytes / 1000;
  await context.close();
  return { seconds, kilobytes };
}

const goToPage = async (page, number) => {
  await page.getByLabel(`Page, out of ${PAGES}`).fill(String(number));
  await page.keyboard.press('Enter');
  await waitForPage(page, number);
};

/**
 * Measures the steps from a link to page 30 on a phone, on Fast 3G, without the time for typing and for the email.
 * @returns the seconds of each step
 */
export async function measureFromLink(user, joinPath, email) {
  const { context, page } = await openTab({ browser: user.browser, url: user.url }, PHONE);
  await slowDown(context, page);
  const durations = {};
  durations['join page'] = await measureSeconds(async () => {
    await page.goto(joinPath, { waitUntil: 'commit' });
    await page.getByLabel('Email address').waitFor({ timeout: TIMEOUT_MS });
  });
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('checkbox').check();
  // About as long as typing an email address takes.
  await page.waitForTimeout(5000);
  durations['to the code field'] = await measureSeconds(async () => {
    await page.getByRole('button', { name: 'Join Zone' }).tap();
    await page.getByLabel('Code from the email').waitFor({ timeout: TIMEOUT_MS });
  });
  const code = await waitForCode(user.url, email);
  durations['to the list'] = await measureSeconds(async () => {
    await page.getByLabel('Code from the email').fill(code);
    await page.getByRole('button', { name: FILE_NAME, exact: true }).waitFor({ timeout: TIMEOUT_MS });
  });
  durations['to page 1'] = await measureSeconds(async () => {
    await page.getByRole('button', { name: FILE_NAME, exact: true }).tap();
    await waitForPage(page, 1);
  });
  await page.waitForTimeout(3000);
  durations['to page 30'] = await measureSeconds(() => goToPage(page, 30));
  await context.close();
  return durations;
}
