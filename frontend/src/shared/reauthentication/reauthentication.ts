import { useSyncExternalStore } from 'react';
import { fetchWithPrefetch } from '../api/prefetch-cache';

/** A pending confirmation; several requests share one dialog. */
interface PendingReauthentication {
  readonly result: Promise<boolean>;
  readonly resolve: (confirmed: boolean) => void;
}

const listeners = new Set<() => void>();
let pending: PendingReauthentication | null = null;

function setPending(next: PendingReauthentication | null): void {
  pending = next;
  listeners.forEach((listener) => listener());
}

/**
 * Opens the dialog that confirms the user's identity. The API client reports every `CONFIRMATION_REQUIRED` error here.
 */
export const reauthentication = {
  /** Resolves to true once the user has confirmed, to false if they cancel or no dialog is mounted. */
  request(): Promise<boolean> {
    if (listeners.size === 0) return Promise.resolve(false);
    if (!pending) {
      let resolveResult: PendingReauthentication['resolve'] = () => undefined;
      const result = new Promise<boolean>((resolve) => (resolveResult = resolve));
      setPending({ result, resolve: resolveResult });
    }
    return pending!.result;
  },
  finish(confirmed: boolean): void {
    const finished = pending;
    if (!finished) return;
    setPending(null);
    finished.resolve(confirmed);
  },
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    // Without a mounted dialog, waiting requests would never end.
    if (listeners.size === 0) reauthentication.finish(false);
  };
}

/** Whether a confirmation is pending. */
export const useIsReauthenticationRequested = (): boolean => useSyncExternalStore(subscribe, () => pending !== null);

/**
 * Sends a request. If the server demands reauthentication, asks the user and repeats the request. Callers only notice
 * the delay, and no input is lost.
 */
export async function fetchWithReauthentication(request: Request): Promise<Response> {
  const retryRequest = request.clone();
  const response = await fetchWithPrefetch(request);
  if (response.status !== 403 || !(await requiresReauthentication(response.clone()))) return response;
  return (await reauthentication.request()) ? fetchWithPrefetch(retryRequest) : response;
}

async function requiresReauthentication(response: Response): Promise<boolean> {
  if (!response.headers.get('content-type')?.includes('json')) return false;
  const body = (await response.json()) as { code?: unknown };
  return body.code === 'CONFIRMATION_REQUIRED';
}
