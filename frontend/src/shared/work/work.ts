import type { Challenge } from 'altcha-lib';
import { useSyncExternalStore } from 'react';

const REQUIRED = 428;
const HEADER = 'X-Work-Proof';

const listeners = new Set<() => void>();
let solving = 0;

function count(change: 1 | -1): void {
  solving += change;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the browser is solving a task of the server now. */
export const useWorking = (): boolean => useSyncExternalStore(subscribe, () => solving > 0);

/**
 * Sends a request; when the server asks a busy network for a small piece of work first, does it and sends the same
 * again. The caller notices nothing but that it takes a moment longer.
 * @param send sends one request
 */
export async function fetchWithWork(
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  const again = request.clone();
  const response = await send(request);
  const task = response.status === REQUIRED ? await taskOf(response.clone()) : null;
  const proof = task && (await solve(task));
  if (!proof) return response;
  again.headers.set(HEADER, proof);
  return send(again);
}

async function solve(task: Challenge): Promise<string | null> {
  count(1);
  try {
    const { solveInWorker } = await import('./solve-in-worker');
    return await solveInWorker(task);
  } finally {
    count(-1);
  }
}

async function taskOf(response: Response): Promise<Challenge | null> {
  if (!response.headers.get('content-type')?.includes('json')) return null;
  const body = (await response.json()) as { code?: unknown; challenge?: Challenge };
  return body.code === 'WORK_REQUIRED' ? (body.challenge ?? null) : null;
}
