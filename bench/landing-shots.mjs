import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import sharp from 'sharp';
import { fillDemo, creatorNameOf } from './lib/landing-demo.mjs';
import { registerUser, root, startProduct } from './lib/product.mjs';

/**
 * `npm run landing:shots`: takes the landing page's screenshots from the built product, in both languages, light and
 * dark, for desktop and phones, and the image for link previews. Writes them to `frontend/public`; rebuild the page
 * afterwards.
 */
const OUTPUT_DIR = join(root, 'frontend/public/shots');
const ADMIN_NAME = 'shots-admin';
const DEVICES = {
  wide: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.25 },
  phone: { viewport: { width: 360, height: 560 }, deviceScaleFactor: 2 },
};
const LOCALES = { en: 'en-US', tr: 'tr-TR' };
const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];

const createScreens = ({ zoneId, privateZoneId, publicLink, campaignId }) => ({
  zone: { path: `/zones/${zoneId}` },
  share: { path: `/zones/${privateZoneId}/share` },
  join: { path: `/join/${publicLink}`, signedOut: true },
  campaign: { path: `/campaigns/${campaignId}` },
  dashboard: { path: '/dashboard' },
});

async function createCreator(url, adminClient, language) {
  const [firstName, lastName] = creatorNameOf(language);
  const client = await registerUser(url, `creator_${language}`, { firstName, lastName });
  const { id } = await (await client.call('GET', '/api/user')).json();
  await adminClient.call('PATCH', `/api/admin/users/${id}/plan`, { plan: 'creator' });
  await client.call('PUT', '/api/user/profile', { firstName, lastName, language });
  return client;
}

function cookieOf(client, url) {
  const [name, value] = client.cookie.split('=');
  return { name, value, url };
}

async function takeScreenshots(browser, { url, client, language, device, colorScheme, demo }) {
  const options = { ...DEVICES[device], locale: LOCALES[language], colorScheme, reducedMotion: 'reduce' };
  for (const [name, { path, signedOut }] of Object.entries(createScreens(demo))) {
    const context = await browser.newContext(options);
    if (!signedOut) await context.addCookies([cookieOf(client, url)]);
    const page = await context.newPage();
    await page.goto(url + path, { waitUntil: 'networkidle' });
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await page.waitForTimeout(500);
    const png = await page.screenshot();
    await sharp(png)
      .webp({ quality: 78 })
      .toFile(join(OUTPUT_DIR, `${name}-${device}-${language}-${colorScheme}.webp`));
    await context.close();
  }
}

/** Creates the link preview image: 1200 × 630, from a screenshot of the zone. */
async function createShareImage() {
  const zone = await sharp(join(OUTPUT_DIR, 'zone-wide-en-light.webp'))
    .resize(1200, 630, { position: 'top', fit: 'cover' })
    .png({ palette: true })
    .toBuffer();
  await sharp(zone).toFile(join(root, 'frontend/public/share.png'));
}

const dataDir = mkdtempSync(join(tmpdir(), 'zonary-shots-'));
const product = await startProduct({ DATA_DIR: dataDir, SUPER_ADMIN_EMAIL: `${ADMIN_NAME}@example.com` });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: CHROMIUM_FLAGS,
});
try {
  mkdirSync(OUTPUT_DIR, { recursive: true });
  const { url } = product;
  const adminClient = await registerUser(url, ADMIN_NAME.replace('-', '_'), {}, `${ADMIN_NAME}@example.com`);
  for (const language of Object.keys(LOCALES)) {
    const client = await createCreator(url, adminClient, language);
    const demo = await fillDemo(client, language);
    for (const device of Object.keys(DEVICES)) {
      for (const colorScheme of ['light', 'dark'])
        await takeScreenshots(browser, { url, client, language, device, colorScheme, demo });
    }
  }
  await createShareImage();
} finally {
  await browser.close();
  await product.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
