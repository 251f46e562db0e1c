import { sanitiseUsername, joinName, splitName } from './names';
import { NO_LAST_NAME } from '../../shared/format/person';

describe('Names', () => {
  it.each([
    ['Deniz Acar', 'Deniz', 'Acar'],
    ['Deniz', 'Deniz', NO_LAST_NAME],
    ['  Deniz   Ece  Acar ', 'Deniz', 'Ece Acar'],
    ['', '', NO_LAST_NAME],
  ])('splits %j at its first space', (name, firstName, lastName) => {
    expect(splitName(name)).toEqual({ firstName, lastName });
  });

  it('joins the parts and omits the "." that stands for no last name', () => {
    expect(joinName({ firstName: 'Deniz', lastName: 'Acar' })).toBe('Deniz Acar');
    expect(joinName({ firstName: 'Deniz', lastName: NO_LAST_NAME })).toBe('Deniz');
    expect(joinName({ firstName: null, lastName: null })).toBe('');
  });
});

describe('sanitiseUsername', () => {
  it.each([
    ['Deniz_A-1', 'deniz_a-1'],
    ['de niz!', 'deniz'],
    ['İpek', 'ipek'],
    ['çağla', 'ala'],
  ])('keeps lower-case letters, digits, underscores and dashes of %j', (typed, expected) => {
    expect(sanitiseUsername(typed)).toBe(expected);
  });
});
