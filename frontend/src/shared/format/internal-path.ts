/**
 * Takes an address from a query string or from the server, gives the path, query and hash when it is one of our own
 * pages, else the fallback: nobody is led to a strange site by a link of ours.
 */
export function internalPath(address: string | null | undefined, fallback: string): string {
  if (!address) return fallback;
  try {
    const url = new URL(address, location.origin);
    // A path that begins with two slashes, also after dots were resolved, is read as another site.
    const isOurs = url.origin === location.origin && !url.pathname.startsWith('//');
    return isOurs ? url.pathname + url.search + url.hash : fallback;
  } catch {
    return fallback;
  }
}
