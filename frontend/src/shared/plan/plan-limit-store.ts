import { useSyncExternalStore } from 'react';

/** A limit of the signed-in owner's plan that something has just met. */
export interface ReachedPlanLimit {
  /** zones, people, bytes or mails; undefined when the server did not say. */
  readonly limit?: string;
  /** The server's sentence. */
  readonly message: string;
  readonly used?: number;
  readonly allowed?: number;
}

/** After it has been closed, further refusals of the same kind (the rest of an upload) do not open it again at once. */
const REOPEN_DELAY = 10_000;

const listeners = new Set<() => void>();
let current: ReachedPlanLimit | null = null;
let lastClosed: { limit?: string; closedAt: number } | null = null;

function setCurrent(next: ReachedPlanLimit | null): void {
  current = next;
  listeners.forEach((listener) => listener());
}

/** What opens the upgrade dialog. Every refusal that names a plan limit comes here by itself. */
export const planLimitStore = {
  report(reached: ReachedPlanLimit): void {
    if (current) return;
    if (lastClosed && lastClosed.limit === reached.limit && Date.now() - lastClosed.closedAt < REOPEN_DELAY) return;
    setCurrent(reached);
  },
  /** For who asks on purpose: told also right after it was closed. */
  open(reached: ReachedPlanLimit): void {
    if (!current) setCurrent(reached);
  },
  close(): void {
    if (!current) return;
    lastClosed = { limit: current.limit, closedAt: Date.now() };
    setCurrent(null);
  },
  /** Forgets everything, for tests. */
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
