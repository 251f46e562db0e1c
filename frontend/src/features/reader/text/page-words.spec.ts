import { resolveLinks } from './page-links';
import { normaliseCopiedText, withSeparator, groupIntoLines, wordsInRange, type Word } from './page-words';

const word = (text: string, x: number, y: number, w = 80, h = 20): Word => [text, x, y, w, h];
const linesAsText = (words: readonly Word[]) =>
  groupIntoLines(words).map((line) => line.words.map(([text]) => text).join(' '));

describe('groupIntoLines', () => {
  it('joins words side by side in document order', () => {
    const page = [
      word('Soft', 100, 100),
      word('light', 200, 104, 80, 12),
      word('and', 100, 130),
      word('shade', 200, 128),
    ];
    expect(linesAsText(page)).toEqual(['Soft light', 'and shade']);
    expect(groupIntoLines(page)[0]).toMatchObject({ x: 100, y: 100, w: 180, h: 20 });
  });

  it('splits at columns and at a maximum of 100 words', () => {
    expect(linesAsText([word('left', 100, 800), word('right', 600, 100)])).toEqual(['left', 'right']);
    expect(groupIntoLines(Array.from({ length: 250 }, () => word('a', 0, 0))).map(({ words }) => words.length)).toEqual(
      [...[100, 100, 50]],
    );
    expect(groupIntoLines([])).toEqual([]);
  });
});

describe('Copied text', () => {
  it('keeps its lines and rejoins hyphenated words', () => {
    const page = [word('An', 100, 100), word('exam\u00ad', 200, 100), word('ple', 100, 130), word('here', 200, 130)];
    const selected = groupIntoLines(page).flatMap(({ words }) =>
      words.map(([text], index) => withSeparator(text, index === words.length - 1)),
    );
    expect(normaliseCopiedText(selected.join(''))).toBe('An example here');
    expect(normaliseCopiedText('Soft light \nand shade\n')).toBe('Soft light\nand shade');
    expect(normaliseCopiedText('An exam\u00ad\n\nple here\n\n\nand there')).toBe('An example here\nand there');
  });
});

describe('Words of a search match', () => {
  // Soft exam|ple end: 'Soft exam\u00adple end'
  const page = [word('Soft', 0, 0), word('exam\u00ad', 0, 0), word('ple', 0, 0), word('end', 0, 0)];
  const textsInRange = (from: number, length: number) => wordsInRange(page, from, length).map(([text]) => text);

  it('are found by offset in the text as the server counts it', () => {
    expect(textsInRange(0, 4)).toEqual(['Soft']);
    expect(textsInRange(5, 8)).toEqual(['exam\u00ad', 'ple']);
    expect(textsInRange(10, 1)).toEqual(['ple']);
    expect(textsInRange(13, 1)).toEqual([]);
    expect(textsInRange(2, 4)).toEqual(['Soft', 'exam\u00ad']);
    expect(textsInRange(14, 3)).toEqual(['end']);
    expect(textsInRange(99, 3)).toEqual([]);
  });
});

describe('resolveLinks', () => {
  const words = [word('See', 100, 100), word('lesson', 200, 100), word('two', 300, 100), word('below', 100, 500)];

  it('returns links in reading order with the words they cover', () => {
    const links = [
      { x: 90, y: 490, w: 100, h: 40, url: 'https://example.org/a?b=1' },
      { x: 190, y: 95, w: 200, h: 30, page: 12 },
      { x: 95, y: 95, w: 90, h: 30, url: 'mailto:ada%40lovelace@example.org' },
    ];
    expect(resolveLinks(links, words)).toEqual([
      { x: 95, y: 95, w: 90, h: 30, text: 'See', url: links[2]!.url, host: 'ada@lovelace@example.org' },
      { x: 190, y: 95, w: 200, h: 30, text: 'lesson two', page: 12 },
      { x: 90, y: 490, w: 100, h: 40, text: 'below', url: 'https://example.org/a?b=1', host: 'example.org' },
    ]);
  });

  it('drops links other than web and email addresses', () => {
    const box = { x: 0, y: 0, w: 10, h: 10 };
    const urls = ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'https://', 'mailto:%'];
    expect(resolveLinks([box, ...urls.map((url) => ({ ...box, url }))], words)).toEqual([
      { ...box, text: '', url: 'mailto:%', host: '%' },
    ]);
  });
});
