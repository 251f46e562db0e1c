import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';

/** Messages to and from the worker. */
export type WorkerResponse = { readonly solution: unknown } | { readonly failed: true };

addEventListener('message', ({ data: challenge }: MessageEvent<Challenge>) => {
  solveChallenge({ challenge, deriveKey, timeout: 60_000 }).then(
    (solution) => postMessage(solution ? { solution } : { failed: true }),
    // Without a secure context, browsers have no Web Crypto; the server's rejection is then shown as an error.
    () => postMessage({ failed: true }),
  );
});
