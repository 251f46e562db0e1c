import type { Entry } from '../entries';
import { byParent, linesOf, obstacleAt, pathTo, treeOf } from './folder-tree';

const folder = (id: number, parentId: number | null, more = {}) => ({
  id,
  name: `F${id}`,
  parentId,
  isMirror: false,
  readOnly: false,
  ...more,
});
const mirror = { isMirror: true, readOnly: true };

// 1 > 2 > 3 > 4 > 5, 6 > 7, and 8 is a mirror.
const tree = treeOf([
  folder(1, null),
  folder(2, 1),
  folder(3, 2),
  folder(4, 3),
  folder(5, 4),
  folder(6, null),
  folder(7, 6),
  folder(8, null, mirror),
]);
const file = (id: number, folderId: number | null) => ({ kind: 'file', file: { id, folderId } }) as Entry;
const moved = (id: number) => ({ kind: 'folder', folder: tree.byId.get(id)!.folder }) as Entry;

describe('the folders of a zone as a tree', () => {
  it('knows the way to a folder, how deep it lies, and how many levels it takes', () => {
    expect(pathTo(tree, 3).map(({ folder: { id } }) => id)).toEqual([1, 2, 3]);
    expect(pathTo(tree, null)).toEqual([]);
    expect([1, 3, 5, 6].map((id) => tree.byId.get(id)!.height)).toEqual([5, 3, 1, 2]);
    expect([1, 5, 7].map((id) => tree.byId.get(id)!.depth)).toEqual([1, 5, 2]);
  });

  it('shows what is open, never a mirror, and the zone itself first', () => {
    const lines = (...open: number[]) => linesOf(tree, 'Studio', new Set(open)).map(({ name }) => name);
    expect(lines()).toEqual(['Studio', 'F1', 'F6']);
    expect(lines(1, 6)).toEqual(['Studio', 'F1', 'F2', 'F6', 'F7']);
    expect(lines(2)).toEqual(['Studio', 'F1', 'F6']);
  });
});

describe('where things can be moved', () => {
  it('is any other place for files, as deep as it may be', () => {
    expect(obstacleAt(tree, [file(9, null)], 5)).toBeNull();
    expect(obstacleAt(tree, [file(9, 5)], null)).toBeNull();
    expect(obstacleAt(tree, [file(9, 5)], 5)).toBe('alreadyHere');
    expect(obstacleAt(tree, [file(9, 5), file(10, null)], 5)).toBeNull();
    expect(obstacleAt(tree, [file(9, null)], 8)).toBe('readOnly');
  });

  it('is neither a folder itself nor one inside it, nor where it would lie too deep', () => {
    expect(obstacleAt(tree, [moved(2)], 2)).toBe('intoItself');
    expect(obstacleAt(tree, [moved(2)], 4)).toBe('intoItself');
    expect(obstacleAt(tree, [moved(6)], 3)).toBeNull();
    expect(obstacleAt(tree, [moved(6)], 4)).toBe('tooDeep');
    expect(obstacleAt(tree, [moved(7)], 4)).toBeNull();
    expect(obstacleAt(tree, [moved(7)], 5)).toBe('tooDeep');
    expect(obstacleAt(tree, [moved(7)], 6)).toBe('alreadyHere');
  });

  it('leads back to where each thing lay', () => {
    const [a, b, c] = [file(1, null), file(2, 7), file(3, 7)];
    expect([...byParent([a, b, c])]).toEqual([
      [null, [a]],
      [7, [b, c]],
    ]);
  });
});
