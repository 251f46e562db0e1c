import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';

/** Solves the challenge of a `WORK_REQUIRED` response and returns the header. */
export async function solveProofOfWork(challenge: Challenge): Promise<{ 'X-Work-Proof': string }> {
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error("The challenge wasn't solved in time.");
  return { 'X-Work-Proof': encodeProofHeader({ challenge, solution }) };
}

/** Encodes any payload for the header. */
export const encodeProofHeader = (payload: unknown): string => Buffer.from(JSON.stringify(payload)).toString('base64');
