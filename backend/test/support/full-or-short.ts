/**
 * How much of something is tried: all of it by `npm run test:long`, as every night and before a release, a short case of it
 * by `npm test`. Suites that use it stand in scripts/lib/proof/long.mjs.
 */
export function fullOrShort<T>(full: T, short: T): T {
  return process.env.TEST_LONG === '1' ? full : short;
}
