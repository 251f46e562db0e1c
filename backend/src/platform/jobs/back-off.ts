import { HOUR, SECOND } from '../clock/clock.js';

const FIRST = 5 * SECOND;
const LONGEST = HOUR;

/**
 * How long to wait after a failed try: 5 s, doubled with each try up to an hour, and a quarter more or less by
 * chance, so that jobs that failed together do not come back together.
 * @param attempt 1 after the first try
 * @param chance from 0 to 1
 * @returns milliseconds
 */
export function backOff(attempt: number, chance = Math.random()): number {
  const plain = Math.min(LONGEST, FIRST * 2 ** (attempt - 1));
  return Math.round(plain * (0.75 + chance / 2));
}
