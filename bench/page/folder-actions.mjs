import { open } from './visits.mjs';

const isOfApi = (request) => new URL(request.url()).pathname.startsWith('/api/');

async function openFolder(who, path) {
  const opened = await open(who);
  await opened.page.goto(who.url + path);
  await opened.page.getByText('Scan 2.txt', { exact: true }).first().waitFor();
  await opened.page.waitForLoadState('networkidle');
  return opened;
}

/** Renames the first file from its menu: the requests, and the time until the new name is shown. */
export async function rename(who, path) {
  const { context, page } = await openFolder(who, path);
  await page.getByRole('button', { name: 'Actions for Scan 1.txt' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Scan 0.txt');
  let requests = 0;
  page.on('request', (request) => (requests += isOfApi(request) ? 1 : 0));
  const begun = performance.now();
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await page.getByText('Scan 0.txt', { exact: true }).first().waitFor();
  const ms = performance.now() - begun;
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(1000);
  await context.close();
  return { requests, ms };
}

/** Reads a file and returns to the list: the requests caused by returning. */
export async function closing(who, path) {
  const { context, page } = await openFolder(who, path);
  await page.getByRole('button', { name: 'Scan 2.txt', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Scan 2.txt' }).waitFor();
  await page.waitForLoadState('networkidle');
  let requests = 0;
  page.on('request', (request) => (requests += isOfApi(request) ? 1 : 0));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Scan 2.txt', exact: true }).waitFor();
  await page.waitForTimeout(1000);
  await context.close();
  return requests;
}

/** Presses End in the list; returns the number of the focused file. */
export async function toTheEnd(who, path) {
  const { context, page } = await openFolder(who, path);
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
export async function scrolling(who, path, rate = 1) {
  const { context, page } = await openFolder(who, path);
  const tools = await context.newCDPSession(page);
  await tools.send('Emulation.setCPUThrottlingRate', { rate });
  const ms = await page.evaluate(async () => {
    const frames = [];
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    let before = await frame();
    for (let step = 0; step < 300; step++) {
      scrollBy(0, 400);
      const now = await frame();
      frames.push(now - before);
      before = now;
    }
    return frames.sort((a, b) => a - b)[frames.length / 2];
  });
  await context.close();
  return { ms };
}

/** Forty characters. */
const words = 'Scan 42 of the first of many good pages!';

/** Text fields: where each is and how to reach it. */
export const fields = {
  'the search of the folder': async (page, { folderPath }) => {
    await page.goto(folderPath);
    return page.getByRole('searchbox').first();
  },
  'the composer': async (page) => {
    await page.goto('/campaigns/new');
    return page.getByLabel('Subject line');
  },
  'the invite dialog': async (page, { folderPath }) => {
    await page.goto(folderPath.replace(/\/folders\/.*/, ''));
    await page.getByRole('button', { name: 'Invite Members' }).click();
    return page.getByLabel('Email addresses');
  },
};

/** Types into a field; returns the longest time from a key press to its result, in milliseconds. */
export async function keyPress(who, come) {
  const { context, page } = await open(who);
  const field = await come(page);
  await field.waitFor();
  await page.waitForLoadState('networkidle');
  await field.click();
  await page.evaluate(() => {
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) {
        if (name.startsWith('key')) window.longest = Math.max(window.longest, duration);
      }
    }).observe({ type: 'event', durationThreshold: 16 });
  });
  await field.pressSequentially(words, { delay: 60 });
  await page.waitForTimeout(1000);
  const longest = await page.evaluate(() => window.longest);
  await context.close();
  return longest;
}
