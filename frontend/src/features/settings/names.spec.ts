import { sanitiseUsername, joinName, splitName } from './names';

describe('a name', () => {
  it.each([
    ['Deniz Acar', 'Deniz', 'Acar'],
    ['Deniz', 'Deniz', '.'],
    ['  Deniz   Ece  Acar ', 'Deniz', 'Ece Acar'],
    ['', '', '.'],
  ])('%j is split at its first space', (name, firstName, lastName) => {
    expect(splitName(name)).toEqual({ firstName, lastName });
  });

  it('is put together again, without the point that stands for no last name', () => {
    expect(joinName({ firstName: 'Deniz', lastName: 'Acar' })).toBe('Deniz Acar');
    expect(joinName({ firstName: 'Deniz', lastName: '.' })).toBe('Deniz');
    expect(joinName({ firstName: null, lastName: null })).toBe('');
  });
});

describe('a username', () => {
  it.each([
    ['Deniz_A-1', 'deniz_a-1'],
    ['de niz!', 'deniz'],
    ['İpek', 'ipek'],
    ['çağla', 'ala'],
  ])('of %j keeps lower-case letters, digits, underscores and dashes', (typed, kept) => {
    expect(sanitiseUsername(typed)).toBe(kept);
  });
});
