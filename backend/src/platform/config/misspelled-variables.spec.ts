import { misspelledVariableMessage, findMisspelledVariables, editDistance } from './misspelled-variables.js';
import { variables } from './variables.js';

describe('findMisspelledVariables', () => {
  it.each([
    ['SMPT_URL', 'SMTP_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['APP_SECRETS', 'APP_SECRET'],
    ['STORAGE_UR', 'STORAGE_URL'],
  ])('suggests for %s the variable %s', (name, meant) => {
    expect(findMisspelledVariables({ [name]: 'x' })).toEqual([{ name, suggestion: meant }]);
    expect(misspelledVariableMessage({ name, suggestion: meant })).toContain(`Did you mean ${meant}?`);
  });

  it('ignores known variables and those of other programs', () => {
    const ours = Object.fromEntries(Object.values(variables).map(({ name }) => [name, 'x']));
    const others = {
      PATH: '/bin',
      HOME: '/root',
      USER: 'me',
      MAIL: '/var/mail',
      HOST: 'h',
      LANG: 'C',
      TERM: 'x',
      PWD: '/',
    };
    expect(findMisspelledVariables({ ...ours, ...others, SMPT_URL: '' })).toEqual([]);
  });

  it('measures the edit distance', () => {
    expect(['same', 'smae', 'sam', 'some', 'sameee'].map((word) => editDistance('same', word))).toEqual([
      0, 1, 1, 1, 2,
    ]);
  });
});
