import { truncateText } from './graphemes.js';

describe('truncateText', () => {
  const family = '👩\u200d👩\u200d👧\u200d👦';

  it.each([
    ['a text that is short enough', 'Ada', 3, 'Ada'],
    ['an emoji that fits', `${'A'.repeat(49)}😀`, 50, `${'A'.repeat(49)}😀`],
    ['no part of an emoji that does not fit', `${'A'.repeat(50)}😀`, 50, 'A'.repeat(50)],
    ['whole family emoji', family.repeat(8), 50, family.repeat(7)],
    ['a letter with its marks', 'aaae\u0301', 4, 'aaa'],
    ['Indic syllables', 'नमस्ते', 4, 'नमस्ते'.slice(0, 2)],
    ['part of a single very long character', `a${'\u0301'.repeat(100)}`, 10, `a${'\u0301'.repeat(9)}`],
  ])('keeps %s', (_, text, longest, expected) => expect(truncateText(text, longest)).toBe(expected));
});
