import { useSyncExternalStore } from 'react';
import { stored } from './stored';

export const colorModes = ['system', 'light', 'dark'] as const;
export type ColorMode = (typeof colorModes)[number];

const storageName = 'colorMode';
const listeners = new Set<() => void>();
const isColorMode = (value: unknown): value is ColorMode => colorModes.includes(value as ColorMode);

function read(): ColorMode {
  const value = stored.get(storageName);
  return isColorMode(value) ? value : 'system';
}

let current: ColorMode = read();

function systemPrefersDark(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)');
}

function paint(): void {
  const dark = current === 'dark' || (current === 'system' && systemPrefersDark().matches);
  document.documentElement.setAttribute('data-theme', dark ? 'dark' : 'light');
}

function announce(): void {
  paint();
  listeners.forEach((listener) => listener());
}

/** Light, dark, or whatever the system says. Public pages and the component library's theme both follow this store. */
export const colorMode = {
  get: (): ColorMode => current,
  set(mode: string | null): void {
    if (!isColorMode(mode) || mode === current) return;
    current = mode;
    stored.set(storageName, mode);
    announce();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Paints the choice and keeps it in step with the system and with other tabs. Called once at start. */
  start(): void {
    current = read();
    paint();
    systemPrefersDark().addEventListener('change', paint);
    addEventListener('storage', (event) => {
      if (event.key !== `zonary.${storageName}`) return;
      current = read();
      announce();
    });
  },
};

export function useColorMode(): ColorMode {
  return useSyncExternalStore(colorMode.subscribe, colorMode.get, colorMode.get);
}
