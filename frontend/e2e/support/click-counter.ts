import type { BrowserContext } from '@playwright/test';

/** What people have clicked, in the order of it: what each said that was clicked, in all pages of some contexts. */
export class ClickCounter {
  readonly labels: string[] = [];

  /** Counts in the pages that the context opens from now on. A form sent by Enter counts as well: browsers click its button. */
  async countClicksIn(context: BrowserContext): Promise<void> {
    await context.exposeBinding('countClick', (_source, label: string) => void this.labels.push(label));
    await context.addInitScript(() => {
      const bindings = globalThis as unknown as { countClick: (what: string) => void };
      const reportClick = ({ isTrusted, target }: MouseEvent) => {
        if (!isTrusted || !(target instanceof Element)) return;
        const control = target.closest<HTMLElement>('a, button');
        bindings.countClick(control?.innerText.trim() || control?.ariaLabel || target.tagName.toLowerCase());
      };
      // Not at the window: there Playwright takes back a click on what has come alive since it looked, and clicks again.
      document.addEventListener('click', reportClick, { capture: true });
    });
  }
}
