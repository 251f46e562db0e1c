import type { Schema } from '../../shared/api/client';

export type Folder = Schema<'FolderDto'>;
export type StoredFile = Schema<'FileDto'>;

/** What a folder shows: folders first, then files. */
export type Entry = { kind: 'folder'; folder: Folder } | { kind: 'file'; file: StoredFile };

export const fileSortKeys = ['name', 'date', 'type', 'size'] as const;
export type FileSortKey = (typeof fileSortKeys)[number];

/** Folders may be at most this deep. */
export const maxDepth = 5;

export const entryName = (entry: Entry) => (entry.kind === 'folder' ? entry.folder.name : entry.file.originalName);
export const entryKey = (entry: Entry) => `${entry.kind}-${entry.kind === 'folder' ? entry.folder.id : entry.file.id}`;
export const abilitiesOf = (entry: Entry) => (entry.kind === 'folder' ? entry.folder.can : entry.file.can);
export const isReadOnly = (entry: Entry) => (entry.kind === 'folder' ? entry.folder.readOnly : entry.file.readOnly);

/**
 * What two file names are compared by, as the server does: without regard to case, and I, ı, İ and i are one letter.
 */
export function nameKey(name: string): string {
  return name
    .normalize('NFC')
    .trim()
    .replace(/[Iİı]/g, 'i')
    .toUpperCase()
    .toLowerCase()
    .replace(/i\u0307/g, 'i')
    .normalize('NFC');
}

/** The part from the last dot on, or nothing; a dot at the beginning begins no extension. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 && dot < name.length - 1 ? name.slice(dot) : '';
}
