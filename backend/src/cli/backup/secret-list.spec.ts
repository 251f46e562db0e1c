import { containsAllSecrets } from './secret-list.js';

const [newer, older, other] = ['n'.repeat(32), 'o'.repeat(32), 'x'.repeat(32)];

describe('the secrets of a backup', () => {
  it.each([
    [`${newer},${older}`, older],
    [`${newer}, ${older}`, `${newer}\n${older}\n`],
    [older, `${older}\r\n`],
  ])('are those that a process is given: %j has %j', (given, kept) =>
    expect(containsAllSecrets(given, kept)).toBe(true),
  );

  it.each([
    [newer, `${newer}\n${older}\n`],
    [`${newer},${older}`, other],
  ])('are not all there: %j has not %j', (given, kept) => expect(containsAllSecrets(given, kept)).toBe(false));
});
