import { useSyncExternalStore } from 'react';

/** A wait this short is over before it is read. */
const MIN_WAIT_SECONDS = 5;

const listeners = new Set<() => void>();
let retryAt: number | null = null;

function setRetryAt(next: number | null): void {
  retryAt = next;
  listeners.forEach((listener) => listener());
}

/** Until when the server takes no more tries. Every refusal for too many of them comes here by itself. */
export const rateLimitStore = {
  /** @param seconds from now on */
  start(seconds: number): void {
    if (seconds >= MIN_WAIT_SECONDS) setRetryAt(Date.now() + seconds * 1000);
  },
  clear(): void {
    if (retryAt !== null) setRetryAt(null);
  },
};

/** The moment in milliseconds, or null. */
export function useRetryAt(): number | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => retryAt,
  );
}
