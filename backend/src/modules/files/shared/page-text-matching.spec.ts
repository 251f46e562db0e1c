import { findMatches, joinWords, normaliseQuery } from './page-text-matching.js';

const find = (text: string, q: string, most = 500) => findMatches(text, normaliseQuery(q), most);
/** Returns the matches as they appear in the text. */
const marked = (text: string, q: string) => find(text, q).map(({ from, length }) => text.slice(from, from + length));
const word = (text: string) => [text, 0, 0, 1, 1] as const;

describe('joinWords', () => {
  it('joins words with spaces, except words continued in the next line', () => {
    expect(joinWords(['an', 'exam\u00ad', 'ple', 'of', 'it'].map(word))).toBe('an exam\u00adple of it');
    expect(joinWords([])).toBe('');
    expect(joinWords([word('exam\u00ad')])).toBe('exam\u00ad');
  });
});

describe('Page text matching', () => {
  it('returns matches with their position and original spelling', () => {
    expect(find('Soft light and hard LIGHT', 'light')).toEqual([
      { from: 5, length: 5, around: 'Soft light and hard LIGHT' },
      { from: 20, length: 5, around: 'Soft light and hard LIGHT' },
    ]);
  });

  it.each([
    ['ISPARTA ısparta İsparta isparta', 'ısparta', ['ISPARTA', 'ısparta', 'İsparta', 'isparta']],
    ['Ödev o\u0308dev ODEV', 'odev', ['Ödev', 'o\u0308dev', 'ODEV']],
    ['die Straße hier', 'strasse', ['Straße']],
    ['the ﬁnal oﬃce', 'office', ['oﬃce']],
    ['the ﬁnal oﬃce', 'inal', ['ﬁnal']],
    ['an exam\u00adple of it', 'example', ['exam\u00adple']],
    ['an exam\u00adple of it', 'mple of', ['m\u00adple of']],
    ['100 % of a_b', '% of', ['% of']],
    ['100 % of a_b', 'a_b', ['a_b']],
    ['aaaaaa', 'aaa', ['aaa', 'aaa']],
    ['😀😀 smile 😀', 'smile 😀', ['smile 😀']],
    ['Σίσυφος', 'σισυφοσ', ['Σίσυφος']],
    ['각 방', '각', ['각']],
    ['nothing of it', 'light', []],
    ['nothing of it', '\u0301\u0301\u0301', []],
    ['', 'light', []],
  ])('finds in "%s" for "%s" the expected matches', (text, q, found) => {
    expect(marked(text, q)).toEqual(found);
  });

  it('matches consecutive words, whatever whitespace the query has', () => {
    expect(marked('soft light', ' soft \n\t light ')).toEqual(['soft light']);
    expect(marked('soft and light', 'soft light')).toEqual([]);
  });

  it('returns up to sixty letters of context in whole words, without hyphens', () => {
    const [{ around } = { around: '' }] = find(
      `${'one two '.repeat(20)}need\u00adle ${'three four '.repeat(20)}`,
      'needle',
    );
    expect(around).toMatch(/^(one|two) .* needle three .* (three|four)$/u);
    expect(around.length).toBeLessThanOrEqual(126);
    expect(find(`${'😀'.repeat(100)} needle`, 'needle')[0]!.around.isWellFormed()).toBe(true);
  });

  it('stops at the requested number of matches', () => {
    expect(find('light '.repeat(50), 'light', 7)).toHaveLength(7);
  });
});
