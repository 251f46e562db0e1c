/** Stops the server, whether the suites passed or failed. */
export default async function globalTeardown() {
  await globalThis.stopTestPostgres?.();
}
