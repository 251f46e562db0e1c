import { findChapterIndex, buildOutlineTree, type Chapter } from './outline-tree';

const entry = (title: string, level: number, page: number | null = 1) => ({ title, level, page });
const shape = (chapters: readonly Chapter[]): unknown =>
  chapters.map(({ title, children }) => (children.length > 0 ? [title, shape(children)] : title));

describe('Document outline', () => {
  it('nests entries by level even when levels are skipped', () => {
    const outline = [entry('A', 1), entry('B', 2), entry('C', 4), entry('D', 3), entry('E', 2), entry('F', 1)];
    expect(shape(buildOutlineTree(outline))).toEqual([['A', [['B', ['C', 'D']], 'E']], 'F']);
    expect(shape(buildOutlineTree([entry('deep', 3), entry('flat', 1)]))).toEqual(['deep', 'flat']);
    expect(buildOutlineTree([])).toEqual([]);
  });

  it('finds the chapter of a page', () => {
    const outline = [
      entry('A', 1, 3),
      entry('A.1', 2, 3),
      entry('web', 1, null),
      entry('B', 1, 9),
      entry('see A', 1, 3),
    ];
    expect([1, 3, 8, 9, 30].map((page) => findChapterIndex(outline, page))).toEqual([-1, 4, 4, 3, 3]);
  });
});
