import type { Entry, Folder, StoredFile } from '../entries';

/** What can be done with a folder or file of the list. */
export interface EntryActions {
  folderUrl: (folder: Folder) => string;
  preview: (file: StoredFile) => void;
  /** Folders, and several things, as one archive. */
  download: (entries: readonly Entry[]) => void;
  /** Asks what members may do with a file. */
  editPermissions: (file: StoredFile) => void;
  /** Shows who opened a file. */
  showOpenings: (file: StoredFile) => void;
  rename: (entry: Entry) => void;
  /** Asks where it is to go. */
  move: (entry: Entry) => void;
  remove: (entry: Entry) => void;
  /** Begins a choice of several; without it nothing can be chosen. */
  select?: (entry: Entry) => void;
  /** Tells that nothing can be changed inside a mirror. */
  showReadOnlyError: () => void;
  openMenu: (entry: Entry, anchor: HTMLElement) => void;
}
