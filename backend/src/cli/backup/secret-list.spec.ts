import { containsAllSecrets } from './secret-list.js';

const [newer, older, other] = ['n'.repeat(32), 'o'.repeat(32), 'x'.repeat(32)];

describe('containsAllSecrets', () => {
  it.each([
    [`${newer},${older}`, older],
    [`${newer}, ${older}`, `${newer}\n${older}\n`],
    [older, `${older}\r\n`],
  ])('returns true when %j includes %j', (text, secrets) => expect(containsAllSecrets(text, secrets)).toBe(true));

  it.each([
    [newer, `${newer}\n${older}\n`],
    [`${newer},${older}`, other],
  ])('returns false when %j lacks a secret of %j', (text, secrets) =>
    expect(containsAllSecrets(text, secrets)).toBe(false),
  );
});
