import { computeTotals, type UploadItem, type UploadTotals } from './sending/upload-item';

/** What was dropped or chosen together. */
export interface UploadGroup {
  readonly id: number;
  readonly items: readonly UploadItem[];
  readonly totals: UploadTotals;
}

/** What needs a look first, then what moves, then what waits, last what has arrived. */
const attentionRank: Record<UploadItem['state'], number> = {
  error: 0,
  duplicate: 0,
  interrupted: 1,
  uploading: 2,
  paused: 3,
  pending: 3,
  completed: 4,
};

export const sortByAttention = (items: readonly UploadItem[]) =>
  items.toSorted((a, b) => attentionRank[a.state] - attentionRank[b.state]);

/** The files by the drop that they came with, in the order of what needs a look. */
export function groupUploads(items: readonly UploadItem[]): readonly UploadGroup[] {
  const byGroup = Map.groupBy(items, ({ groupId }) => groupId);
  const firstRank = (groupItems: readonly UploadItem[]) =>
    Math.min(...new Set(groupItems.map(({ state }) => attentionRank[state])));
  return [...byGroup]
    .map(([id, groupItems]) => ({
      id,
      items: groupItems,
      totals: computeTotals(groupItems),
      first: firstRank(groupItems),
    }))
    .sort((a, b) => a.first - b.first);
}

/** One line of the tray: a file, or all of a drop. */
export type UploadListRow =
  | { readonly key: string; readonly group: UploadGroup; readonly item?: undefined; readonly isOpen: boolean }
  | { readonly key: string; readonly item: UploadItem; readonly isInGroup: boolean };

/** A file that came alone is its own row; those of a drop are seen when it is opened. */
export function toRows(groups: readonly UploadGroup[], expandedIds: ReadonlySet<number>): readonly UploadListRow[] {
  return groups.flatMap((group): readonly UploadListRow[] => {
    const fileRows = sortByAttention(group.items).map((item) => ({
      key: String(item.id),
      item,
      isInGroup: group.items.length > 1,
    }));
    if (group.items.length === 1) return fileRows;
    const isOpen = expandedIds.has(group.id);
    return [{ key: `drop-${group.id}`, group, isOpen }, ...(isOpen ? fileRows : [])];
  });
}
