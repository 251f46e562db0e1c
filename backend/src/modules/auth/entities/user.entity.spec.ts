import { displayedLastName, fullName, NO_LAST_NAME } from './user.entity.js';

it.each([
  [{ firstName: 'Ada', lastName: 'Lovelace' }, 'Lovelace', 'Ada Lovelace'],
  [{ firstName: 'Ada', lastName: NO_LAST_NAME }, null, 'Ada'],
  [{ firstName: 'Ada', lastName: null }, null, 'Ada'],
  [{ firstName: 'Ada', lastName: '' }, null, 'Ada'],
  [{ firstName: null, lastName: 'Lovelace' }, 'Lovelace', 'Lovelace'],
  [{}, null, ''],
])('the user %j has the displayed last name %j and the full name %j', (person, lastName, name) => {
  expect([displayedLastName(person), fullName(person)]).toEqual([lastName, name]);
});
