import type { Entry } from '../entries';
import {
  groupByParentId,
  listVisibleRows,
  findMoveError,
  findTransferError,
  pathTo,
  buildFolderTree,
} from './folder-tree';

const folder = (id: number, parentId: number | null, more = {}) => ({
  id,
  name: `F${id}`,
  parentId,
  isMirror: false,
  fileRequest: null,
  readOnly: false,
  ...more,
});
const mirror = { isMirror: true, readOnly: true };

// 1 > 2 > 3 > 4 > 5, 6 > 7, and 8 is a mirror.
const tree = buildFolderTree([
  folder(1, null),
  folder(2, 1),
  folder(3, 2),
  folder(4, 3),
  folder(5, 4),
  folder(6, null),
  folder(7, 6),
  folder(8, null, mirror),
]);
const fileEntry = (id: number, folderId: number | null) => ({ kind: 'file', file: { id, folderId } }) as Entry;
const folderEntry = (id: number) => ({ kind: 'folder', folder: tree.byId.get(id)!.folder }) as Entry;

describe('Folder tree', () => {
  it('computes the path, depth and height of a folder', () => {
    expect(pathTo(tree, 3).map(({ folder: { id } }) => id)).toEqual([1, 2, 3]);
    expect(pathTo(tree, null)).toEqual([]);
    expect([1, 3, 5, 6].map((id) => tree.byId.get(id)!.height)).toEqual([5, 3, 1, 2]);
    expect([1, 5, 7].map((id) => tree.byId.get(id)!.depth)).toEqual([1, 5, 2]);
  });

  it('lists the zone first and the expanded folders, without mirrors', () => {
    const visibleNames = (...open: number[]) => listVisibleRows(tree, 'Studio', new Set(open)).map(({ name }) => name);
    expect(visibleNames()).toEqual(['Studio', 'F1', 'F6']);
    expect(visibleNames(1, 6)).toEqual(['Studio', 'F1', 'F2', 'F6', 'F7']);
    expect(visibleNames(2)).toEqual(['Studio', 'F1', 'F6']);
  });
});

describe('Move targets', () => {
  it('include any other folder of any depth for files, except mirrors', () => {
    expect(findMoveError(tree, [fileEntry(9, null)], 5)).toBeNull();
    expect(findMoveError(tree, [fileEntry(9, 5)], null)).toBeNull();
    expect(findMoveError(tree, [fileEntry(9, 5)], 5)).toBe('alreadyHere');
    expect(findMoveError(tree, [fileEntry(9, 5), fileEntry(10, null)], 5)).toBeNull();
    expect(findMoveError(tree, [fileEntry(9, null)], 8)).toBe('readOnly');
  });

  it('exclude the folder itself, its descendants and folders nested too deep', () => {
    expect(findMoveError(tree, [folderEntry(2)], 2)).toBe('intoItself');
    expect(findMoveError(tree, [folderEntry(2)], 4)).toBe('intoItself');
    expect(findMoveError(tree, [folderEntry(6)], 3)).toBeNull();
    expect(findMoveError(tree, [folderEntry(6)], 4)).toBe('tooDeep');
    expect(findMoveError(tree, [folderEntry(7)], 4)).toBeNull();
    expect(findMoveError(tree, [folderEntry(7)], 5)).toBe('tooDeep');
    expect(findMoveError(tree, [folderEntry(7)], 6)).toBe('alreadyHere');
  });

  it('measures folders of another zone by their own tree, and allows copies in the same folder', () => {
    const other = buildFolderTree([
      folder(21, null),
      folder(22, 21),
      folder(23, 22),
      folder(24, 23),
      folder(25, null, mirror),
    ]);
    expect(findTransferError(other, tree, [folderEntry(6)], 23)).toBeNull();
    expect(findTransferError(other, tree, [folderEntry(6)], 24)).toBe('tooDeep');
    expect(findTransferError(other, tree, [fileEntry(9, null)], null)).toBeNull();
    expect(findTransferError(other, tree, [fileEntry(9, null)], 25)).toBe('readOnly');
    expect(findTransferError(tree, tree, [fileEntry(9, 5)], 5)).toBeNull();
  });

  it('group items by their original folder for undo', () => {
    const [a, b, c] = [fileEntry(1, null), fileEntry(2, 7), fileEntry(3, 7)];
    expect([...groupByParentId([a, b, c])]).toEqual([
      [null, [a]],
      [7, [b, c]],
    ]);
  });
});
