import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let account: number | null = null;
let isAnother = false;

/**
 * The account for whom this page was opened. Every request names it, so that nothing is done for somebody else who has
 * signed in in another tab of the same browser; the refusal comes here by itself.
 */
export const openedFor = {
  /** Stays when the session ends: what stands in the page is still theirs. */
  set: (userId: number): void => void (account = userId),
  account: (): number | null => account,
  /** Of a request. */
  headers: (): Record<string, string> => (account === null ? {} : { 'X-Account': String(account) }),
  /** Somebody else is signed in now. */
  another: (): void => {
    isAnother = true;
    listeners.forEach((listener) => listener());
  },
  reset: (): void => {
    account = null;
    isAnother = false;
    listeners.forEach((listener) => listener());
  },
};

/** Whether somebody else has signed in in this browser since the page was opened. */
export function useAnotherAccount(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isAnother,
  );
}
