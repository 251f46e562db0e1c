/**
 * The HTML document may contain a prerendered page (`app/page-renderers.tsx`). `vite/start-app.js` loads the app on
 * the first interaction with it. The functions here carry the state of the prerendered page over to the hydrated one.
 */

/** Its presence means that `start-app.js` handles interactions. */
const ENTRY = 'data-entry';
const START_REASON = 'data-start-with';
/** Index of the button or link that was last clicked before the app started. */
const CLICKED = 'data-clicked';
const FOCUSABLE = 'a, button, select, summary, input, textarea';

/** Whether this interaction started the app. Returns true only once. */
export function consumeStartReason(reason: string): boolean {
  const root = document.documentElement;
  if (root.getAttribute?.(START_REASON) !== reason) return false;
  root.removeAttribute(START_REASON);
  return true;
}

/** Waits until no select of the prerendered page has the focus: replacing the page would close its open list. */
export async function waitForSelectToClose(): Promise<void> {
  const active = document.activeElement;
  if (!(active instanceof HTMLSelectElement) || getChangedOption(active) !== null) return;
  await new Promise<void>((resolve) => {
    active.addEventListener('change', () => resolve(), { once: true });
    active.addEventListener('blur', () => resolve(), { once: true });
  });
}

/** Waits until no pointer is pressed and the resulting click has been handled: replacing the page would lose it. */
export async function waitForPointerRelease(): Promise<void> {
  const root = document.documentElement;
  if (!root.hasAttribute('data-pressed')) return;
  await new Promise<void>((resolve) => {
    const observer = new MutationObserver(() => {
      if (root.hasAttribute('data-pressed')) return;
      observer.disconnect();
      setTimeout(resolve);
    });
    observer.observe(root, { attributeFilter: ['data-pressed'] });
  });
}

/**
 * Captures the focus, open `details` elements and form input of the prerendered page, which is about to be replaced.
 * @returns a function that restores them in the hydrated page and repeats a click or form submission that came before
 */
export function captureFormState(root: HTMLElement): () => void {
  document.documentElement.removeAttribute(ENTRY);
  const focusIndex = [...root.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement as Element);
  const openStates = [...root.querySelectorAll('details')].map(({ open }) => open);
  const options = listSelects(root).map(getChangedOption);
  const values = listInputs(root).map(getChangedValue);
  const clickedName = consumeClickedName(root);
  return () => {
    listInputs(root).forEach((input, index) => setValue(input, values[index] ?? null));
    root.querySelectorAll<HTMLElement>(FOCUSABLE)[focusIndex]?.focus({ preventScroll: true });
    root.querySelectorAll('details').forEach((details, index) => (details.open = openStates[index] ?? false));
    listSelects(root).forEach((select, index) => setOption(select, options[index] ?? null));
    if (consumeStartReason('submit')) root.querySelector('form')?.requestSubmit();
    // By name: the page may have other buttons by now, such as for a user who is signed in.
    if (clickedName !== null)
      listClickables(root)
        .find((element) => nameOf(element) === clickedName)
        ?.click();
  };
}

/** Returns the name of the button or link that was clicked before the app started; null if there is none. Only once. */
function consumeClickedName(root: HTMLElement): string | null {
  const index = document.documentElement.getAttribute(CLICKED);
  document.documentElement.removeAttribute(CLICKED);
  const element = index === null ? undefined : listClickables(root)[Number(index)];
  return element ? nameOf(element) : null;
}

const listClickables = (root: HTMLElement) => [...root.querySelectorAll<HTMLElement>('button, a')];

const nameOf = (element: HTMLElement): string => element.getAttribute('aria-label') ?? element.textContent;

const listSelects = (root: HTMLElement) => [...root.querySelectorAll('select')];

/** The option the user chose; null if it is still the prerendered one. */
const getChangedOption = (select: HTMLSelectElement): string | null =>
  select.options[select.selectedIndex]?.defaultSelected ? null : select.value;

function setOption(select: HTMLSelectElement, value: string | null): void {
  if (value === null || value === select.value) return;
  select.value = value;
  select.dispatchEvent(new Event('change', { bubbles: true }));
}

const listInputs = (root: HTMLElement) => [...root.querySelectorAll('input')];

/** The text the user typed or the state of a checkbox; null if it is still the prerendered one. */
function getChangedValue(input: HTMLInputElement): string | boolean | null {
  if (input.type === 'checkbox') return input.checked === input.defaultChecked ? null : input.checked;
  return input.value === input.defaultValue ? null : input.value;
}

function setValue(input: HTMLInputElement, value: string | boolean | null): void {
  if (typeof value === 'boolean') {
    if (input.checked !== value) input.click();
  } else if (value !== null) {
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!;
    // React overrides the element's own setter and ignores changes made through it, so this calls the prototype's.
    set!.call(input, value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
