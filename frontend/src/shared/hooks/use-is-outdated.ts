import { useEffect, useState } from 'react';

/** A page without prerendered content, which refers to the entry script of the server's build. */
const SHELL_PATH = '/forgot-password';
const ENTRY_SCRIPT = /<script type="module"[^>]* src="([^"]+)"/;

/**
 * Whether the server has another build of the page than this tab, so that reloading helps: parts of the former build are
 * gone. The name of the entry script contains a digest of the whole build. Asked once.
 */
export function useIsOutdated(): boolean {
  const [isOutdated, setIsOutdated] = useState(false);
  useEffect(() => {
    void findServerEntry().then((entry) => setIsOutdated(entry !== null && entry !== ownEntry()));
  }, []);
  return isOutdated;
}

const ownEntry = () => document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null;

/** @returns null if the server can't be reached, or answers with something else */
async function findServerEntry(): Promise<string | null> {
  if (ownEntry() === null) return null;
  try {
    const response = await fetch(SHELL_PATH, { credentials: 'omit' });
    return response.ok ? (ENTRY_SCRIPT.exec(await response.text())?.[1] ?? null) : null;
  } catch {
    return null;
  }
}
