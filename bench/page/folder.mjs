import { open } from './visits.mjs';

const isOfApi = (request) => new URL(request.url()).pathname.startsWith('/api/');

async function openFolder(who, path) {
  const opened = await open(who);
  await opened.page.goto(who.url + path);
  await opened.page.getByText('Scan 2.txt', { exact: true }).first().waitFor();
  await opened.page.waitForLoadState('networkidle');
  return opened;
}

/** Renames the first file by its menu: what that asks of the server, and how long until the new name is shown. */
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

/** Scrolls through the whole list and gives the median time from one frame to the next. */
export async function scrolling(who, path) {
  const { context, page } = await openFolder(who, path);
  const ms = await page.evaluate(async () => {
    const frames = [];
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    let before = await frame();
    for (let step = 0; step < 200; step++) {
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

/** Types into the search of the folder and gives the longest time from a key to what it changed, in milliseconds. */
export async function keyPress(who, path) {
  const { context, page } = await openFolder(who, path);
  const field = page.getByRole('searchbox').first();
  await field.click();
  await page.evaluate(() => {
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) {
        if (name.startsWith('key')) window.longest = Math.max(window.longest, duration);
      }
    }).observe({ type: 'event', durationThreshold: 16 });
  });
  await field.pressSequentially('Scan 42', { delay: 120 });
  await page.waitForTimeout(1000);
  const longest = await page.evaluate(() => window.longest);
  await context.close();
  return longest;
}
