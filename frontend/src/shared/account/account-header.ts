import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let accountId: number | null = null;
let isOtherAccount = false;

/**
 * Id of the account this page was opened for. Every request sends it in `X-Account`, so that the server refuses
 * requests after another account has signed in in another tab of the same browser.
 */
export const accountHeader = {
  /** Stays set when the session ends, because the page still shows this account's data. */
  set: (userId: number): void => void (accountId = userId),
  getAccountId: (): number | null => accountId,
  /** The headers to add to a request. */
  getHeaders: (): Record<string, string> => (accountId === null ? {} : { 'X-Account': String(accountId) }),
  /** Called when the server reports that another account is signed in. */
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

/** Whether another account has signed in in this browser since the page was opened. */
export function useHasAccountChanged(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOtherAccount,
  );
}
