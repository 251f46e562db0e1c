import { useEffect, useRef } from 'react';

/** Brings the item that an address asked for onto the screen when it comes into the list, and gives it the focus. */
export function useMarked(marked: number, focus: (index: number) => void): void {
  const before = useRef(-1);
  useEffect(() => {
    if (marked >= 0 && before.current < 0) focus(marked);
    before.current = marked;
  }, [marked, focus]);
}
