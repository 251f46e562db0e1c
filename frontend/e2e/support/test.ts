import { AxeBuilder } from '@axe-core/playwright';
import { expect, test as base, type BrowserContext, type Page, type Request } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Mailbox } from './mailbox.ts';

interface Fixtures {
  mailbox: Mailbox;
  /** What went wrong inside the page; a journey that ends with something in it fails. */
  pageErrors: string[];
}

/** `test` for journeys: with the mailbox, and failing when the page throws or breaks its content security policy. */
export const test = base.extend<Fixtures>({
  mailbox: async ({ request }, provide) => provide(new Mailbox(request)),
  pageErrors: [
    async ({ page, context }, provide, info) => {
      const pageErrors: string[] = [];
      const openRequests = trackOpenRequests(context);
      page.on('pageerror', (error) => pageErrors.push(String(error)));
      page.on('console', (message) => {
        const isClientError = /Failed to load resource: the server responded with a status of 4\d\d/.test(
          message.text(),
        );
        // The tools of the tests try to run in the sandboxed frame of a mail as well, which rightly refuses them.
        const isSandboxWarning = /^Blocked script execution in '[^']+\/preview' because/.test(message.text());
        if (message.type() === 'error' && !isClientError && !isSandboxWarning)
          pageErrors.push(`${message.text()} (${message.location().url})`);
      });
      await provide(pageErrors);
      if (info.status !== info.expectedStatus)
        process.stdout.write(await describePageState(page, openRequests, pageErrors));
      expect(pageErrors, 'the page had nothing to complain about').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** The requests that are not answered yet, as they come and go. */
function trackOpenRequests(context: BrowserContext): Set<Request> {
  const openRequests = new Set<Request>();
  context.on('request', (request) => openRequests.add(request));
  context.on('requestfinished', (request) => openRequests.delete(request));
  context.on('requestfailed', (request) => openRequests.delete(request));
  return openRequests;
}

/** What a page that failed was waiting for; a page may also be too busy to tell. */
async function describePageState(
  page: Page,
  openRequests: ReadonlySet<Request>,
  pageErrors: readonly string[],
): Promise<string> {
  const renderedText = page.evaluate(() => document.getElementById('root')?.innerText.slice(0, 300)).catch(String);
  const timeout = new Promise<string>((resolve) => setTimeout(() => resolve('(too busy to tell)'), 3000));
  const pendingRequests = [...openRequests].map((request) => `  ${request.method()} ${request.url()}`);
  const lines = [
    `${page.url()} shows: ${await Promise.race([renderedText, timeout])}`,
    'not answered yet:',
    ...pendingRequests,
  ];
  return [...lines, 'complaints:', ...pageErrors.map((line) => `  ${line}`), ''].join('\n');
}

/** Keeps what the page shows as `test-results/journeys/…/file` when E2E_PICTURES=1 asks for pictures: they take time, and prove nothing. */
export async function saveScreenshot(page: Page, file: string, fullPage = false): Promise<void> {
  if (process.env.E2E_PICTURES === '1') await page.screenshot({ path: test.info().outputPath(file), fullPage });
}

/** An address that nobody has used before. */
export const uniqueEmail = (name = 'person') => `${name}-${randomUUID().slice(0, 8)}@example.org`;

export interface TestUser {
  firstName: string;
  lastName: string;
  username: string;
  email: string;
  password: string;
}

/** Somebody who has no account yet. */
export function makeUser(firstName = 'Deniz', lastName = 'Acar'): TestUser {
  const email = uniqueEmail(firstName.toLowerCase());
  const username = `u_${randomUUID().slice(0, 8)}`;
  return { firstName, lastName, username, email, password: 'correct horse battery' };
}

/** Makes an account without the page; the browser of `page` is then signed in. */
export async function registerUser(page: Page, mailbox: Mailbox, user = makeUser()): Promise<TestUser> {
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const codeResponse = await page.request.post('/api/send-verification', { headers, data: { email: user.email } });
  expect(codeResponse.status()).toBe(200);
  const verificationCode = await mailbox.waitForCode(user.email);
  const registerResponse = await page.request.post('/api/register', { headers, data: { ...user, verificationCode } });
  expect(registerResponse.status()).toBe(201);
  return user;
}

/** Fills in and sends the sign-in form that the page shows. What comes of it is for the journey to see. */
export async function signIn(page: Page, { email, password }: TestUser): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}

/** Answers the dialog that asks for a confirmation, by a code that is emailed. */
export async function reauthenticateByEmail(page: Page, mailbox: Mailbox, email: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm That It’s You' });
  const previousCount = (await mailbox.listEmails(email)).length;
  await dialog.getByRole('button', { name: 'Email Me a Code' }).click();
  await dialog.getByLabel('6-digit code').fill(await mailbox.waitForCode(email, previousCount + 1));
  await page.keyboard.press('Enter');
}

/** What stands at the password of the sign-in when it did not fit; the toast that says the same goes away. */
export async function expectWrongPasswordError(page: Page): Promise<void> {
  const passwordField = page.getByLabel('Password', { exact: true });
  await expect(passwordField).toHaveAccessibleDescription('Invalid email or password');
}

/** Waits until nothing fades or moves any more: a colour on its way is not the one that people read. */
async function waitForAnimations(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().iterations === Infinity),
  );
}

/** Without the names and comments of the other one, which each page would read. */
const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Axe is half a megabyte to bring into a page and to read there: once a page is enough, but for the frames in it. */
async function loadAxe(page: Page): Promise<string> {
  if (page.frames().length > 1) return axeScript;
  const isLoaded = await page.evaluate(() => 'axe' in window);
  if (!isLoaded) await page.evaluate(axeScript);
  return 'void 0';
}

/** What axe finds in the page as it is once it has come to rest, a line each. */
async function findViolations(page: Page): Promise<string[]> {
  await waitForAnimations(page);
  // Legacy: otherwise axe puts its results together in a page of its own, which takes as long again. Tooltips come and
  // go with the pointer, and lie outside all landmarks; axe does not see that they belong to what they describe. To
  // describe all elements that break no rule as well would take a third of the time.
  const builder = new AxeBuilder({ page, axeSource: await loadAxe(page) });
  const { violations } = await builder
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .exclude('[role=tooltip]')
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

/** Axe finds nothing. A notice that comes into view while axe reads is half drawn: what it finds must be there to stay. */
export async function expectAccessible(page: Page): Promise<void> {
  await expect.poll(() => findViolations(page), { message: 'axe finds nothing', timeout: 10_000 }).toEqual([]);
}

/** Nothing of the page is cut off at the side. */
export async function expectNoOverflow(page: Page): Promise<void> {
  // The page needs a moment after its width was changed; what counts is where it comes to rest.
  const measureOverflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(measureOverflow, { message: 'pixels beyond the right edge' }).toBeLessThanOrEqual(0);
}
