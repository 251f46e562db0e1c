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

/** Above this number only the items near the screen are in the page. */
export const virtualAbove = 200;

/** So many items before the last one, more are asked for: they are there before one gets to the end. */
const aheadOfEnd = 300;

export interface ItemsHandle {
  /** Brings an item onto the screen, so that it is in the page. */
  reveal: (index: number) => void;
  /** How many items stand side by side now. */
  columns: () => number;
}

interface Props {
  count: number;
  /** Least width of a card in pixels; 0 makes rows of the full width. */
  minWidth?: number;
  /** Between cards, in pixels. */
  gap?: number;
  /** Height of an item in pixels, about. */
  height: number;
  keyOf: (index: number) => Key;
  renderItem: (index: number) => ReactNode;
  /** An item that stays in the page wherever the screen is, such as the one with the focus. */
  keep?: number;
  /** Told when the last of more than 200 items comes near the screen. */
  onNearEnd?: () => void;
  ref?: Ref<ItemsHandle>;
}

/** Cards or rows in any number: few are all in the page, of many only those near the screen. */
export function VirtualItems(props: Props) {
  return props.count > virtualAbove ? <NearItems {...props} /> : <AllItems {...props} />;
}

function AllItems({ count, minWidth = 0, gap = 0, keyOf, renderItem, ref }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => ({ reveal: () => undefined, columns: () => columnsIn(box.current) }), []);
  const columns = minWidth === 0 ? 'minmax(0, 1fr)' : `repeat(auto-fill, minmax(min(${minWidth}px, 100%), 1fr))`;
  return (
    <Box ref={box} role="presentation" sx={{ display: 'grid', gap: `${gap}px`, gridTemplateColumns: columns }}>
      {Array.from({ length: count }, (_, index) => (
        <Box key={keyOf(index)} role="presentation" sx={{ minWidth: 0 }}>
          {renderItem(index)}
        </Box>
      ))}
    </Box>
  );
}

/** Items in the first line of the grid. */
function columnsIn(box: HTMLElement | null): number {
  const items = [...(box?.children ?? [])] as HTMLElement[];
  return Math.max(1, items.filter((item) => item.offsetTop === items[0]?.offsetTop).length);
}

function NearItems({ count, minWidth = 0, gap = 0, height, keyOf, renderItem, keep, onNearEnd, ref }: Props) {
  const [box, setBox] = useState<HTMLElement | null>(null);
  const columns = useColumns(box, minWidth, gap);
  const lines = Math.ceil(count / columns);
  const keptLine = keep === undefined ? null : Math.floor(keep / columns);
  const virtual = useWindowVirtualizer({
    count: lines,
    estimateSize: () => height,
    gap,
    overscan: 8,
    scrollMargin: useTop(box),
    getItemKey: (line) => keyOf(line * columns),
    rangeExtractor: useCallback((range: Range) => withLine(range, keptLine), [keptLine]),
  });
  useImperativeHandle(
    ref,
    () => ({ reveal: (index) => virtual.scrollToIndex(Math.floor(index / columns)), columns: () => columns }),
    [virtual, columns],
  );
  const nearEnd = (virtual.range?.endIndex ?? 0) >= lines - Math.ceil(aheadOfEnd / columns);
  useEffect(() => {
    if (nearEnd) onNearEnd?.();
  }, [nearEnd, onNearEnd]);
  return (
    <Box ref={setBox} role="presentation" sx={{ position: 'relative' }} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ key, index: line, start }) => (
        <Box
          key={key}
          ref={virtual.measureElement}
          data-index={line}
          role="presentation"
          sx={{
            position: 'absolute',
            inset: '0 0 auto',
            display: 'grid',
            gap: `${gap}px`,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          }}
          style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
        >
          {Array.from({ length: Math.min(columns, count - line * columns) }, (_, at) => (
            <Box key={keyOf(line * columns + at)} role="presentation" sx={{ minWidth: 0 }}>
              {renderItem(line * columns + at)}
            </Box>
          ))}
        </Box>
      ))}
    </Box>
  );
}

function withLine(range: Range, line: number | null): number[] {
  const lines = defaultRangeExtractor(range);
  if (line === null || line >= range.count || lines.includes(line)) return lines;
  return [...lines, line].sort((a, b) => a - b);
}

/** How many cards of the least width stand side by side in the box. */
function useColumns(box: HTMLElement | null, minWidth: number, gap: number): number {
  const width = useMeasure(box, (element) => element.clientWidth);
  return minWidth === 0 ? 1 : Math.max(1, Math.floor((width + gap) / (minWidth + gap)));
}

/** Where the box begins, measured from the top of the page. */
function useTop(box: HTMLElement | null): number {
  return useMeasure(box, (element) => Math.round(element.getBoundingClientRect().top + window.scrollY));
}

/** A measure of the box, taken again when the page changes its size. */
function useMeasure(box: HTMLElement | null, measure: (element: HTMLElement) => number): number {
  const subscribe = useCallback(
    (listener: () => void) => {
      const observer = new ResizeObserver(listener);
      for (const element of [box, document.body]) if (element) observer.observe(element);
      return () => observer.disconnect();
    },
    [box],
  );
  return useSyncExternalStore(subscribe, () => (box ? measure(box) : 0));
}
