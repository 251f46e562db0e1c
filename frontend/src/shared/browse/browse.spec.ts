import { nextCursor, toPage } from '../api/list-page';
import { parseId } from '../api/use-zone';
import { nextIndex } from './use-arrow-key-navigation';

describe('nextIndex', () => {
  it('moves up and down a list and stops at its ends', () => {
    const next = (key: string, at: number) => nextIndex(key, at, 5, 1);
    expect([next('ArrowDown', 0), next('ArrowDown', 4), next('ArrowUp', 3), next('ArrowUp', 0)]).toEqual([1, 4, 2, 0]);
    expect([next('Home', 3), next('End', 1)]).toEqual([0, 4]);
    expect([next('ArrowRight', 2), next('ArrowLeft', 2)]).toEqual([2, 2]);
  });

  it('moves in all directions in a grid and reaches a shorter last row', () => {
    const next = (key: string, at: number) => nextIndex(key, at, 8, 3);
    expect([next('ArrowDown', 1), next('ArrowUp', 4)]).toEqual([4, 1]);
    expect([next('ArrowRight', 2), next('ArrowLeft', 3), next('ArrowRight', 7)]).toEqual([3, 2, 7]);
    expect([next('ArrowDown', 5), next('ArrowDown', 7), next('ArrowUp', 2)]).toEqual([7, 7, 2]);
  });

  it('moves by a screen and stops at the ends of the column', () => {
    expect([nextIndex('PageDown', 2, 50, 1, 10), nextIndex('PageUp', 12, 50, 1, 10)]).toEqual([12, 2]);
    expect([nextIndex('PageDown', 45, 50, 1, 10), nextIndex('PageUp', 5, 50, 1, 10)]).toEqual([49, 0]);
    expect([nextIndex('PageUp', 4, 50, 3, 9), nextIndex('PageDown', 4, 50, 3, 9)]).toEqual([1, 13]);
  });

  it('ignores other keys', () => {
    expect(nextIndex('a', 0, 5, 1)).toBeNull();
    expect(nextIndex('Enter', 0, 5, 1)).toBeNull();
  });
});

describe('Page of a list', () => {
  it('contains the total and the next cursor from the headers', () => {
    const headers = new Headers({
      'x-total-count': '1200',
      link: '</api/zones/7/files?sort=name&cursor=WyJhIiwxXQ>; rel="next"',
    });
    expect(toPage([1, 2], headers)).toEqual({ items: [1, 2], total: 1200, next: 'WyJhIiwxXQ' });
  });

  it('is the last one without a Link header', () => {
    expect(toPage([1], new Headers())).toEqual({ items: [1], total: 1, next: null });
    expect(nextCursor('</api/zones?cursor=x>; rel="prev"')).toBeNull();
  });
});

describe('parseId', () => {
  it('accepts only positive integers', () => {
    expect(['7', '0', '-1', '1.5', '7e3', 'x', '', undefined].map(parseId)).toEqual([7, ...Array(7).fill(Number.NaN)]);
  });
});
