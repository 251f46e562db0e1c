import { openTab } from './visits.mjs';

const isApiRequest = (request) => new URL(request.url()).pathname.startsWith('/api/');

async function openFolder(user, path) {
  const tab = await openTab(user);
  await tab.page.goto(user.url + path);
  await tab.page.getByText('Scan 2.txt', { exact: true }).first().waitFor();
  await tab.page.waitForLoadState('networkidle');
  return tab;
}

/** Renames the first file from its menu; returns the number of requests and the time until the new name is shown. */
export async function measureRename(user, path) {
  const { context, page } = await openFolder(user, path);
  await page.getByRole('button', { name: 'Actions for Scan 1.txt' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Scan 0.txt');
  let requests = 0;
  page.on('request', (request) => (requests += isApiRequest(request) ? 1 : 0));
  const startedAt = performance.now();
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await page.getByText('Scan 0.txt', { exact: true }).first().waitFor();
  const ms = performance.now() - startedAt;
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(1000);
  await context.close();
  return { requests, ms };
}

/** Opens a file and returns to the list; returns the number of requests caused by returning. */
export async function countRequestsOnClose(user, path) {
  const { context, page } = await openFolder(user, path);
  await page.getByRole('button', { name: 'Scan 2.txt', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Scan 2.txt' }).waitFor();
  await page.waitForLoadState('networkidle');
  let requests = 0;
  page.on('request', (request) => (requests += isApiRequest(request) ? 1 : 0));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Scan 2.txt', exact: true }).waitFor();
  await page.waitForTimeout(1000);
  await context.close();
  return requests;
}

/** Presses End in the list; returns the highest number of a visible file. */
export async function jumpToEnd(user, path) {
  const { context, page } = await openFolder(user, path);
  await page.getByRole('button', { name: 'Scan 2.txt', exact: true }).focus();
  await page.keyboard.press('End');
  await page.waitForTimeout(3000);
  const shown = await page.getByText(/^Scan \d+\.txt$/).allTextContents();
  await context.close();
  return Math.max(...shown.map((name) => Number(/\d+/.exec(name)[0])));
}

/**
 * Scrolls through the whole list; returns the median time between frames.
 * @param rate how many times slower the CPU is
 */
export async function measureScrolling(user, path, rate = 1) {
  const { context, page } = await openFolder(user, path);
  const cdpSession = await context.newCDPSession(page);
  await cdpSession.send('Emulation.setCPUThrottlingRate', { rate });
  const ms = await page.evaluate(async () => {
    const frames = [];
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    let previous = await frame();
    for (let step = 0; step < 300; step++) {
      scrollBy(0, 400);
      const now = await frame();
      frames.push(now - previous);
      previous = now;
    }
    return frames.sort((a, b) => a - b)[frames.length / 2];
  });
  await context.close();
  return { ms };
}

const TYPED_TEXT = 'Scan 42 of the first of many good pages!';

/** Text fields by name, with a function that navigates to each. */
export const textFields = {
  'the folder search': async (page, { folderPath }) => {
    await page.goto(folderPath);
    return page.getByRole('searchbox').first();
  },
  'the campaign editor': async (page) => {
    await page.goto('/campaigns/new');
    return page.getByLabel('Subject line');
  },
  'the invite dialog': async (page, { folderPath }) => {
    await page.goto(folderPath.replace(/\/folders\/.*/, ''));
    await page.getByRole('button', { name: 'Invite Members' }).click();
    return page.getByLabel('Email addresses');
  },
};

/** Types 40 characters into a field; returns the longest time from a key press to its result, in milliseconds. */
export async function measureKeyPress(user, goToField) {
  const { context, page } = await openTab(user);
  const field = await goToField(page);
  await field.waitFor();
  await page.waitForLoadState('networkidle');
  await field.click();
  await page.evaluate(() => {
    window.longestKeyPress = 0;
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) {
        if (name.startsWith('key')) window.longestKeyPress = Math.max(window.longestKeyPress, duration);
      }
    }).observe({ type: 'event', durationThreshold: 16 });
  });
  await field.pressSequentially(TYPED_TEXT, { delay: 60 });
  await page.waitForTimeout(1000);
  const longest = await page.evaluate(() => window.longestKeyPress);
  await context.close();
  return longest;
}
