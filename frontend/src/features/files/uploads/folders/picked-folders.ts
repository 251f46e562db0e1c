/** Maximum number of files and folders that are uploaded at a time; the server accepts no more. */
export const MAX_ENTRIES = 10_000;

/** Files that operating systems leave in folders; nobody means to share them. */
const SYSTEM_FILES = new Set(['.ds_store', 'desktop.ini', 'thumbs.db']);

export interface PickedFile {
  readonly file: File;
  /** Names from the picked folder down to the file, joined with slashes. */
  readonly path: string;
}

/** A folder that was dropped or chosen, with everything in it. */
export interface PickedFolder {
  /** Empty for files without a folder: some browsers can't choose folders and offer files instead. */
  readonly name: string;
  readonly files: readonly PickedFile[];
  /** Paths of the folders, the picked one first. A file dialog doesn't tell of empty folders. */
  readonly folderPaths: readonly string[];
}

/** There are more files and folders than can be uploaded at a time. */
export class TooManyEntriesError extends Error {}

/** Returns the folders of the files that an `<input webkitdirectory>` has chosen. */
export function pickedFoldersOf(files: readonly File[]): PickedFolder[] {
  if (files.length > MAX_ENTRIES) throw new TooManyEntriesError();
  const picked = files
    .filter(({ name }) => !isSystemFile(name))
    .map((file): PickedFile => ({ file, path: file.webkitRelativePath || file.name }));
  const byName = Map.groupBy(picked, ({ path }) => path.slice(0, Math.max(0, path.indexOf('/'))));
  return [...byName].map(([name, folderFiles]) => ({ name, files: folderFiles, folderPaths: name ? [name] : [] }));
}

/**
 * Reads dropped folders with everything in them.
 * @throws TooManyEntriesError; a `DOMException` if something can't be read
 */
export async function readFolders(entries: readonly FileSystemDirectoryEntry[]): Promise<PickedFolder[]> {
  const reader = new FolderReader();
  const folders: PickedFolder[] = [];
  for (const entry of entries) folders.push(await reader.read(entry));
  return folders;
}

class FolderReader {
  private entryCount = 0;

  async read(entry: FileSystemDirectoryEntry): Promise<PickedFolder> {
    const files: PickedFile[] = [];
    const folderPaths: string[] = [];
    const readInto = async (folder: FileSystemDirectoryEntry, path: string): Promise<void> => {
      folderPaths.push(path);
      const children = await this.listChildren(folder);
      const found = await Promise.all(
        children
          .filter(isFileEntry)
          .map(async (child) => ({ path: `${path}/${child.name}`, file: await openFile(child) })),
      );
      files.push(...found);
      for (const child of children.filter(isDirectoryEntry)) await readInto(child, `${path}/${child.name}`);
    };
    await readInto(entry, entry.name);
    return { name: entry.name, files, folderPaths };
  }

  /** Browsers return a hundred entries at a time, and an empty list at the end. */
  private async listChildren(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
    const reader = folder.createReader();
    const children: FileSystemEntry[] = [];
    for (;;) {
      const next = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (next.length === 0) return children;
      const wanted = next.filter(({ isFile, name }) => !isFile || !isSystemFile(name));
      this.entryCount += wanted.length;
      if (this.entryCount > MAX_ENTRIES) throw new TooManyEntriesError();
      children.push(...wanted);
    }
  }
}

const isSystemFile = (name: string) => SYSTEM_FILES.has(name.toLowerCase());
const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectoryEntry = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const openFile = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));
