import type { Schema } from '../../shared/api/client';
import type { FileSortKey } from '../../shared/files/file-lists';

export type Folder = Schema<'FolderDto'>;
export type StoredFile = Schema<'FileDto'>;

/** What a folder shows: folders first, then files. What was found has the folders in which it lies as `path`. */
export type Entry = ({ kind: 'folder'; folder: Folder } | { kind: 'file'; file: StoredFile }) & {
  path?: readonly { id: number; name: string }[];
};

export const fileSortKeys = ['name', 'date', 'type', 'size'] as const satisfies FileSortKey[];

/** Folders may be at most this deep. */
export const maxFolderDepth = 5;

export const entryName = (entry: Entry) => (entry.kind === 'folder' ? entry.folder.name : entry.file.originalName);
export const entryKey = (entry: Entry) => `${entry.kind}-${entry.kind === 'folder' ? entry.folder.id : entry.file.id}`;
export const abilitiesOf = (entry: Entry) => (entry.kind === 'folder' ? entry.folder.can : entry.file.can);
export const isReadOnly = (entry: Entry) => (entry.kind === 'folder' ? entry.folder.readOnly : entry.file.readOnly);

/** Address of the folder in which something lies, which is marked there. */
export function containingFolderUrl(entry: Entry): string {
  const { zoneId, parent } =
    entry.kind === 'folder'
      ? { zoneId: entry.folder.zoneId, parent: entry.folder.parentId }
      : { zoneId: entry.file.zoneId, parent: entry.file.folderId };
  return `/zones/${zoneId}${parent === null ? '' : `/folders/${parent}`}?item=${entryKey(entry)}`;
}

/** The part from the last dot on, or nothing; a dot at the beginning begins no extension. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 && dot < name.length - 1 ? name.slice(dot) : '';
}

/** The extension that a name keeps when the rest of it changes, as at the server: `.tar.gz` is one. */
export function preservedExtensionOf(name: string): string {
  return /.(\.tar\.(?:gz|bz2|xz|zst|lz|lzma|z|br))$/i.exec(name)?.[1] ?? extensionOf(name);
}
