/**
 * The document may come with a page drawn in it (vite/prerender.ts), which public/landing-start.js brings to life when
 * something of it is used. What was done with it until then is carried over to the living one.
 */

const startWith = 'data-start-with';
const focusable = 'a, button, select, summary';

/** Whether the page was brought to life by the use of this; true once. */
export function startsWith(what: string): boolean {
  const root = document.documentElement;
  if (root.getAttribute?.(startWith) !== what) return false;
  root.removeAttribute(startWith);
  return true;
}

/** Resolves when nobody is choosing from a list of the drawn page: what is open would close with it. */
export async function whenNothingIsChosen(): Promise<void> {
  const active = document.activeElement;
  if (!(active instanceof HTMLSelectElement) || chosenIn(active) !== null) return;
  await new Promise<void>((resolve) => {
    active.addEventListener('change', () => resolve(), { once: true });
    active.addEventListener('blur', () => resolve(), { once: true });
  });
}

/**
 * Notes what has the focus, which questions are open and what was chosen; gives what restores them in the page that took
 * its place.
 */
export function carryOver(root: HTMLElement): () => void {
  const active = [...root.querySelectorAll(focusable)].indexOf(document.activeElement as Element);
  const open = [...root.querySelectorAll('details')].map((one) => one.open);
  const chosen = selectsOf(root).map(chosenIn);
  return () => {
    root.querySelectorAll<HTMLElement>(focusable)[active]?.focus({ preventScroll: true });
    root.querySelectorAll('details').forEach((one, at) => (one.open = open[at] ?? false));
    selectsOf(root).forEach((one, at) => choose(one, chosen[at] ?? null));
  };
}

/** What somebody chose; null while it is as it was drawn. */
const chosenIn = (select: HTMLSelectElement): string | null =>
  select.options[select.selectedIndex]?.defaultSelected ? null : select.value;

const selectsOf = (root: HTMLElement) => [...root.querySelectorAll('select')];

function choose(select: HTMLSelectElement, value: string | null): void {
  if (value === null || value === select.value) return;
  select.value = value;
  select.dispatchEvent(new Event('change', { bubbles: true }));
}
