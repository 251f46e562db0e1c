import type { ActivityEntry } from '../../activity/activity.events.js';

/** Actions on a set of files and folders. */
export type ItemVerb = 'moved' | 'deleted' | 'restored' | 'purged';

interface ActivityContext {
  readonly ownerId: number;
  readonly zoneId: number;
  readonly zoneName: string;
  /** The user who performed the action. */
  readonly userId: number;
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
