import { findChromium, findHeadlessShell } from '../find-programs.mjs';

/** The environment variables that locate the browsers, or null without Chromium. */
export function findBrowserEnv() {
  const chromium = findChromium();
  const headlessShell = findHeadlessShell();
  return chromium && { CHROMIUM_PATH: chromium, ...(headlessShell && { CHROMIUM_SHELL_PATH: headlessShell }) };
}
