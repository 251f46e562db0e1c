import { useCallback, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import type { VirtualItemsHandle } from './virtual-items';

const ITEM_ATTRIBUTE = 'data-item';

interface Options {
  count: number;
  /** The element that contains all items. */
  containerRef: RefObject<HTMLElement | null>;
  itemsRef: RefObject<VirtualItemsHandle | null>;
}

/**
 * Moves the focus between the items of a list or grid with the arrow keys, Home and End. Tab stops at one item only.
 * Spread `itemProps(index)` on the focusable element of each item.
 */
export function useArrowKeyNavigation({ count, containerRef, itemsRef }: Options) {
  const [storedIndex, setActiveIndex] = useState(0);
  const activeIndex = Math.min(storedIndex, Math.max(0, count - 1));
  const pendingFocusRef = useRef<number | null>(null);

  const focusItem = useCallback(
    (index: number) => {
      setActiveIndex(index);
      const element = containerRef.current?.querySelector<HTMLElement>(`[${ITEM_ATTRIBUTE}="${index}"]`);
      pendingFocusRef.current = element ? null : index;
      element?.focus();
      if (!element) itemsRef.current?.scrollToItem(index);
    },
    [containerRef, itemsRef],
  );

  const onKeyDown = useCallback(
    (event: KeyboardEvent) => {
      const currentIndex = (event.target as Element).closest(`[${ITEM_ATTRIBUTE}]`)?.getAttribute(ITEM_ATTRIBUTE);
      if (currentIndex == null || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const next = nextIndex(event.key, Number(currentIndex), count, itemsRef.current?.getColumnCount() ?? 1);
      if (next === null) return;
      event.preventDefault();
      focusItem(next);
    },
    [count, itemsRef, focusItem],
  );

  const itemProps = (index: number) => ({
    [ITEM_ATTRIBUTE]: index,
    tabIndex: index === activeIndex ? 0 : -1,
    onFocus: () => setActiveIndex(index),
    // An item that was off screen receives the focus once it is mounted.
    ref: (element: HTMLElement | null) => {
      if (!element || pendingFocusRef.current !== index) return;
      pendingFocusRef.current = null;
      element.focus();
    },
  });

  return { activeIndex, itemProps, onKeyDown, focusItem };
}

/** Returns the index a key moves to, or null if the key does nothing here. */
export function nextIndex(key: string, index: number, count: number, columns: number): number | null {
  const last = count - 1;
  const targets: Record<string, number> = {
    ArrowDown:
      index + columns > last
        ? Math.floor(index / columns) < Math.floor(last / columns)
          ? last
          : index
        : index + columns,
    ArrowUp: index - columns < 0 ? index : index - columns,
    ArrowRight: columns > 1 ? Math.min(last, index + 1) : index,
    ArrowLeft: columns > 1 ? Math.max(0, index - 1) : index,
    Home: 0,
    End: last,
  };
  const next = targets[key];
  return next === undefined ? null : next;
}
