import { findChromium, findHeadlessShell } from '../services.mjs';

/** The variables by which journeys find their browsers, or null where there is no Chromium. */
export function browsers() {
  const chromium = findChromium();
  const shell = findHeadlessShell();
  return chromium && { CHROMIUM_PATH: chromium, ...(shell && { CHROMIUM_SHELL_PATH: shell }) };
}
