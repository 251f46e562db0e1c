import { totalsUpTo } from './totals-up-to';

it('adds up the counts of the hours so far', () => {
  expect(totalsUpTo([3, 0, 2])).toEqual([3, 3, 5]);
  expect(totalsUpTo([])).toEqual([]);
});
