import type { BrowserContext } from '@playwright/test';

/** Records the labels of everything clicked, in order, on all pages of some contexts. */
export class ClickCounter {
  readonly labels: string[] = [];

  /**
   * Counts on pages the context opens from now on. Submitting a form with Enter counts as well, because browsers then
   * click its button.
   */
  async countClicksIn(context: BrowserContext): Promise<void> {
    await context.exposeBinding('countClick', (_source, label: string) => void this.labels.push(label));
    await context.addInitScript(() => {
      const bindings = globalThis as unknown as { countClick: (what: string) => void };
      const reportClick = ({ isTrusted, target }: MouseEvent) => {
        if (!isTrusted || !(target instanceof Element)) return;
        const control = target.closest<HTMLElement>('a, button');
        bindings.countClick(control?.innerText.trim() || control?.ariaLabel || target.tagName.toLowerCase());
      };
      // Not on `window`: Playwright intercepts clicks there to retry those on elements that became unstable.
      document.addEventListener('click', reportClick, { capture: true });
    });
  }
}
