import type { Page, Request } from '@playwright/test';
import { expect, test } from './support/test.ts';
import { createUserWithZone } from './support/zones.ts';

interface Budget {
  path: string;
  /** Scripts that the document names. */
  scripts: number;
  /** Their size as the build compressed them, in thousands of bytes. */
  kilobytes: number;
}

// What the screens need now, rounded up. Raise a limit only for what the first view shows.
const signedOut: Budget[] = [
  { path: '/auth', scripts: 8, kilobytes: 160 },
  { path: '/zones', scripts: 8, kilobytes: 160 },
  { path: '/pricing', scripts: 7, kilobytes: 150 },
];
const signedIn: Budget[] = [
  { path: '/dashboard', scripts: 10, kilobytes: 300 },
  { path: '/zones', scripts: 10, kilobytes: 300 },
  { path: '/zones/1/folders/2', scripts: 12, kilobytes: 335 },
  { path: '/zones/1/files/2', scripts: 10, kilobytes: 300 },
  { path: '/admin', scripts: 8, kilobytes: 285 },
];
const LATE_CHUNKS = /\/(?:rich-editor|ChartsWrapper|qr-code|admin\w*|strength\.worker)-/;

/** Lists the scripts named in the document of a path. */
async function listScripts(page: Page, path: string): Promise<string[]> {
  const html = await (await page.request.get(path)).text();
  return [...new Set(html.match(/\/assets\/[\w.-]+\.js/g))];
}

async function measureKilobytes(page: Page, scripts: string[]): Promise<number> {
  const headers = { 'Accept-Encoding': 'br' };
  const responses = await Promise.all(scripts.map((script) => page.request.head(script, { headers })));
  return responses.reduce((sum, response) => sum + Number(response.headers()['content-length']), 0) / 1000;
}

async function expectWithinBudgets(page: Page, budgets: Budget[]): Promise<void> {
  for (const budget of budgets) {
    const scripts = await listScripts(page, budget.path);
    const kilobytes = await measureKilobytes(page, scripts);
    const figures = `${budget.path}: ${scripts.length} scripts, ${kilobytes} kB`;
    expect(scripts.length, figures).toBeGreaterThan(2);
    expect(scripts.length, figures).toBeLessThanOrEqual(budget.scripts);
    expect(kilobytes, figures).toBeLessThanOrEqual(budget.kilobytes);
    expect(scripts.filter((script) => LATE_CHUNKS.test(script))).toEqual([]);
  }
}

/** Opens a page and expects that it loads no script but those of its document, which would take another round trip. */
async function expectNoFurtherScripts(page: Page, path: string, heading: string): Promise<void> {
  const named = await listScripts(page, path);
  const loaded: string[] = [];
  const recordScript = (request: Request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/assets/') && pathname.endsWith('.js')) loaded.push(pathname);
  };
  page.on('request', recordScript);
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  expect(loaded.filter((script) => !named.includes(script))).toEqual([]);
  page.off('request', recordScript);
}

test('the first view of each screen stays within its budget of scripts', async ({ page, mailbox }) => {
  await expectWithinBudgets(page, signedOut);
  await expectNoFurtherScripts(page, '/auth', 'Sign In');
  await createUserWithZone(page, mailbox);
  await expectWithinBudgets(page, signedIn);
  await expectNoFurtherScripts(page, '/dashboard', 'Dashboard');
  await expectNoFurtherScripts(page, '/zones', 'My Zones');
});
