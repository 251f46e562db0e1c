/**
 * Reads and writes small choices of this browser (`zonary.<name>` in local storage). A browser that refuses storage is
 * treated as one that remembers nothing.
 */
export const browserStorage = {
  get(name: string): string | null {
    try {
      return localStorage.getItem(`zonary.${name}`);
    } catch {
      return null;
    }
  },
  set(name: string, value: string): void {
    try {
      localStorage.setItem(`zonary.${name}`, value);
    } catch {
      // Private windows may refuse; the choice then lasts until the page is closed.
    }
  },
  remove(name: string): void {
    try {
      localStorage.removeItem(`zonary.${name}`);
    } catch {
      // Nothing was stored, so nothing is left behind.
    }
  },
};
