import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let isRequired = false;

function setRequired(next: boolean): void {
  isRequired = next;
  listeners.forEach((listener) => listener());
}

/**
 * Opens when a user with an incomplete profile tries something that needs a complete one. The API client reports such
 * rejections here.
 */
export const profileRequiredStore = { open: () => setRequired(true), close: () => setRequired(false) };

export function useIsProfileRequired(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isRequired,
  );
}
