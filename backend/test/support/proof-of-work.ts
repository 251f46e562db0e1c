import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';

/** The header by which the task of an answer `WORK_REQUIRED` is handed in, solved. */
export async function solveProofOfWork(challenge: Challenge): Promise<{ 'X-Work-Proof': string }> {
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('The task was not solved in time.');
  return { 'X-Work-Proof': encodeProofHeader({ challenge, solution }) };
}

/** Whatever it is, as the header bears it. */
export const encodeProofHeader = (payload: unknown): string => Buffer.from(JSON.stringify(payload)).toString('base64');
