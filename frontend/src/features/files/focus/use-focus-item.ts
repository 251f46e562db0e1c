import { useEffect, useRef, type RefObject } from 'react';

/**
 * Scrolls to the item requested by the URL and focuses it once it is in the list. Hidden elements can't take focus: if
 * the list is rendered before the header of its zone, it is focused as soon as it becomes visible.
 */
export function useFocusItem(index: number, focus: (index: number) => void, box: RefObject<HTMLElement | null>): void {
  const focusedIndexRef = useRef(-1);
  useEffect(() => {
    if (index < 0) focusedIndexRef.current = -1;
    if (index < 0 || focusedIndexRef.current >= 0) return undefined;
    return runWhenVisible(box.current, () => {
      focusedIndexRef.current = index;
      focus(index);
    });
  }, [index, focus, box]);
}

/** Runs the callback now, or once the element is visible. Returns a function that stops waiting. */
function runWhenVisible(element: HTMLElement | null, callback: () => void): (() => void) | undefined {
  const isHidden = () => element?.checkVisibility?.() === false;
  if (!element || !isHidden()) return void callback();
  const observer = new ResizeObserver(() => {
    if (isHidden()) return;
    observer.disconnect();
    callback();
  });
  observer.observe(element);
  return () => observer.disconnect();
}
