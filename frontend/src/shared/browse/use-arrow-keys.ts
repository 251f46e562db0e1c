import { useCallback, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import type { ItemsHandle } from './virtual-items';

const attribute = 'data-item';

interface Options {
  count: number;
  /** The element that holds all items. */
  box: RefObject<HTMLElement | null>;
  items: RefObject<ItemsHandle | null>;
}

/**
 * Lets the arrow keys, Home and End move the focus among the items of a list or grid, of which Tab then finds one.
 * The element of an item that takes the focus gets `itemProps(index)`.
 */
export function useArrowKeys({ count, box, items }: Options) {
  const [chosen, setActive] = useState(0);
  const active = Math.min(chosen, Math.max(0, count - 1));
  const wanted = useRef<number | null>(null);

  const focus = useCallback(
    (index: number) => {
      setActive(index);
      const element = box.current?.querySelector<HTMLElement>(`[${attribute}="${index}"]`);
      wanted.current = element ? null : index;
      element?.focus();
      if (!element) items.current?.reveal(index);
    },
    [box, items],
  );

  const onKeyDown = useCallback(
    (event: KeyboardEvent) => {
      const at = (event.target as Element).closest(`[${attribute}]`)?.getAttribute(attribute);
      if (at == null || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const next = nextIndex(event.key, Number(at), count, items.current?.columns() ?? 1);
      if (next === null) return;
      event.preventDefault();
      focus(next);
    },
    [count, items, focus],
  );

  const itemProps = (index: number) => ({
    [attribute]: index,
    tabIndex: index === active ? 0 : -1,
    onFocus: () => setActive(index),
    // An item that was far from the screen takes the focus once it is there.
    ref: (element: HTMLElement | null) => {
      if (!element || wanted.current !== index) return;
      wanted.current = null;
      element.focus();
    },
  });

  return { active, itemProps, onKeyDown, focus };
}

/** The item that a key leads to, or null when the key means nothing here. */
export function nextIndex(key: string, at: number, count: number, columns: number): number | null {
  const last = count - 1;
  const moves: Record<string, number> = {
    ArrowDown: at + columns > last ? (Math.floor(at / columns) < Math.floor(last / columns) ? last : at) : at + columns,
    ArrowUp: at - columns < 0 ? at : at - columns,
    ArrowRight: columns > 1 ? Math.min(last, at + 1) : at,
    ArrowLeft: columns > 1 ? Math.max(0, at - 1) : at,
    Home: 0,
    End: last,
  };
  const next = moves[key];
  return next === undefined ? null : next;
}
