import { findChromium, findHeadlessShell } from '../services.mjs';

/** The environment variables that locate the browsers, or null without Chromium. */
export function browsers() {
  const chromium = findChromium();
  const shell = findHeadlessShell();
  return chromium && { CHROMIUM_PATH: chromium, ...(shell && { CHROMIUM_SHELL_PATH: shell }) };
}
