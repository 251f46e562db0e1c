import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let isNeeded = false;

function replace(next: boolean): void {
  isNeeded = next;
  listeners.forEach((listener) => listener());
}

/** Whether a reader has just tried what needs a finished profile. Every refusal that says so comes here by itself. */
export const profileNeeded = { raise: () => replace(true), close: () => replace(false) };

export function useProfileNeeded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isNeeded,
  );
}
