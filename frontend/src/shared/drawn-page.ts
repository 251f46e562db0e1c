/**
 * The document may come with a page drawn in it (app/page-renderers.tsx), which public/drawn-start.js brings to life when
 * something of it is used. What was done with it until then is carried over to the living one.
 */

const startWith = 'data-start-with';
const focusable = 'a, button, select, summary, input, textarea';

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

/** Resolves when nothing of the drawn page is pressed, and the click that comes of it has been heard. */
export async function whenNothingIsPressed(): Promise<void> {
  const root = document.documentElement;
  if (!root.hasAttribute('data-pressed')) return;
  await new Promise<void>((resolve) => {
    const released = new MutationObserver(() => {
      if (root.hasAttribute('data-pressed')) return;
      released.disconnect();
      setTimeout(resolve);
    });
    released.observe(root, { attributeFilter: ['data-pressed'] });
  });
}

/**
 * Notes what has the focus, which questions are open and what was chosen and written; gives what restores them in the
 * page that took its place, and sends the form there that was sent meanwhile.
 */
export function carryOver(root: HTMLElement): () => void {
  const active = [...root.querySelectorAll(focusable)].indexOf(document.activeElement as Element);
  const open = [...root.querySelectorAll('details')].map((one) => one.open);
  const chosen = selectsOf(root).map(chosenIn);
  const written = fieldsOf(root).map(writtenIn);
  return () => {
    fieldsOf(root).forEach((one, at) => write(one, written[at] ?? null));
    root.querySelectorAll<HTMLElement>(focusable)[active]?.focus({ preventScroll: true });
    root.querySelectorAll('details').forEach((one, at) => (one.open = open[at] ?? false));
    selectsOf(root).forEach((one, at) => choose(one, chosen[at] ?? null));
    if (startsWith('submit')) root.querySelector('form')?.requestSubmit();
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

const fieldsOf = (root: HTMLElement) => [...root.querySelectorAll('input')];

/** What somebody wrote or ticked; null while it is as it was drawn. */
function writtenIn(field: HTMLInputElement): string | boolean | null {
  if (field.type === 'checkbox') return field.checked === field.defaultChecked ? null : field.checked;
  return field.value === field.defaultValue ? null : field.value;
}

function write(field: HTMLInputElement, written: string | boolean | null): void {
  if (typeof written === 'boolean') {
    if (field.checked !== written) field.click();
  } else if (written !== null) {
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!;
    // The program keeps what the field has by itself; only what comes past it is news to it.
    set!.call(field, written);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
