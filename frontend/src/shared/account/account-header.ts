import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let accountId: number | null = null;
let isOtherAccount = false;

/**
 * The account for whom this page was opened. Every request names it, so that nothing is done for somebody else who has
 * signed in in another tab of the same browser; the refusal comes here by itself.
 */
export const accountHeader = {
  /** Stays when the session ends: what stands in the page is still theirs. */
  set: (userId: number): void => void (accountId = userId),
  getAccountId: (): number | null => accountId,
  /** Of a request. */
  getHeaders: (): Record<string, string> => (accountId === null ? {} : { 'X-Account': String(accountId) }),
  /** Somebody else is signed in now. */
  reportAccountChange: (): void => {
    isOtherAccount = true;
    listeners.forEach((listener) => listener());
  },
  reset: (): void => {
    accountId = null;
    isOtherAccount = false;
    listeners.forEach((listener) => listener());
  },
};

/** Whether somebody else has signed in in this browser since the page was opened. */
export function useHasAccountChanged(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOtherAccount,
  );
}
