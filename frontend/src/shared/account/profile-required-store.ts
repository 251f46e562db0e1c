import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let isRequired = false;

function setRequired(next: boolean): void {
  isRequired = next;
  listeners.forEach((listener) => listener());
}

/** Whether a reader has just tried what needs a finished profile. Every refusal that says so comes here by itself. */
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
