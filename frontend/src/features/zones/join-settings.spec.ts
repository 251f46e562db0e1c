import { listConsequences, type JoinSettings } from './join-settings';

const publicZone: JoinSettings = { type: 'public', autoJoin: true, requiresEmailOptin: true };
const privateZone: JoinSettings = { ...publicZone, type: 'private' };

it.each<[string, JoinSettings, JoinSettings, string[]]>([
  ['nothing', publicZone, publicZone, []],
  ['the settings of a private zone, which have no effect', privateZone, { ...privateZone, autoJoin: false }, []],
  ['public to private', publicZone, privateZone, ['linkEnds']],
  ['private to public', privateZone, publicZone, ['linkBegins', 'temporaryEnd']],
  [
    'private to public with approval',
    privateZone,
    { ...publicZone, autoJoin: false },
    ['linkBegins', 'temporaryEnd', 'approvalBegins'],
  ],
  ['approval on', publicZone, { ...publicZone, autoJoin: false }, ['approvalBegins']],
  ['approval off', { ...publicZone, autoJoin: false }, publicZone, ['approvalEnds']],
  ['consent off', publicZone, { ...publicZone, requiresEmailOptin: false }, ['optinEnds']],
  ['consent on', { ...publicZone, requiresEmailOptin: false }, publicZone, ['optinBegins']],
])('lists the consequences of changing %s', (_what, before, after, expected) => {
  expect(listConsequences(before, after)).toEqual(expected);
});
