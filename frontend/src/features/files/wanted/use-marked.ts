import { useEffect, useRef, type RefObject } from 'react';

/**
 * Brings the item that an address asked for onto the screen when it comes into the list, and gives it the focus. What is
 * hidden takes none: a list that is there before the head of its zone has it as soon as it is shown.
 */
export function useMarked(marked: number, focus: (index: number) => void, box: RefObject<HTMLElement | null>): void {
  const before = useRef(-1);
  useEffect(() => {
    if (marked < 0) before.current = -1;
    if (marked < 0 || before.current >= 0) return undefined;
    return whenShown(box.current, () => {
      before.current = marked;
      focus(marked);
    });
  }, [marked, focus, box]);
}

/** Acts now, or once the element is not hidden any more; gives what stops the waiting. */
function whenShown(element: HTMLElement | null, act: () => void): (() => void) | undefined {
  const isHidden = () => element?.checkVisibility?.() === false;
  if (!element || !isHidden()) return void act();
  const shown = new ResizeObserver(() => {
    if (isHidden()) return;
    shown.disconnect();
    act();
  });
  shown.observe(element);
  return () => shown.disconnect();
}
