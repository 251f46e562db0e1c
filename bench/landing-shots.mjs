import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import sharp from 'sharp';
import { fillDemo, personOf } from './lib/landing-demo.mjs';
import { registerUser, root, startProduct } from './lib/product.mjs';

/**
 * `npm run landing:shots`: takes the landing page's screenshots from the built product, in both languages, light and
 * dark, for desktop and phones, and the image for link previews. Writes them to `frontend/public`; rebuild the page
 * afterwards.
 */
const out = join(root, 'frontend/public/shots');
const admin = 'shots-admin';
const shapes = {
  wide: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.25 },
  phone: { viewport: { width: 360, height: 560 }, deviceScaleFactor: 2 },
};
const locales = { en: 'en-US', tr: 'tr-TR' };
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

const screens = ({ zoneId, privateZoneId, publicLink, campaignId }) => ({
  zone: { path: `/zones/${zoneId}` },
  share: { path: `/zones/${privateZoneId}/share` },
  join: { path: `/join/${publicLink}`, signedOut: true },
  campaign: { path: `/campaigns/${campaignId}` },
  dashboard: { path: '/dashboard' },
});

async function creator(url, adminClient, language) {
  const [firstName, lastName] = personOf(language);
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

async function take(browser, { url, client, language, shape, scheme, demo }) {
  const options = { ...shapes[shape], locale: locales[language], colorScheme: scheme, reducedMotion: 'reduce' };
  for (const [name, { path, signedOut }] of Object.entries(screens(demo))) {
    const context = await browser.newContext(options);
    if (!signedOut) await context.addCookies([cookieOf(client, url)]);
    const page = await context.newPage();
    await page.goto(url + path, { waitUntil: 'networkidle' });
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await page.waitForTimeout(500);
    const png = await page.screenshot();
    await sharp(png)
      .webp({ quality: 78 })
      .toFile(join(out, `${name}-${shape}-${language}-${scheme}.webp`));
    await context.close();
  }
}

/** The link preview image of this installation: 1200 × 630, from a screenshot of the zone. */
async function takeShareImage() {
  const zone = await sharp(join(out, 'zone-wide-en-light.webp'))
    .resize(1200, 630, { position: 'top', fit: 'cover' })
    .png({ palette: true })
    .toBuffer();
  await sharp(zone).toFile(join(root, 'frontend/public/share.png'));
}

const dataDir = mkdtempSync(join(tmpdir(), 'zonary-shots-'));
const product = await startProduct({ DATA_DIR: dataDir, SUPER_ADMIN_EMAIL: `${admin}@example.com` });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args });
try {
  mkdirSync(out, { recursive: true });
  const { url } = product;
  const adminClient = await registerUser(url, admin.replace('-', '_'), {}, `${admin}@example.com`);
  for (const language of Object.keys(locales)) {
    const client = await creator(url, adminClient, language);
    const demo = await fillDemo(client, language);
    for (const shape of Object.keys(shapes)) {
      for (const scheme of ['light', 'dark']) await take(browser, { url, client, language, shape, scheme, demo });
    }
  }
  await takeShareImage();
} finally {
  await browser.close();
  await product.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
