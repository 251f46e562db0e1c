import {
  computePageLayout,
  pagesAround,
  choosePageImageWidth,
  positionAt,
  toPageNumber,
  topOfPosition,
  rotateSizes,
} from './page-layout';

const page = (width: number, height: number) => ({ width, height });

describe('Page layout', () => {
  it('stacks pages by their own proportions', () => {
    const layout = computePageLayout([page(100, 200), page(200, 100), page(0, 0)], 400, 0);
    expect(layout.heights).toEqual([800, 200, 566]);
    expect(layout.tops).toEqual([0, 816, 1032]);
    expect(layout.totalHeight).toBe(1032 + 566);
  });

  it('gives pages a minimum height', () => {
    expect(computePageLayout([page(1000, 1)], 400, 225).heights).toEqual([225]);
  });

  it('converts between scroll offset and page position', () => {
    const layout = computePageLayout([page(1, 1), page(1, 1), page(1, 1)], 100, 0);
    expect(positionAt(layout, -50)).toEqual({ page: 1, fraction: 0 });
    expect(positionAt(layout, 115)).toEqual({ page: 1, fraction: 1 });
    expect(positionAt(layout, 166)).toEqual({ page: 2, fraction: 0.5 });
    expect(positionAt(layout, 9999)).toEqual({ page: 3, fraction: 1 });
    expect(topOfPosition(layout, { page: 2, fraction: 0.5 })).toBe(166);
    expect(topOfPosition(layout, { page: 99, fraction: 0 })).toBe(232);
    expect(positionAt(computePageLayout([], 100, 0), 5).page).toBe(1);
  });
});

describe('Rendered pages', () => {
  it('are at most seven around the current one', () => {
    expect(pagesAround(1, 300)).toEqual([1, 2, 3, 4]);
    expect(pagesAround(150, 300)).toEqual([147, 148, 149, 150, 151, 152, 153]);
    expect(pagesAround(300, 300)).toEqual([297, 298, 299, 300]);
    expect(pagesAround(1, 0)).toEqual([]);
  });
});

it('reads the page number from the URL, defaulting to the first', () => {
  expect(['12', '1', '0', '-1', '1.5', 'x', '', null].map(toPageNumber)).toEqual([12, 1, 1, 1, 1, 1, 1, 1]);
});

it('swaps width and height of rotated pages', () => {
  const sizes = [page(100, 200)];
  expect(rotateSizes(sizes, 1)).toEqual([page(200, 100)]);
  expect(rotateSizes(sizes, 2)).toEqual(sizes);
  expect(rotateSizes(sizes, 3)).toEqual([page(200, 100)]);
});

describe('Width of a page image', () => {
  it('is the standard one while scrolling, regardless of pixel density and zoom', () => {
    expect(choosePageImageWidth(360, 360, false, 3)).toBe(600);
    expect(choosePageImageWidth(900, 900, false, 2)).toBe(1200);
    expect(choosePageImageWidth(900, 450, false, 2)).toBe(1200);
  });

  it('grows with zoom and reading up to the server’s maximum', () => {
    expect(choosePageImageWidth(360, 360, true, 1)).toBe(600);
    expect(choosePageImageWidth(360, 360, true, 3)).toBe(1200);
    expect(choosePageImageWidth(900, 450, true, 2)).toBe(1200);
    expect(choosePageImageWidth(360, 450, true, 1)).toBe(600);
    expect(choosePageImageWidth(360, 720, true, 1)).toBe(1200);
    expect(choosePageImageWidth(900, 1125, true, 1)).toBe(1200);
    expect(choosePageImageWidth(900, 1350, true, 1)).toBe(2000);
    expect(choosePageImageWidth(900, 4500, true, 3)).toBe(2000);
  });
});
