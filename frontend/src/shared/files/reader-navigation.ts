import type { FolderList, SearchList } from './file-lists';

/** What a list hands to the reader with a file, in the state of the address. */
export interface ReaderState {
  /** Going back leads to the list. */
  readonly inList: true;
  /** The list, in whose order one goes on to other files. */
  readonly list: FolderList | SearchList;
  /** The list's place in the history. */
  readonly from: string;
}

/** The address at which a file is read. */
export const readerUrl = (zoneId: number, fileId: number) => `/zones/${zoneId}/files/${fileId}`;

/** The address at which a document is read from a page on, with what is searched in it. */
export const searchHitUrl = (zoneId: number, fileId: number, page: number, query: string) =>
  `${readerUrl(zoneId, fileId)}?${new URLSearchParams({ ...(page > 1 && { page: String(page) }), find: query })}`;

let lastEntry: { fileId: number; from: string } | null = null;

/** The file that was read last, for the list from which one came to it: it has the focus there afterwards. */
export const lastReadFile = {
  set: (fileId: number, from: string) => void (lastEntry = { fileId, from }),
  /** For the list at this place in the history. */
  get: (from: string): number | null => (lastEntry?.from === from ? lastEntry.fileId : null),
  clear: () => void (lastEntry = null),
};
