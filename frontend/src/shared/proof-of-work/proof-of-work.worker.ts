import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';

/** What the worker is told, and what it answers. */
export type WorkerResponse = { readonly solution: unknown } | { readonly failed: true };

addEventListener('message', ({ data: challenge }: MessageEvent<Challenge>) => {
  solveChallenge({ challenge, deriveKey, timeout: 60_000 }).then(
    (solution) => postMessage(solution ? { solution } : { failed: true }),
    // Without a secure context the browser has no way to derive keys; the refusal is then told in words.
    () => postMessage({ failed: true }),
  );
});
