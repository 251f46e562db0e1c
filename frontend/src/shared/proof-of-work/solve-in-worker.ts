import type { Challenge } from 'altcha-lib';
import type { WorkerResponse } from './proof-of-work.worker';

/**
 * Solves a challenge in a worker, so the page stays responsive.
 * @returns the header's value, or null if this browser can't solve it
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
