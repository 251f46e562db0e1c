import { totalsOf, type UploadItem, type UploadTotals } from './sending/upload-item';

/** What was dropped or chosen together. */
export interface Drop {
  readonly id: number;
  readonly items: readonly UploadItem[];
  readonly totals: UploadTotals;
}

/** What needs a look first, then what moves, then what waits, last what has arrived. */
const rank: Record<UploadItem['state'], number> = {
  error: 0,
  duplicate: 0,
  interrupted: 1,
  uploading: 2,
  paused: 3,
  pending: 3,
  completed: 4,
};

export const inOrder = (items: readonly UploadItem[]) => items.toSorted((a, b) => rank[a.state] - rank[b.state]);

/** The files by the drop that they came with, in the order of what needs a look. */
export function dropsOf(items: readonly UploadItem[]): readonly Drop[] {
  const byDrop = Map.groupBy(items, ({ drop }) => drop);
  const first = (of: readonly UploadItem[]) => Math.min(...new Set(of.map(({ state }) => rank[state])));
  return [...byDrop]
    .map(([id, of]) => ({ id, items: of, totals: totalsOf(of), first: first(of) }))
    .sort((a, b) => a.first - b.first);
}

/** One line of the tray: a file, or all of a drop. */
export type Row =
  | { readonly key: string; readonly drop: Drop; readonly item?: undefined; readonly isOpen: boolean }
  | { readonly key: string; readonly item: UploadItem; readonly isInside: boolean };

/** A file that came alone is its own row; those of a drop are seen when it is opened. */
export function rowsOf(drops: readonly Drop[], opened: ReadonlySet<number>): readonly Row[] {
  return drops.flatMap((drop): readonly Row[] => {
    const inside = inOrder(drop.items).map((item) => ({ key: String(item.id), item, isInside: drop.items.length > 1 }));
    if (drop.items.length === 1) return inside;
    const isOpen = opened.has(drop.id);
    return [{ key: `drop-${drop.id}`, drop, isOpen }, ...(isOpen ? inside : [])];
  });
}
