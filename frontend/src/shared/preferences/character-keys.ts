import { useSyncExternalStore } from 'react';
import { browserStorage } from './browser-storage';

const STORAGE_KEY = 'characterKeys';
const listeners = new Set<() => void>();

let areEnabled = browserStorage.get(STORAGE_KEY) !== 'off';

/**
 * Whether single-character shortcuts such as `/` and `r` are on. Users of speech input, or who press keys by mistake,
 * can turn them off in this browser (WCAG 2.1.4).
 */
export const characterKeys = {
  get: (): boolean => areEnabled,
  set(isEnabled: boolean): void {
    areEnabled = isEnabled;
    browserStorage.set(STORAGE_KEY, isEnabled ? 'on' : 'off');
    listeners.forEach((listener) => listener());
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export function useCharacterKeys(): boolean {
  return useSyncExternalStore(characterKeys.subscribe, characterKeys.get, characterKeys.get);
}
