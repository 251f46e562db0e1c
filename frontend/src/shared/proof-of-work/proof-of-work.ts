import type { Challenge } from 'altcha-lib';
import { useSyncExternalStore } from 'react';

const PROOF_REQUIRED_STATUS = 428;
const PROOF_HEADER = 'X-Work-Proof';

const listeners = new Set<() => void>();
let solvingCount = 0;

function changeSolvingCount(change: 1 | -1): void {
  solvingCount += change;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the browser is solving a challenge now. */
export const useIsSolvingChallenge = (): boolean => useSyncExternalStore(subscribe, () => solvingCount > 0);

/**
 * Sends a request. If the server demands proof of work, because the network sends many requests, solves the challenge
 * and repeats the request. Callers only notice the delay.
 * @param send sends one request
 */
export async function fetchWithProofOfWork(
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  const retryRequest = request.clone();
  const response = await send(request);
  const challenge = response.status === PROOF_REQUIRED_STATUS ? await readChallenge(response.clone()) : null;
  const proof = challenge && (await solveChallenge(challenge));
  if (!proof) return response;
  retryRequest.headers.set(PROOF_HEADER, proof);
  return send(retryRequest);
}

async function solveChallenge(challenge: Challenge): Promise<string | null> {
  changeSolvingCount(1);
  try {
    const { solveInWorker } = await import('./solve-in-worker');
    return await solveInWorker(challenge);
  } finally {
    changeSolvingCount(-1);
  }
}

async function readChallenge(response: Response): Promise<Challenge | null> {
  if (!response.headers.get('content-type')?.includes('json')) return null;
  const body = (await response.json()) as { code?: unknown; challenge?: Challenge };
  return body.code === 'WORK_REQUIRED' ? (body.challenge ?? null) : null;
}
