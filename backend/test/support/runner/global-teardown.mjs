/** Stops the server that the setup started, whether the suites passed or failed. */
export default async function globalTeardown() {
  await globalThis.stopTestPostgres?.();
}
