/**
 * Returns the path, query and hash of a URL if it is one of our own pages, else the fallback. Prevents open redirects.
 */
export function internalPath(address: string | null | undefined, fallback: string): string {
  if (!address) return fallback;
  try {
    const url = new URL(address, location.origin);
    // Browsers read a path starting with two slashes, also after dots are resolved, as another site.
    const isSameSite = url.origin === location.origin && !url.pathname.startsWith('//');
    return isSameSite ? url.pathname + url.search + url.hash : fallback;
  } catch {
    return fallback;
  }
}
