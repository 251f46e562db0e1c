import type { Challenge } from 'altcha-lib';
import type { WorkerResponse } from './proof-of-work.worker';

/**
 * Solves a task beside the page, which stays usable meanwhile.
 * @returns what the header bears, or null when this browser cannot
 */
export function solveInWorker(challenge: Challenge): Promise<string | null> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./proof-of-work.worker.ts', import.meta.url), { type: 'module' });
    const finish = (proof: string | null) => {
      worker.terminate();
      resolve(proof);
    };
    worker.onmessage = ({ data }: MessageEvent<WorkerResponse>) =>
      finish('solution' in data ? btoa(JSON.stringify({ challenge, solution: data.solution })) : null);
    worker.onerror = () => finish(null);
    worker.postMessage(challenge);
  });
}
