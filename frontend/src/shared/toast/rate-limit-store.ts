import { useSyncExternalStore } from 'react';

/** Shorter waits would be over before anybody has read the message. */
const MIN_WAIT_SECONDS = 5;

const listeners = new Set<() => void>();
let retryAt: number | null = null;

function setRetryAt(next: number | null): void {
  retryAt = next;
  listeners.forEach((listener) => listener());
}

/** When the server accepts attempts again. The API client reports every rate limit here. */
export const rateLimitStore = {
  /** @param seconds from now */
  start(seconds: number): void {
    if (seconds >= MIN_WAIT_SECONDS) setRetryAt(Date.now() + seconds * 1000);
  },
  clear(): void {
    if (retryAt !== null) setRetryAt(null);
  },
};

/** Unix time in milliseconds, or null. */
export function useRetryAt(): number | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => retryAt,
  );
}
