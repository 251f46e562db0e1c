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

/** Notes what has the focus and which questions are open; gives what restores both in the page that took its place. */
export function carryOver(root: HTMLElement): () => void {
  const active = [...root.querySelectorAll(focusable)].indexOf(document.activeElement as Element);
  const open = [...root.querySelectorAll('details')].map((one) => one.open);
  return () => {
    root.querySelectorAll<HTMLElement>(focusable)[active]?.focus({ preventScroll: true });
    root.querySelectorAll('details').forEach((one, at) => (one.open = open[at] ?? false));
  };
}
