/** Chromium's Fast 3G: bytes per second and milliseconds. */
const FAST_3G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_000 };
const CPU_SLOWDOWN = 4;
const TIMEOUT_MS = 60_000;

const DESKTOP = { locale: 'en-GB', viewport: { width: 1280, height: 800 } };

/** Opens a new tab, signed in if a cookie is given; a desktop window, or another `device`. */
export async function openTab({ browser, url, cookie }, device = DESKTOP) {
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
export async function slowDown(context, page, rate = CPU_SLOWDOWN) {
  const cdpSession = await context.newCDPSession(page);
  await cdpSession.send('Network.enable');
  await cdpSession.send('Network.emulateNetworkConditions', FAST_3G);
  await cdpSession.send('Emulation.setCPUThrottlingRate', { rate });
  return cdpSession;
}

/** Counts requests, scripts among them, and transferred bytes including headers. */
function countRequests(cdpSession) {
  const totals = { requests: 0, scripts: 0, bytes: 0 };
  cdpSession.on('Network.requestWillBeSent', ({ type }) => {
    totals.requests++;
    if (type === 'Script') totals.scripts++;
  });
  cdpSession.on('Network.loadingFinished', ({ encodedDataLength }) => (totals.bytes += encodedDataLength));
  return totals;
}

async function measureVisit({ context, page }, fullUrl, findContent) {
  const cdpSession = await slowDown(context, page);
  const totals = countRequests(cdpSession);
  const startedAt = performance.now();
  await page.goto(fullUrl, { waitUntil: 'commit' });
  await findContent(page).waitFor({ timeout: TIMEOUT_MS });
  const seconds = (performance.now() - startedAt) / 1000;
  const untilContent = { ...totals };
  await page.waitForLoadState('networkidle');
  // Idle means half a second without a request.
  const idleSeconds = (performance.now() - startedAt) / 1000;
  const shift = await page.evaluate(() => window.shifted);
  await context.close();
  const sizes = { kilobytes: untilContent.bytes / 1000, allKilobytes: totals.bytes / 1000 };
  return { seconds, idleSeconds, requests: untilContent.requests, scripts: untilContent.scripts, ...sizes, shift };
}

/** Measures a visit with an empty cache. */
export const measureColdVisit = async (user, path, findContent) =>
  measureVisit(await openTab(user), user.url + path, findContent);

/** Measures a visit after one at full speed, whose cache it uses. */
export async function measureWarmVisit(user, path, findContent) {
  const { context, page } = await openTab(user);
  await page.goto(user.url + path);
  await findContent(page).waitFor();
  await page.waitForLoadState('networkidle');
  await page.goto('about:blank');
  return measureVisit({ context, page }, user.url + path, findContent);
}
