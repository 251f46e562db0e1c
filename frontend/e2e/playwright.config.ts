import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';

const quietFlags = [
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

// The shell has no windows and is faster; where it is missing, the whole browser does.
const executablePath = process.env.CHROMIUM_SHELL_PATH ?? process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Journeys through the built product in a real Chromium. The address is known once global-setup has started it. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.journey.ts',
  // Emptied at each start; beside it stands what the other stages leave.
  outputDir: '../../test-results/journeys',
  globalSetup: './support/global-setup.ts',
  // A journey waits for the server and for animations; one more than there are cores keeps them busy.
  workers: Math.min(3, availableParallelism() + 1),
  // Patience for a machine that is busy; it costs nothing where all is well.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  // The other one is what `npm test` reads afterwards.
  reporter: [['list'], ['json', { outputFile: process.env.E2E_REPORT ?? '../../test-results/browser.json' }]],
  use: {
    baseURL: process.env.E2E_BASE_URL,
    launchOptions: { executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', ...quietFlags] },
    locale: 'en-US',
    timezoneId: 'Europe/Istanbul',
    colorScheme: 'light',
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    // A trace of everything costs much time; E2E_TRACE=1 asks for it when a journey fails.
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
  },
});
