import { useSyncExternalStore } from 'react';
import { browserStorage } from './browser-storage';

export const colorModes = ['system', 'light', 'dark'] as const;
export type ColorMode = (typeof colorModes)[number];

const STORAGE_KEY = 'colorMode';
const listeners = new Set<() => void>();
const isColorMode = (value: unknown): value is ColorMode => colorModes.includes(value as ColorMode);

function readStoredMode(): ColorMode {
  const value = browserStorage.get(STORAGE_KEY);
  return isColorMode(value) ? value : 'system';
}

let current: ColorMode = readStoredMode();

function getDarkModeQuery(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)');
}

function applyTheme(): void {
  const isDark = current === 'dark' || (current === 'system' && getDarkModeQuery().matches);
  document.documentElement.setAttribute('data-theme', isDark ? 'dark' : 'light');
}

function notifyListeners(): void {
  applyTheme();
  listeners.forEach((listener) => listener());
}

/** Light, dark or the system's setting. Public pages and the component library's theme both use this store. */
export const colorMode = {
  get: (): ColorMode => current,
  set(mode: string | null): void {
    if (!isColorMode(mode) || mode === current) return;
    current = mode;
    browserStorage.set(STORAGE_KEY, mode);
    notifyListeners();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Applies the choice and syncs it with the system and other tabs. Called once at startup. */
  start(): void {
    current = readStoredMode();
    applyTheme();
    getDarkModeQuery().addEventListener('change', applyTheme);
    addEventListener('storage', (event) => {
      if (event.key !== `zonary.${STORAGE_KEY}`) return;
      current = readStoredMode();
      notifyListeners();
    });
  },
};

export function useColorMode(): ColorMode {
  return useSyncExternalStore(colorMode.subscribe, colorMode.get, colorMode.get);
}
