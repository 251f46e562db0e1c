import { useEffect, useRef, type RefObject } from 'react';

/**
 * Brings the item that an address asked for onto the screen when it comes into the list, and gives it the focus. What is
 * hidden takes none: a list that is there before the head of its zone has it as soon as it is shown.
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

/** Acts now, or once the element is not hidden any more; gives what stops the waiting. */
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
