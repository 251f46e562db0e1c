import type { Schema } from '../../shared/api/client';
import type { FileSortKey } from '../../shared/files/file-lists';

export type Folder = Schema<'FolderDto'>;
export type StoredFile = Schema<'FileDto'>;

/** An entry of a folder: folders are listed first, then files. Search results carry their parent folders as `path`. */
export type Entry = ({ kind: 'folder'; folder: Folder } | { kind: 'file'; file: StoredFile }) & {
  path?: readonly { id: number; name: string }[];
};

export const fileSortKeys = ['name', 'date', 'type', 'size'] as const satisfies FileSortKey[];

export const maxFolderDepth = 5;

export const entryName = (entry: Entry) => (entry.kind === 'folder' ? entry.folder.name : entry.file.originalName);
export const entryKey = (entry: Entry) => `${entry.kind}-${entry.kind === 'folder' ? entry.folder.id : entry.file.id}`;
/** The same object for the same folder, so that its row isn't rendered again. */
export const toFolderEntry = (folder: Folder): Entry => remember(folder, { kind: 'folder', folder });
export const toFileEntry = (file: StoredFile): Entry => remember(file, { kind: 'file', file });

const entriesByItem = new WeakMap<object, Entry>();
function remember(item: object, entry: Entry): Entry {
  const known = entriesByItem.get(item);
  if (known) return known;
  entriesByItem.set(item, entry);
  return entry;
}

/** The reverse of `entryKey`. */
export function parseEntryKey(key: string): { kind: Entry['kind']; id: number } {
  const [kind, id] = key.split('-');
  return { kind: kind === 'folder' ? 'folder' : 'file', id: Number(id) };
}

export const abilitiesOf = (entry: Entry) => (entry.kind === 'folder' ? entry.folder.can : entry.file.can);
export const isReadOnly = (entry: Entry) => (entry.kind === 'folder' ? entry.folder.readOnly : entry.file.readOnly);

/** Returns the URL of the folder that contains an entry, with the entry highlighted there. */
export function containingFolderUrl(entry: Entry): string {
  const { zoneId, parent } =
    entry.kind === 'folder'
      ? { zoneId: entry.folder.zoneId, parent: entry.folder.parentId }
      : { zoneId: entry.file.zoneId, parent: entry.file.folderId };
  return `/zones/${zoneId}${parent === null ? '' : `/folders/${parent}`}?item=${entryKey(entry)}`;
}

/** Returns the part from the last dot on, or an empty string; a leading dot doesn't start an extension. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 && dot < name.length - 1 ? name.slice(dot) : '';
}

/** Returns the extension that renaming doesn't change, by the server's rules: `.tar.gz` counts as one extension. */
export function preservedExtensionOf(name: string): string {
  return /.(\.tar\.(?:gz|bz2|xz|zst|lz|lzma|z|br))$/i.exec(name)?.[1] ?? extensionOf(name);
}
