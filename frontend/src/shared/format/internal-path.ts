/**
 * Takes an address from a query string or from the server, gives the path, query and hash when it is one of our own
 * pages, else the fallback: nobody is led to a strange site by a link of ours.
 */
export function internalPath(address: string | null | undefined, fallback: string): string {
  if (!address) return fallback;
  try {
    const url = new URL(address, location.origin);
    // A path that begins with two slashes, also after dots were resolved, is read as another site.
    const isSameSite = url.origin === location.origin && !url.pathname.startsWith('//');
    return isSameSite ? url.pathname + url.search + url.hash : fallback;
  } catch {
    return fallback;
  }
}
