import { useSyncExternalStore } from 'react';

/** A limit of the signed-in owner's plan that an action has just reached. */
export interface ReachedPlanLimit {
  /** zones, people, bytes or mails; undefined if the server didn't say. */
  readonly limit?: string;
  /** The server's message. */
  readonly message: string;
  readonly used?: number;
  readonly allowed?: number;
}

/**
 * In milliseconds. After the dialog was closed, further rejections of the same kind (the rest of an upload) don't
 * reopen it at once.
 */
const REOPEN_DELAY = 10_000;

const listeners = new Set<() => void>();
let current: ReachedPlanLimit | null = null;
let lastClosed: { limit?: string; closedAt: number } | null = null;

function setCurrent(next: ReachedPlanLimit | null): void {
  current = next;
  listeners.forEach((listener) => listener());
}

/** Opens the upgrade dialog. The API client reports every rejection that names a plan limit here. */
export const planLimitStore = {
  report(reached: ReachedPlanLimit): void {
    if (current) return;
    if (lastClosed && lastClosed.limit === reached.limit && Date.now() - lastClosed.closedAt < REOPEN_DELAY) return;
    setCurrent(reached);
  },
  /** For deliberate requests: opens the dialog even right after it was closed. */
  open(reached: ReachedPlanLimit): void {
    if (!current) setCurrent(reached);
  },
  close(): void {
    if (!current) return;
    lastClosed = { limit: current.limit, closedAt: Date.now() };
    setCurrent(null);
  },
  /** For tests. */
  reset(): void {
    lastClosed = null;
    setCurrent(null);
  },
};

export function useReachedPlanLimit(): ReachedPlanLimit | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
