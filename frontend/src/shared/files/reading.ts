import type { FolderList, SearchList } from './file-lists';

/** What a list hands to the reader with a file, in the state of the address. */
export interface ReadingState {
  /** Going back leads to the list. */
  readonly inList: true;
  /** The list, in whose order one goes on to other files. */
  readonly list: FolderList | SearchList;
  /** The list's place in the history. */
  readonly from: string;
}

/** The address at which a file is read. */
export const readingAddress = (zoneId: number, fileId: number) => `/zones/${zoneId}/files/${fileId}`;

/** The address at which a document is read from a page on, with what is searched in it. */
export const foundAddress = (zoneId: number, fileId: number, page: number, words: string) =>
  `${readingAddress(zoneId, fileId)}?${new URLSearchParams({ ...(page > 1 && { page: String(page) }), find: words })}`;

let last: { fileId: number; from: string } | null = null;

/** The file that was read last, for the list from which one came to it: it has the focus there afterwards. */
export const lastRead = {
  set: (fileId: number, from: string) => void (last = { fileId, from }),
  /** For the list at this place in the history. */
  of: (from: string): number | null => (last?.from === from ? last.fileId : null),
  forget: () => void (last = null),
};
