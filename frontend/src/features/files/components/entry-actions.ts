import type { Entry, Folder, StoredFile } from '../entries';

/** Where a menu is shown: below an element, or at a point of the window. */
export type MenuAnchor = HTMLElement | { readonly left: number; readonly top: number };

/** What can be done with a folder or file in the list. */
export interface EntryActions {
  folderUrl: (folder: Folder) => string;
  preview: (file: StoredFile) => void;
  /** Downloads a folder, or several entries, as one ZIP file. */
  download: (entries: readonly Entry[]) => void;
  /** Opens the dialog with the permissions of members for a file. */
  editPermissions: (file: StoredFile) => void;
  /** Lets the person choose a file that replaces this one. */
  replace: (file: StoredFile) => void;
  /** Shows the earlier versions of a file. */
  showVersions: (file: StoredFile) => void;
  /** Shows who opened a file. */
  showOpenings: (file: StoredFile) => void;
  /** Shows which pages of a file are read. */
  showReading: (file: StoredFile) => void;
  rename: (entry: Entry) => void;
  /** Opens the move dialog. */
  move: (entry: Entry) => void;
  /** Opens the dialog for the place of a copy. */
  copy: (entry: Entry) => void;
  /** Opens the dialog with the file request of a folder. */
  requestFiles: (folder: Folder) => void;
  /** Opens the links to the entry. */
  share: (entry: Entry) => void;
  remove: (entry: Entry) => void;
  /** Starts a selection; undefined if nothing can be selected. */
  select?: (entry: Entry) => void;
  /** Shows the error that mirrors are read-only. */
  showReadOnlyError: () => void;
  /** Copies the address of the entry, which leads members through sign-in to it. */
  copyLink: (entry: Entry) => void;
  openMenu: (entry: Entry, anchor: MenuAnchor) => void;
}
