import { useSyncExternalStore } from 'react';
import { fetchAsked } from '../api/asked-ahead';

/** What waits for the person to show that it is them; several calls that wait share one question. */
interface Question {
  readonly answer: Promise<boolean>;
  readonly settle: (confirmed: boolean) => void;
}

const listeners = new Set<() => void>();
let current: Question | null = null;

function replace(next: Question | null): void {
  current = next;
  listeners.forEach((listener) => listener());
}

/** What opens the dialog that asks who it is. Every refusal `CONFIRMATION_REQUIRED` comes here by itself. */
export const confirmation = {
  /** True once the person has confirmed, false when they would not, or when there is no dialog to ask them. */
  ask(): Promise<boolean> {
    if (listeners.size === 0) return Promise.resolve(false);
    if (!current) {
      let settle: Question['settle'] = () => undefined;
      const answer = new Promise<boolean>((resolve) => (settle = resolve));
      replace({ answer, settle });
    }
    return current!.answer;
  },
  settle(confirmed: boolean): void {
    const asked = current;
    if (!asked) return;
    replace(null);
    asked.settle(confirmed);
  },
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    // Whoever waits must not wait for a dialog that is gone.
    if (listeners.size === 0) confirmation.settle(false);
  };
}

/** Whether somebody is asked now. */
export const useConfirmationAsked = (): boolean => useSyncExternalStore(subscribe, () => current !== null);

/**
 * Sends a request; when the server wants to know first that it is the person, asks them and sends the same again. The
 * caller notices nothing but that it takes longer, so nothing typed is lost.
 */
export async function fetchConfirmed(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await fetchAsked(request);
  if (response.status !== 403 || !(await asksForConfirmation(response.clone()))) return response;
  return (await confirmation.ask()) ? fetchAsked(again) : response;
}

async function asksForConfirmation(response: Response): Promise<boolean> {
  if (!response.headers.get('content-type')?.includes('json')) return false;
  const body = (await response.json()) as { code?: unknown };
  return body.code === 'CONFIRMATION_REQUIRED';
}
