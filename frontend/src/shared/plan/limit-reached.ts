import { useSyncExternalStore } from 'react';

/** A limit of the signed-in owner's plan that something has just met. */
export interface LimitReached {
  /** zones, people, bytes or mails; undefined when the server did not say. */
  readonly limit?: string;
  /** The server's sentence. */
  readonly message: string;
  readonly used?: number;
  readonly allowed?: number;
}

/** After it has been closed, further refusals of the same kind (the rest of an upload) do not open it again at once. */
const QUIET_FOR = 10_000;

const listeners = new Set<() => void>();
let current: LimitReached | null = null;
let closed: { limit?: string; at: number } | null = null;

function replace(next: LimitReached | null): void {
  current = next;
  listeners.forEach((listener) => listener());
}

/** What opens the upgrade dialog. Every refusal that names a plan limit comes here by itself. */
export const limitReached = {
  raise(reached: LimitReached): void {
    if (current) return;
    if (closed && closed.limit === reached.limit && Date.now() - closed.at < QUIET_FOR) return;
    replace(reached);
  },
  /** For who asks on purpose: told also right after it was closed. */
  show(reached: LimitReached): void {
    if (!current) replace(reached);
  },
  close(): void {
    if (!current) return;
    closed = { limit: current.limit, at: Date.now() };
    replace(null);
  },
  /** Forgets everything, for tests. */
  reset(): void {
    closed = null;
    replace(null);
  },
};

export function useLimitReached(): LimitReached | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
