import { useSyncExternalStore } from 'react';

/** A wait this short is over before it is read. */
const SHORTEST = 5;

const listeners = new Set<() => void>();
let until: number | null = null;

function replace(next: number | null): void {
  until = next;
  listeners.forEach((listener) => listener());
}

/** Until when the server takes no more tries. Every refusal for too many of them comes here by itself. */
export const waiting = {
  /** @param seconds from now on */
  raise(seconds: number): void {
    if (seconds >= SHORTEST) replace(Date.now() + seconds * 1000);
  },
  end(): void {
    if (until !== null) replace(null);
  },
};

/** The moment in milliseconds, or null. */
export function useWaiting(): number | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => until,
  );
}
