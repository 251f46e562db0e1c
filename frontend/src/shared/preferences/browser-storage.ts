/** Stores small choices in local storage under `zonary.<name>`. Acts as empty in browsers that refuse storage. */
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
      // Private windows may refuse storage; the choice then lasts until the page is closed.
    }
  },
  remove(name: string): void {
    try {
      localStorage.removeItem(`zonary.${name}`);
    } catch {
      // Nothing was stored, so there is nothing to remove.
    }
  },
};
