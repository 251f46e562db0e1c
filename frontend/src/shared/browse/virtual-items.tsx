import Box from '@mui/material/Box';
import { defaultRangeExtractor, useWindowVirtualizer, type Range } from '@tanstack/react-virtual';
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  useSyncExternalStore,
  type Key,
  type ReactNode,
  type Ref,
} from 'react';

import type { ItemRange } from './blocks';

/** Above this number, only items near the viewport are rendered. */
export const VIRTUALISATION_THRESHOLD = 200;

/** The next page is fetched when this many items are left, so that it arrives before the user reaches the end. */
const NEAR_END_ITEMS = 300;

export interface VirtualItemsHandle {
  /** Scrolls to an item, so that it is rendered. */
  scrollToItem: (index: number) => void;
  getColumnCount: () => number;
  /** Number of items on a screen, at least one row. */
  getPageSize: () => number;
}

interface Props {
  count: number;
  /** Minimum width of a card in pixels; 0 makes full-width rows. */
  minWidth?: number;
  /** Between cards, in pixels. */
  gap?: number;
  /** Approximate height of an item in pixels. */
  itemHeight: number;
  getKey: (index: number) => Key;
  renderItem: (index: number) => ReactNode;
  /** An item that is always rendered, such as the focused one. */
  pinnedIndex?: number;
  /** Called when the end of a list of more than 200 items comes near the viewport. */
  onNearEnd?: () => void;
  /** Called with the items on the screen, at first and when they change. Must keep its identity. */
  onRangeChange?: (range: ItemRange) => void;
  ref?: Ref<VirtualItemsHandle>;
}

/** Any number of cards or rows: short lists are rendered completely, long ones virtualised. */
export function VirtualItems(props: Props) {
  return props.count > VIRTUALISATION_THRESHOLD ? <VirtualisedItems {...props} /> : <RenderedItems {...props} />;
}

function RenderedItems({ count, minWidth = 0, gap = 0, itemHeight, getKey, renderItem, onRangeChange, ref }: Props) {
  const containerRef = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => {
    const getColumnCount = () => countColumns(containerRef.current);
    return {
      scrollToItem: () => undefined,
      getColumnCount,
      getPageSize: () => getColumnCount() * rowsOnScreen(itemHeight + gap),
    };
  }, [itemHeight, gap]);
  useEffect(() => onRangeChange?.({ first: 0, last: Math.max(0, count - 1) }), [onRangeChange, count]);
  const columns = minWidth === 0 ? 'minmax(0, 1fr)' : `repeat(auto-fill, minmax(min(${minWidth}px, 100%), 1fr))`;
  return (
    <Box ref={containerRef} role="presentation" sx={{ display: 'grid', gap: `${gap}px`, gridTemplateColumns: columns }}>
      {Array.from({ length: count }, (_, index) => (
        <Box key={getKey(index)} role="presentation" sx={{ minWidth: 0 }}>
          {renderItem(index)}
        </Box>
      ))}
    </Box>
  );
}

/** One row less than fit on the screen, so that the last one stays visible on the next screen. */
const rowsOnScreen = (rowHeight: number) => Math.max(1, Math.floor(window.innerHeight / rowHeight) - 1);

/** Items in the first row of the grid. */
function countColumns(container: HTMLElement | null): number {
  const items = [...(container?.children ?? [])] as HTMLElement[];
  return Math.max(1, items.filter((item) => item.offsetTop === items[0]?.offsetTop).length);
}

function VirtualisedItems({
  count,
  minWidth = 0,
  gap = 0,
  itemHeight,
  getKey,
  renderItem,
  pinnedIndex,
  onNearEnd,
  onRangeChange,
  ref,
}: Props) {
  const [container, setContainer] = useState<HTMLElement | null>(null);
  const columns = useColumnCount(container, minWidth, gap);
  const rowCount = Math.ceil(count / columns);
  const pinnedRow = pinnedIndex === undefined ? null : Math.floor(pinnedIndex / columns);
  const virtualizer = useWindowVirtualizer({
    count: rowCount,
    estimateSize: () => itemHeight,
    gap,
    overscan: 8,
    scrollMargin: useOffsetTop(container),
    getItemKey: (line) => getKey(line * columns),
    rangeExtractor: useCallback((range: Range) => includeRow(range, pinnedRow), [pinnedRow]),
  });
  useImperativeHandle(
    ref,
    () => ({
      scrollToItem: (index) => virtualizer.scrollToIndex(Math.floor(index / columns)),
      getColumnCount: () => columns,
      getPageSize: () => columns * rowsOnScreen(itemHeight + gap),
    }),
    [virtualizer, columns, itemHeight, gap],
  );
  const firstRow = virtualizer.range?.startIndex ?? 0;
  const lastRow = virtualizer.range?.endIndex ?? 0;
  useEffect(
    () => onRangeChange?.({ first: firstRow * columns, last: (lastRow + 1) * columns - 1, pinned: pinnedIndex }),
    [onRangeChange, firstRow, lastRow, columns, pinnedIndex],
  );
  const isNearEnd = (virtualizer.range?.endIndex ?? 0) >= rowCount - Math.ceil(NEAR_END_ITEMS / columns);
  useEffect(() => {
    if (isNearEnd) onNearEnd?.();
  }, [isNearEnd, onNearEnd]);
  return (
    <Box
      ref={setContainer}
      role="presentation"
      sx={{ position: 'relative' }}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ key, index: row, start }) => (
        <Box
          key={key}
          ref={virtualizer.measureElement}
          data-index={row}
          role="presentation"
          sx={{
            position: 'absolute',
            inset: '0 0 auto',
            display: 'grid',
            gap: `${gap}px`,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          }}
          style={{ transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
        >
          {Array.from({ length: Math.min(columns, count - row * columns) }, (_, column) => (
            <Box key={getKey(row * columns + column)} role="presentation" sx={{ minWidth: 0 }}>
              {renderItem(row * columns + column)}
            </Box>
          ))}
        </Box>
      ))}
    </Box>
  );
}

function includeRow(range: Range, row: number | null): number[] {
  const rows = defaultRangeExtractor(range);
  if (row === null || row >= range.count || rows.includes(row)) return rows;
  return [...rows, row].sort((a, b) => a - b);
}

/** How many cards of the minimum width fit side by side. */
function useColumnCount(container: HTMLElement | null, minWidth: number, gap: number): number {
  const width = useElementMeasure(container, (element) => element.clientWidth);
  return minWidth === 0 ? 1 : Math.max(1, Math.floor((width + gap) / (minWidth + gap)));
}

/** Distance from the top of the page to the container, in pixels. */
function useOffsetTop(container: HTMLElement | null): number {
  return useElementMeasure(container, (element) => Math.round(element.getBoundingClientRect().top + window.scrollY));
}

/** A measurement of the container, repeated when the page is resized. */
function useElementMeasure(container: HTMLElement | null, measure: (element: HTMLElement) => number): number {
  const subscribe = useCallback(
    (listener: () => void) => {
      const observer = new ResizeObserver(listener);
      for (const element of [container, document.body]) if (element) observer.observe(element);
      return () => observer.disconnect();
    },
    [container],
  );
  return useSyncExternalStore(subscribe, () => (container ? measure(container) : 0));
}
