import { useSyncExternalStore } from 'react';
import { fetchAsked } from '../api/asked-ahead';

/** What waits for the person to show that it is them; several calls that wait share one question. */
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

/** What opens the dialog that asks who it is. Every refusal `CONFIRMATION_REQUIRED` comes here by itself. */
export const reauthentication = {
  /** True once the person has confirmed, false when they would not, or when there is no dialog to ask them. */
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
    // Whoever waits must not wait for a dialog that is gone.
    if (listeners.size === 0) reauthentication.finish(false);
  };
}

/** Whether somebody is asked now. */
export const useIsReauthenticationRequested = (): boolean => useSyncExternalStore(subscribe, () => pending !== null);

/**
 * Sends a request; when the server wants to know first that it is the person, asks them and sends the same again. The
 * caller notices nothing but that it takes longer, so nothing typed is lost.
 */
export async function fetchWithReauthentication(request: Request): Promise<Response> {
  const retryRequest = request.clone();
  const response = await fetchAsked(request);
  if (response.status !== 403 || !(await requiresReauthentication(response.clone()))) return response;
  return (await reauthentication.request()) ? fetchAsked(retryRequest) : response;
}

async function requiresReauthentication(response: Response): Promise<boolean> {
  if (!response.headers.get('content-type')?.includes('json')) return false;
  const body = (await response.json()) as { code?: unknown };
  return body.code === 'CONFIRMATION_REQUIRED';
}
