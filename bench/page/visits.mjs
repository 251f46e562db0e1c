/** Chromium's Fast 3G: bytes per second and milliseconds. */
const fast3G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_000 };
const SLOWER = 4;
const PATIENCE = 60_000;

const desk = { locale: 'en-GB', viewport: { width: 1280, height: 800 } };

/** Opens a new tab, signed in if a cookie is given; a desktop window, or another `device`. */
export async function open({ browser, url, cookie }, device = desk) {
  const context = await browser.newContext({ ...device, baseURL: url });
  if (cookie) {
    const [name, value] = cookie.split('=');
    await context.addCookies([{ name, value, url }]);
  }
  const page = await context.newPage();
  await page.addInitScript(() => {
    window.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return { context, page };
}

/** Applies Fast 3G to the tab, and a CPU that is `rate` times slower. */
export async function slowDown(context, page, rate = SLOWER) {
  const tools = await context.newCDPSession(page);
  await tools.send('Network.enable');
  await tools.send('Network.emulateNetworkConditions', fast3G);
  await tools.send('Emulation.setCPUThrottlingRate', { rate });
  return tools;
}

/** Counts requests, scripts among them, and transferred bytes including headers. */
function counting(tools) {
  const seen = { requests: 0, scripts: 0, bytes: 0 };
  tools.on('Network.requestWillBeSent', ({ type }) => {
    seen.requests++;
    if (type === 'Script') seen.scripts++;
  });
  tools.on('Network.loadingFinished', ({ encodedDataLength }) => (seen.bytes += encodedDataLength));
  return seen;
}

async function visit({ context, page }, address, wanted) {
  const tools = await slowDown(context, page);
  const seen = counting(tools);
  const begun = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await wanted(page).waitFor({ timeout: PATIENCE });
  const seconds = (performance.now() - begun) / 1000;
  const until = { ...seen };
  await page.waitForLoadState('networkidle');
  // Idle means half a second without a request.
  const quiet = (performance.now() - begun) / 1000;
  const shift = await page.evaluate(() => window.shifted);
  await context.close();
  const sizes = { kilobytes: until.bytes / 1000, allKilobytes: seen.bytes / 1000 };
  return { seconds, quiet, requests: until.requests, scripts: until.scripts, ...sizes, shift };
}

/** A visit with an empty cache. */
export const cold = async (who, path, wanted) => visit(await open(who), who.url + path, wanted);

/** A visit in a new tab after one at full speed. */
export async function warm(who, path, wanted) {
  const { context, page } = await open(who);
  await page.goto(who.url + path);
  await wanted(page).waitFor();
  await page.waitForLoadState('networkidle');
  await page.goto('about:blank');
  return visit({ context, page }, who.url + path, wanted);
}
