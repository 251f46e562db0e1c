import type { BrowserContext } from '@playwright/test';

/** What people have clicked, in the order of it: what each said that was clicked, in all pages of some contexts. */
export class Clicks {
  readonly all: string[] = [];

  /** Counts in the pages that the context opens from now on. A form sent by Enter counts as well: browsers click its button. */
  async countIn(context: BrowserContext): Promise<void> {
    await context.exposeBinding('countClick', (_source, what: string) => void this.all.push(what));
    await context.addInitScript(() => {
      const told = globalThis as unknown as { countClick: (what: string) => void };
      const tell = ({ isTrusted, target }: MouseEvent) => {
        if (!isTrusted || !(target instanceof Element)) return;
        const named = target.closest<HTMLElement>('a, button');
        told.countClick(named?.innerText.trim() || named?.ariaLabel || target.tagName.toLowerCase());
      };
      // Not at the window: there Playwright takes back a click on what has come alive since it looked, and clicks again.
      document.addEventListener('click', tell, { capture: true });
    });
  }
}
