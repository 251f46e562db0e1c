import { consequencesOf, type Entrance } from './entrance';

const open: Entrance = { type: 'public', autoJoin: true, requiresEmailOptin: true };
const closed: Entrance = { ...open, type: 'private' };

it.each<[string, Entrance, Entrance, string[]]>([
  ['nothing', open, open, []],
  ['the terms of a private zone, which has none', closed, { ...closed, autoJoin: false }, []],
  ['public to private', open, closed, ['linkEnds']],
  ['private to public', closed, open, ['linkBegins', 'temporaryEnd']],
  [
    'private to public with approval',
    closed,
    { ...open, autoJoin: false },
    ['linkBegins', 'temporaryEnd', 'approvalBegins'],
  ],
  ['approval on', open, { ...open, autoJoin: false }, ['approvalBegins']],
  ['approval off', { ...open, autoJoin: false }, open, ['approvalEnds']],
  ['consent off', open, { ...open, requiresEmailOptin: false }, ['optinEnds']],
  ['consent on', { ...open, requiresEmailOptin: false }, open, ['optinBegins']],
])('changing %s has its consequences', (_what, before, after, expected) => {
  expect(consequencesOf(before, after)).toEqual(expected);
});
