import { useSyncExternalStore } from 'react';
import { stored } from './stored';

const storageName = 'characterKeys';
const listeners = new Set<() => void>();

let areOn = stored.get(storageName) !== 'off';

/**
 * Whether keys that are one letter or sign do something by themselves, as `/` and `r` do. Whoever speaks to the computer, or
 * touches keys by mistake, can turn them off in this browser (WCAG 2.1.4).
 */
export const characterKeys = {
  get: (): boolean => areOn,
  set(on: boolean): void {
    areOn = on;
    stored.set(storageName, on ? 'on' : 'off');
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
