import {
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import type { VirtualItemsHandle } from './virtual-items';

const ITEM_ATTRIBUTE = 'data-item';

interface Options {
  count: number;
  /** The element that contains all items. */
  containerRef: RefObject<HTMLElement | null>;
  itemsRef: RefObject<VirtualItemsHandle | null>;
}

/**
 * Moves the focus between the items of a list or grid with the arrow keys, Page Up, Page Down, Home and End. Tab stops at
 * one item only. Spread `itemProps(index, index === activeIndex)` on the focusable element of each item.
 */
export function useArrowKeyNavigation({ count, containerRef, itemsRef }: Options) {
  const [storedIndex, setActiveIndex] = useState(0);
  const activeIndex = Math.min(storedIndex, Math.max(0, count - 1));
  const pendingFocusRef = useRef<number | null>(null);
  const lostFocusRef = useRef<number | null>(null);

  const focusItem = useCallback(
    (index: number) => {
      setActiveIndex(index);
      const element = findItem(containerRef.current, index);
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
      const columns = itemsRef.current?.getColumnCount() ?? 1;
      const next = nextIndex(event.key, Number(currentIndex), count, columns, itemsRef.current?.getPageSize());
      if (next === null) return;
      event.preventDefault();
      focusItem(next);
    },
    [count, itemsRef, focusItem],
  );

  const onFocus = useCallback((event: FocusEvent<HTMLElement>) => {
    pendingFocusRef.current = null;
    lostFocusRef.current = null;
    setActiveIndex(indexOf(event.currentTarget));
  }, []);
  // An item that was off screen receives the focus once it is mounted.
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    if (pendingFocusRef.current === indexOf(element)) element.focus();
    return () => {
      if (document.activeElement === element) lostFocusRef.current = indexOf(element);
    };
  }, []);
  // When the focused item is replaced by the loaded one, or has left the list, the item in its place receives the focus.
  useLayoutEffect(() => {
    if (lostFocusRef.current === null) return;
    if (document.activeElement !== document.body) lostFocusRef.current = null;
    else findItem(containerRef.current, Math.min(lostFocusRef.current, count - 1))?.focus();
  });
  const itemProps = useCallback(
    (index: number, isActive: boolean) => ({ [ITEM_ATTRIBUTE]: index, tabIndex: isActive ? 0 : -1, onFocus, ref }),
    [onFocus, ref],
  );

  return { activeIndex, itemProps, onKeyDown, focusItem };
}

/** Returns the props of the focusable element of an item; keeps its identity. */
export type GetItemProps = ReturnType<typeof useArrowKeyNavigation>['itemProps'];

const findItem = (container: HTMLElement | null, index: number) =>
  container?.querySelector<HTMLElement>(`[${ITEM_ATTRIBUTE}="${index}"]`) ?? null;

const indexOf = (element: HTMLElement) => Number(element.getAttribute(ITEM_ATTRIBUTE));

/**
 * Returns the index a key moves to, or null if the key does nothing here.
 * @param pageSize items on a screen
 */
export function nextIndex(
  key: string,
  index: number,
  count: number,
  columns: number,
  pageSize = columns,
): number | null {
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
    // Stays in the column.
    PageUp: Math.max(index % columns, index - pageSize),
    PageDown: index + pageSize > last ? last : index + pageSize,
    Home: 0,
    End: last,
  };
  const next = targets[key];
  return next === undefined ? null : next;
}
