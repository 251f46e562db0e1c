import { optionalString, optionalName } from './payload-fields.js';

describe('Payload strings', () => {
  it.each([
    ['joiners in Persian', 'کتاب\u200cها', 'کتاب\u200cها'],
    ['a family emoji', '👩\u200d👩\u200d👧', '👩\u200d👩\u200d👧'],
    ['no other invisible characters', 'a\u200bb\u202ec', 'abc'],
    ['one line', 'a\r\nb', 'a b'],
    ['numbers', 71, '71'],
    ['nothing that consists of invisible characters only', '\u200d\u200b', null],
  ])('keeps %s', (_, value, line) => expect(optionalString({ value }, 'value')).toBe(line));

  it('truncates strings between graphemes', () => {
    expect(optionalString({ value: `${'a'.repeat(254)}👩\u200d👧` }, 'value')).toBe('a'.repeat(254));
    expect(optionalName({ value: `${'A'.repeat(49)}😀B` }, 'value', 50)).toBe(`${'A'.repeat(49)}😀`);
  });
});
