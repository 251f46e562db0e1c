import { MAX_ENTRIES, pickedFoldersOf, readFolders, TooManyEntriesError } from './picked-folders';

/** What a browser gives for a dropped folder: at most a hundred entries at a time. */
function fakeFolder(name: string, children: object[]): FileSystemDirectoryEntry {
  const createReader = () => {
    let from = 0;
    const readEntries = (resolve: (entries: object[]) => void) => resolve(children.slice(from, (from += 100)));
    return { readEntries };
  };
  return { name, isFile: false, isDirectory: true, createReader } as unknown as FileSystemDirectoryEntry;
}

const fakeFile = (name: string) => ({
  name,
  isFile: true,
  isDirectory: false,
  file: (resolve: (file: File) => void) => resolve(new File(['x'], name)),
});

const unreadableFile = (name: string) => ({
  ...fakeFile(name),
  file: (_: unknown, reject: (error: Error) => void) => reject(new DOMException('gone', 'NotFoundError')),
});

function chosenFile(webkitRelativePath: string): File {
  const name = webkitRelativePath.slice(webkitRelativePath.lastIndexOf('/') + 1);
  return Object.defineProperty(new File(['x'], name), 'webkitRelativePath', { value: webkitRelativePath });
}

describe('readFolders', () => {
  it('reads all files and folders, also empty ones, but no files of the operating system', async () => {
    const files = Array.from({ length: 250 }, (_, index) => fakeFile(`${index}.txt`));
    const inner = fakeFolder('inner', [fakeFile('a.txt'), fakeFile('.DS_Store'), fakeFile('Thumbs.db')]);
    const [folder] = await readFolders([fakeFolder('Course', [fakeFolder('empty', []), ...files, inner])]);
    expect(folder!.folderPaths).toEqual(['Course', 'Course/empty', 'Course/inner']);
    expect(folder!.files).toHaveLength(251);
    expect(folder!.files.at(-1)!.path).toBe('Course/inner/a.txt');
  });

  it('stops when there are more entries than can be uploaded', async () => {
    const files = Array.from({ length: MAX_ENTRIES / 2 }, (_, index) => fakeFile(`${index}.txt`));
    const folders = [fakeFolder('a', files), fakeFolder('b', files)];
    expect(await readFolders(folders)).toHaveLength(2);
    await expect(readFolders([...folders, fakeFolder('c', [fakeFile('x')])])).rejects.toThrow(TooManyEntriesError);
  });

  it('fails if a file can’t be read', async () => {
    await expect(readFolders([fakeFolder('a', [unreadableFile('x')])])).rejects.toThrow(DOMException);
  });
});

describe('pickedFoldersOf', () => {
  it('groups the files of a file dialog by folder', () => {
    const folders = pickedFoldersOf(['a/1.txt', 'a/b/2.txt', 'a/.DS_Store', 'c/3.txt'].map(chosenFile));
    expect(folders.map(({ name, files }) => [name, files.map(({ path }) => path)])).toEqual([
      ['a', ['a/1.txt', 'a/b/2.txt']],
      ['c', ['c/3.txt']],
    ]);
  });

  it('keeps files that a browser offers instead of a folder', () => {
    const [files] = pickedFoldersOf([new File(['x'], 'film.mov')]);
    expect(files).toMatchObject({ name: '', folderPaths: [], files: [{ path: 'film.mov' }] });
  });

  it('refuses more files than can be uploaded', () => {
    const file = chosenFile('a/1.txt');
    expect(() => pickedFoldersOf(Array.from({ length: MAX_ENTRIES + 1 }, () => file))).toThrow(TooManyEntriesError);
  });
});
