/**
 * Chooses the full case for `npm run test:long`, which runs nightly and before releases, else the short one. List
 * suites that use it in `scripts/lib/test-runner/long-tests.mjs`.
 */
export function fullOrShort<T>(full: T, short: T): T {
  return process.env.TEST_LONG === '1' ? full : short;
}
