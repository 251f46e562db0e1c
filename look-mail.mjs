import { spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
const out = '/tmp/mail-shots'; mkdirSync(out, { recursive: true });
const dataDir = mkdtempSync(join(tmpdir(), 'look-mail-'));
const port = 3971, url = `http://localhost:${port}`;
const env = { ...process.env, DATA_DIR: dataDir, PORT: String(port), APP_URL: url, RATE_LIMIT: 'off', LANDING_MIN_COUNT: '0' };
const run = (file, args = []) => spawn(process.execPath, [file, ...args], { cwd: '/work/wt-mail', env, stdio: 'inherit' });
const server = run('scripts/start.mjs');
try {
  for (let n = 0; n < 900; n++) {
    if ((await fetch(`${url}/readyz`).catch(() => null))?.ok) break;
    await new Promise((r) => setTimeout(r, 500));
  }
  await new Promise((r) => run('scripts/seed.mjs').on('exit', r));
  await new Promise((r) => setTimeout(r, 20000));
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  for (const [width, height, scheme, language] of [[1440, 900, 'light', 'en'], [360, 740, 'dark', 'tr'], [1440, 900, 'dark', 'tr'], [360, 740, 'light', 'en']]) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, locale: language === 'tr' ? 'tr-TR' : 'en-US', baseURL: url, extraHTTPHeaders: { 'Sec-Fetch-Site': 'same-origin' } });
    const login = await context.request.post('/api/login', { data: { email: 'creator@demo.example', password: 'demo pass phrase' } });
    if (!login.ok()) console.log('login', login.status(), await login.text());
    if (language === 'tr') await context.request.patch('/api/user/profile', { data: { language } }).catch(() => null);
    await context.addInitScript((l) => localStorage.setItem('language', l), language);
    const page = await context.newPage();
    const zones = await (await context.request.get('/api/zones')).json();
    const lectures = zones.find((z) => z.type === 'public');
    const [campaign] = await (await context.request.get('/api/campaigns')).json();
    const shot = async (name, path, then) => {
      await page.goto(path); await page.waitForLoadState('networkidle');
      await page.waitForTimeout(700);
      if (then) await then();
      await page.screenshot({ path: `${out}/${name}-${width}-${scheme}-${language}.png` });
    };
    await shot('dashboard', '/dashboard');
    await shot('zone', `/zones/${lectures.id}`);
    await shot('members', `/zones/${lectures.id}/members`);
    await shot('campaign', `/campaigns/${campaign.id}`);
    await shot('analytics', '/analytics');
    await shot('compose', `/campaigns/new?zone=${lectures.id}`);
    await shot('search', `/zones/${lectures.id}?q=softbox`, () => page.waitForTimeout(1500));
    await shot('palette', '/zones', async () => { await page.keyboard.press('Control+k'); await page.waitForTimeout(400); await page.keyboard.type('softbox'); await page.waitForTimeout(1500); });
    await shot('join', `/join/${lectures.publicLink}`);
    await context.close();
  }
  await browser.close();
} finally {
  server.kill('SIGTERM');
  await new Promise((r) => server.on('exit', r));
  rmSync(dataDir, { recursive: true, force: true });
}
