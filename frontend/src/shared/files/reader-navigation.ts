import type { FolderList, SearchList } from './file-lists';

/** History state that a list passes to the reader. */
export interface ReaderState {
  /** Going back leads to the list. */
  readonly inList: true;
  /** The list whose order decides the previous and next file. */
  readonly list: FolderList | SearchList;
  /** The list's history entry. */
  readonly from: string;
}

/** URL of the reader for a file. */
export const readerUrl = (zoneId: number, fileId: number) => `/zones/${zoneId}/files/${fileId}`;

/** URL of the reader at a page. */
export const readerPageUrl = (zoneId: number, fileId: number, page: number) =>
  `${readerUrl(zoneId, fileId)}?page=${page}`;

/** URL of the reader at a page, with the search term. */
export const searchHitUrl = (zoneId: number, fileId: number, page: number, query: string) =>
  `${readerUrl(zoneId, fileId)}?${new URLSearchParams({ ...(page > 1 && { page: String(page) }), find: query })}`;

let lastEntry: { fileId: number; from: string } | null = null;

/** The file that was read last, so that the list can focus it on return. */
export const lastReadFile = {
  set: (fileId: number, from: string) => void (lastEntry = { fileId, from }),
  /** Returns the file for the list at this history entry, else null. */
  get: (from: string): number | null => (lastEntry?.from === from ? lastEntry.fileId : null),
  clear: () => void (lastEntry = null),
};
