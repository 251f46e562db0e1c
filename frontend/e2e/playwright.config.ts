import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';

const backgroundTrafficFlags = [
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

// The headless shell is faster; the full browser is the fallback.
const executablePath = process.env.CHROMIUM_SHELL_PATH ?? process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/**
 * End-to-end tests of the built product in a real Chromium. `global-setup` starts the server, so the URL is known only
 * then.
 */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  // Emptied at each start; the other stages write beside it.
  outputDir: '../../test-results/e2e',
  globalSetup: './support/global-setup.ts',
  // Tests wait for the server and animations, so one more worker than cores keeps them busy.
  workers: Math.min(3, availableParallelism() + 1),
  // Generous timeouts for a busy machine; passing tests don't wait for them.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  // `npm test` reads the JSON report afterwards.
  reporter: [['list'], ['json', { outputFile: process.env.E2E_REPORT ?? '../../test-results/browser.json' }]],
  use: {
    baseURL: process.env.E2E_BASE_URL,
    launchOptions: {
      executablePath,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', ...backgroundTrafficFlags],
    },
    locale: 'en-US',
    timezoneId: 'Europe/Istanbul',
    colorScheme: 'light',
    contextOptions: { reducedMotion: 'reduce' },
    // Playwright can't intercept requests of a page that one controls. `installed-app.e2e.ts` allows it.
    serviceWorkers: 'block',
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    // Traces are slow, so they are recorded only with `E2E_TRACE=1`, for failed tests.
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
  },
});
