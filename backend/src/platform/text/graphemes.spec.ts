import { truncateText } from './graphemes.js';

describe('truncateText', () => {
  const family = '👩\u200d👩\u200d👧\u200d👦';

  it.each([
    ['what is short enough', 'Ada', 3, 'Ada'],
    ['an emoji that fits', `${'A'.repeat(49)}😀`, 50, `${'A'.repeat(49)}😀`],
    ['nothing of an emoji that does not fit', `${'A'.repeat(50)}😀`, 50, 'A'.repeat(50)],
    ['whole families', family.repeat(8), 50, family.repeat(7)],
    ['a letter with its marks', 'aaae\u0301', 4, 'aaa'],
    ['Indic syllables', 'नमस्ते', 4, 'नमस्ते'.slice(0, 2)],
    ['a part of one endless character', `a${'\u0301'.repeat(100)}`, 10, `a${'\u0301'.repeat(9)}`],
  ])('keeps %s', (_, text, longest, expected) => expect(truncateText(text, longest)).toBe(expected));
});
