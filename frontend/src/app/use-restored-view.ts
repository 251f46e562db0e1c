import { useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** Where a page was left. */
interface View {
  scrollY: number;
  /** The link that had the focus. */
  href: string | null;
}

/** By history entry. */
const views = new Map<string, View>();

/** What can't be restored by then no longer exists. */
const RESTORE_TIMEOUT_MS = 10_000;
const userEvents = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * After Back and Forward, scrolls to where the page was left and focuses the link that was followed there, as soon as
 * both are loaded. React Router scrolls only once, which is too early for a list that has to be requested again.
 */
export function useRestoredView(): void {
  const { key } = useLocation();
  const isReturning = useNavigationType() === 'POP';
  // A layout effect, because scroll events that the new content causes must not be recorded for the previous page.
  useLayoutEffect(() => {
    let stopRecording: (() => void) | undefined;
    const record = () => {
      stopRecording = recordView(key);
    };
    const view = isReturning ? views.get(key) : undefined;
    const stopRestoring = view && restoreView(view, record);
    if (!view) record();
    return () => {
      stopRestoring?.();
      stopRecording?.();
    };
  }, [key, isReturning]);
}

/** Keeps the view of a page up to date. Returns a function that stops it. */
function recordView(key: string): () => void {
  const view: View = { scrollY: window.scrollY, href: hrefOf(document.activeElement) };
  views.set(key, view);
  const recordScroll = () => {
    view.scrollY = window.scrollY;
  };
  const recordFocus = ({ target }: FocusEvent) => {
    view.href = hrefOf(target as Element);
  };
  window.addEventListener('scroll', recordScroll, { passive: true });
  document.addEventListener('focusin', recordFocus);
  return () => {
    window.removeEventListener('scroll', recordScroll);
    document.removeEventListener('focusin', recordFocus);
  };
}

/** Links around the page, such as those of the sidebar, aren't part of its view. */
const LINKS = '#main a[href]';

const hrefOf = (element: Element | null) => element?.closest(LINKS)?.getAttribute('href') ?? null;

const findLink = (href: string) =>
  [...document.querySelectorAll<HTMLElement>(LINKS)].find((link) => hrefOf(link) === href);

/**
 * Restores a view, unless the user does something first.
 * @param onEnd called when it is restored or given up
 * @returns a function that stops it
 */
function restoreView({ scrollY, href }: View, onEnd: () => void): () => void {
  let isScrolled = false;
  let isFocused = href === null;
  const restore = () => {
    const maxScrollY = Math.max(0, document.documentElement.scrollHeight - window.innerHeight);
    if (!isScrolled && maxScrollY >= scrollY) {
      isScrolled = true;
      window.scrollTo(0, scrollY);
    }
    const link = isFocused || href === null ? undefined : findLink(href);
    if (link) {
      isFocused = true;
      if (!hasFocusInPage()) link.focus({ preventScroll: true });
    }
    if (isScrolled && isFocused) end();
  };
  const observer = new MutationObserver(restore);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const name of userEvents) window.removeEventListener(name, end, { capture: true });
  };
  const end = () => {
    stop();
    onEnd();
  };
  const timer = setTimeout(end, RESTORE_TIMEOUT_MS);
  for (const name of userEvents) window.addEventListener(name, end, { capture: true, passive: true });
  // Virtual lists set their height as a style.
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['style'] });
  restore();
  return stop;
}

function hasFocusInPage(): boolean {
  const main = document.getElementById('main');
  return document.activeElement !== main && main?.contains(document.activeElement) === true;
}
