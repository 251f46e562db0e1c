import { AxeBuilder } from '@axe-core/playwright';
import { expect, test as base, type BrowserContext, type Page, type Request } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Mailbox } from './mailbox.ts';

interface Fixtures {
  mailbox: Mailbox;
  /** Errors in the page; a test with any of them fails. */
  pageErrors: string[];
}

/** `test` with the mailbox, which fails if the page throws or violates its content security policy. */
export const test = base.extend<Fixtures>({
  mailbox: new Mailbox(),
  pageErrors: [
    async ({ page, context }, provide, info) => {
      const pageErrors: string[] = [];
      const openRequests = trackOpenRequests(context);
      page.on('pageerror', (error) => pageErrors.push(String(error)));
      page.on('console', (message) => {
        const isClientError = /Failed to load resource: the server responded with a status of 4\d\d/.test(
          message.text(),
        );
        // Playwright also tries to run scripts in the sandboxed frame of an email, which blocks them.
        const isSandboxWarning = /^Blocked script execution in '[^']+\/preview' because/.test(message.text());
        if (message.type() === 'error' && !isClientError && !isSandboxWarning)
          pageErrors.push(`${message.text()} (${message.location().url})`);
      });
      await provide(pageErrors);
      if (info.status !== info.expectedStatus)
        process.stdout.write(await describePageState(page, openRequests, pageErrors));
      expect(pageErrors, 'errors in the page').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Tracks pending requests. */
function trackOpenRequests(context: BrowserContext): Set<Request> {
  const openRequests = new Set<Request>();
  context.on('request', (request) => openRequests.add(request));
  context.on('requestfinished', (request) => openRequests.delete(request));
  context.on('requestfailed', (request) => openRequests.delete(request));
  return openRequests;
}

/** Describes what a failed page was waiting for; the page may be too busy to respond. */
async function describePageState(
  page: Page,
  openRequests: ReadonlySet<Request>,
  pageErrors: readonly string[],
): Promise<string> {
  const renderedText = page.evaluate(() => document.getElementById('root')?.innerText.slice(0, 300)).catch(String);
  const timeout = new Promise<string>((resolve) => setTimeout(() => resolve('(the page did not respond)'), 3000));
  const pendingRequests = [...openRequests].map((request) => `  ${request.method()} ${request.url()}`);
  const lines = [
    `${page.url()} shows: ${await Promise.race([renderedText, timeout])}`,
    'pending requests:',
    ...pendingRequests,
  ];
  return [...lines, 'page errors:', ...pageErrors.map((line) => `  ${line}`), ''].join('\n');
}

/**
 * Saves a screenshot as `test-results/e2e/…/file` with `E2E_SCREENSHOTS=1`; screenshots are slow and verify nothing.
 */
export async function saveScreenshot(page: Page, file: string, fullPage = false): Promise<void> {
  if (process.env.E2E_SCREENSHOTS === '1') await page.screenshot({ path: test.info().outputPath(file), fullPage });
}

/** Returns an unused email address. */
export const uniqueEmail = (name = 'person') => `${name}-${randomUUID().slice(0, 8)}@example.org`;

export interface TestUser {
  firstName: string;
  lastName: string;
  username: string;
  email: string;
  password: string;
}

/** A user without an account yet. */
export function makeUser(firstName = 'Deniz', lastName = 'Acar'): TestUser {
  const email = uniqueEmail(firstName.toLowerCase());
  const username = `u_${randomUUID().slice(0, 8)}`;
  return { firstName, lastName, username, email, password: 'correct horse battery' };
}

/** Creates an account by API and signs the browser of `page` in. */
export async function registerUser(page: Page, mailbox: Mailbox, user = makeUser()): Promise<TestUser> {
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const codeResponse = await page.request.post('/api/send-verification', { headers, data: { email: user.email } });
  expect(codeResponse.status()).toBe(200);
  const verificationCode = await mailbox.waitForCode(user.email);
  const registerResponse = await page.request.post('/api/register', { headers, data: { ...user, verificationCode } });
  expect(registerResponse.status()).toBe(201);
  return user;
}

/** Fills in and submits the sign-in form on the page. The caller checks the result. */
export async function signIn(page: Page, { email, password }: TestUser): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}

/** Confirms the reauthentication dialog with an emailed code. */
export async function reauthenticateByEmail(page: Page, mailbox: Mailbox, email: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm That It’s You' });
  const previousCount = mailbox.listEmails(email).length;
  await dialog.getByRole('button', { name: 'Email Me a Code' }).click();
  await dialog.getByLabel('6-digit code').fill(await mailbox.waitForCode(email, previousCount + 1));
  await page.keyboard.press('Enter');
}

/** Expects the error at the password field, after the toast with the same text has gone. */
export async function expectWrongPasswordError(page: Page): Promise<void> {
  const passwordField = page.getByLabel('Password', { exact: true });
  await expect(passwordField).toHaveAccessibleDescription('Invalid email or password');
}

/** Waits for animations to end: axe would measure the contrast of transitional colours. */
async function waitForAnimations(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().iterations === Infinity),
  );
}

/** The minified script, because every page has to parse it. */
const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** axe is half a megabyte, so it is injected once per page, except when there are frames. */
async function loadAxe(page: Page): Promise<string> {
  if (page.frames().length > 1) return axeScript;
  const isLoaded = await page.evaluate(() => 'axe' in window);
  if (!isLoaded) await page.evaluate(axeScript);
  return 'void 0';
}

/** Returns axe's violations, one per line, once animations have ended. */
async function findViolations(page: Page): Promise<string[]> {
  await waitForAnimations(page);
  // Legacy mode: otherwise axe combines its results in a new page, which takes as long again. Tooltips are excluded:
  // they come and go with the pointer and are outside all landmarks, and axe doesn't see what they describe. Passing
  // elements aren't reported, which saves a third of the time.
  const builder = new AxeBuilder({ page, axeSource: await loadAxe(page) });
  const { violations } = await builder
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .exclude('[role=tooltip]')
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

/** Expects no violations. Retries, because a notice that fades in while axe runs is half transparent. */
export async function expectAccessible(page: Page): Promise<void> {
  await expect.poll(() => findViolations(page), { message: 'axe finds nothing', timeout: 10_000 }).toEqual([]);
}

/** Expects no horizontal overflow. */
export async function expectNoOverflow(page: Page): Promise<void> {
  // Layout needs a moment after a resize; only the final state counts.
  const measureOverflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(measureOverflow, { message: 'pixels beyond the right edge' }).toBeLessThanOrEqual(0);
}
