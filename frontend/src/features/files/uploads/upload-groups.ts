import { computeTotals, type UploadItem, type UploadTotals } from './sending/upload-item';

/** Files that were dropped or chosen together. */
export interface UploadGroup {
  readonly id: number;
  /** The name of the folder that contains them all, if it is uploaded as a whole. */
  readonly folderName?: string | undefined;
  readonly items: readonly UploadItem[];
  readonly totals: UploadTotals;
}

/** Items that need attention come first, then active ones, then waiting ones, and completed ones last. */
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

/** Groups the items, those that need attention first. */
export function groupUploads(items: readonly UploadItem[]): readonly UploadGroup[] {
  const byGroup = Map.groupBy(items, ({ groupId }) => groupId);
  const firstRank = (groupItems: readonly UploadItem[]) =>
    Math.min(...new Set(groupItems.map(({ state }) => attentionRank[state])));
  return [...byGroup]
    .map(([id, groupItems]) => ({
      id,
      folderName: groupItems[0]!.isFolder ? undefined : groupItems[0]!.folder?.name,
      items: groupItems,
      totals: computeTotals(groupItems),
      first: firstRank(groupItems),
    }))
    .sort((a, b) => a.first - b.first);
}

/** A row of the tray: one file, or a group. */
export type UploadListRow =
  | { readonly key: string; readonly group: UploadGroup; readonly item?: undefined; readonly isOpen: boolean }
  | { readonly key: string; readonly item: UploadItem; readonly isInGroup: boolean };

const isGroupShown = ({ items, folderName }: UploadGroup) => items.length > 1 || folderName !== undefined;

/** A single file outside a folder is its own row; the files of a group are rows only while it is expanded. */
export function toRows(groups: readonly UploadGroup[], expandedIds: ReadonlySet<number>): readonly UploadListRow[] {
  return groups.flatMap((group): readonly UploadListRow[] => {
    const fileRows = sortByAttention(group.items).map((item) => ({
      key: String(item.id),
      item,
      isInGroup: isGroupShown(group),
    }));
    if (!isGroupShown(group)) return fileRows;
    const isOpen = expandedIds.has(group.id);
    return [{ key: `drop-${group.id}`, group, isOpen }, ...(isOpen ? fileRows : [])];
  });
}
