import type { ActivityEntry } from '../../activity/activity.events.js';

/** Actions on a set of files and folders. */
export type ItemVerb = 'moved' | 'deleted' | 'restored' | 'purged';

export interface ActivityContext {
  readonly ownerId: number;
  readonly zoneId: number;
  readonly zoneName: string;
  /** The user who performed the action; null for the guest of a link. */
  readonly userId: number | null;
}

interface AffectedItems {
  readonly files: readonly { readonly id: number; readonly name: string }[];
  readonly folders: readonly { readonly name: string }[];
}

/** Creates one activity entry per request: it names a single item, or states the number of items. */
export function createItemEntries(
  verb: ItemVerb,
  { zoneName, ...where }: ActivityContext,
  { files, folders }: AffectedItems,
): ActivityEntry[] {
  const count = files.length + folders.length;
  if (count === 0) return [];
  if (count > 1) return [{ type: `items.${verb}`, ...where, params: { zoneName, count: String(count) } }];
  const [file] = files;
  if (!file) return [{ type: `folder.${verb}`, ...where, params: { zoneName, folderName: folders[0]!.name } }];
  return [{ type: `file.${verb}`, ...where, fileId: file.id, params: { zoneName, fileName: file.name } }];
}

interface TransferContext extends Omit<ActivityContext, 'zoneId'> {
  readonly targetZoneName: string;
}

/** Creates the entry of a copy, or of a move between zones, in each of the zones. */
export function createTransferEntries(
  verb: 'copied' | 'transferred',
  { zoneName, targetZoneName, ...who }: TransferContext,
  zoneIds: readonly number[],
  { files, folders }: AffectedItems,
): ActivityEntry[] {
  const zones = { zoneName, targetZoneName };
  const count = files.length + folders.length;
  const [file, folder] = [files[0], folders[0]];
  return [...new Set(zoneIds)].map((zoneId): ActivityEntry => {
    const where = { ...who, zoneId };
    if (count > 1) return { type: `items.${verb}`, ...where, params: { ...zones, count: String(count) } };
    if (file) return { type: `file.${verb}`, ...where, fileId: file.id, params: { ...zones, fileName: file.name } };
    return { type: `folder.${verb}`, ...where, params: { ...zones, folderName: folder!.name } };
  });
}
