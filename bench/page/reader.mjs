import { devices } from '@playwright/test';
import { waitForCode, registerUser } from '../lib/product.mjs';
import { book } from './book-pdf.mjs';
import { open, slowDown } from './visits.mjs';

const PATIENCE = 60_000;
const PAGES = 300;
const phone = { ...devices['Pixel 7'], locale: 'en-GB' };
const name = 'Book.pdf';

/** A public zone with a book of 300 pages, once its first pages are rendered and its text is extracted. */
export async function library(url) {
  const client = await registerUser(url, 'librarian');
  const zone = await (await client.call('POST', '/api/zones', { name: 'Library', type: 'public' })).json();
  const form = new FormData();
  form.set('files', new Blob([book(PAGES)], { type: 'application/pdf' }), name);
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const headers = { 'Content-Type': request.headers.get('content-type') };
  const bytes = Buffer.from(await request.arrayBuffer());
  const [{ id }] = await (await client.call('POST', `/api/zones/${zone.id}/files`, bytes, headers)).json();
  for (;;) {
    const found = await client.call('GET', `/api/files/${id}/pages/search?q=lesson`).catch(() => undefined);
    if (found) return { cookie: client.cookie, zonePath: `/zones/${zone.id}`, joinPath: `/join/${zone.publicLink}` };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const shown = (page, number) =>
  page.waitForFunction(
    (at) => {
      const picture = document.querySelector(`.z-reader-pages [aria-posinset="${at}"] img`);
      return picture?.complete && picture.naturalWidth > 0;
    },
    number,
    { timeout: PATIENCE, polling: 20 },
  );

async function secondsOf(work) {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

/**
 * From an idle list to the first page of a book, on Fast 3G: on a desktop or a phone.
 * @param isSlow whether the CPU is four times slower too
 */
export async function fromList(who, path, { isPhone, isSlow }) {
  const { context, page } = await open(who, isPhone ? phone : undefined);
  await page.goto(path);
  await page.getByRole('button', { name, exact: true }).waitFor();
  // Until the list is idle, including its prefetches.
  await page.waitForTimeout(3000);
  const tools = await slowDown(context, page, isSlow ? undefined : 1);
  let bytes = 0;
  tools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  const seconds = await secondsOf(async () => {
    await page.getByRole('button', { name, exact: true }).click();
    await shown(page, 1);
  });
  const kilobytes = bytes / 1000;
  await context.close();
  return { seconds, kilobytes };
}

const goTo = async (page, number) => {
  await page.getByLabel(`Page, out of ${PAGES}`).fill(String(number));
  await page.keyboard.press('Enter');
  await shown(page, number);
};

/** From a link to page 30 on a phone, on Fast 3G: seconds of each part; typing and the email take no time. */
export async function fromLink(who, joinPath, email) {
  const { context, page } = await open({ browser: who.browser, url: who.url }, phone);
  await slowDown(context, page);
  const parts = {};
  parts['page of the link'] = await secondsOf(async () => {
    await page.goto(joinPath, { waitUntil: 'commit' });
    await page.getByLabel('Email address').waitFor({ timeout: PATIENCE });
  });
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('checkbox').check();
  // As long as typing an email address takes.
  await page.waitForTimeout(5000);
  parts['to the question for the code'] = await secondsOf(async () => {
    await page.getByRole('button', { name: 'Join Zone' }).tap();
    await page.getByLabel('Code from the email').waitFor({ timeout: PATIENCE });
  });
  const code = await waitForCode(who.url, email);
  parts['to the list'] = await secondsOf(async () => {
    await page.getByLabel('Code from the email').fill(code);
    await page.getByRole('button', { name, exact: true }).waitFor({ timeout: PATIENCE });
  });
  parts['to page 1'] = await secondsOf(async () => {
    await page.getByRole('button', { name, exact: true }).tap();
    await shown(page, 1);
  });
  await page.waitForTimeout(3000);
  parts['to page 30'] = await secondsOf(() => goTo(page, 30));
  await context.close();
  return parts;
}
