import { fullOrShort } from '../../../test/support/full-or-short.js';
import { containsUrl, removeUrls, removeUrlsIfAny } from './plain-name.js';

/** A seeded pseudo-random generator, so that every run uses the same numbers. */
function numbers(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const words = [
  'evil',
  'Ada',
  'Şarkı',
  'bücher',
  'пример',
  '例え',
  'münze-1',
  'a',
  'Dr',
  'x_y',
  '9',
  '\u{1f600}',
  'ﬁne',
  'İ',
];
const dots = [
  '.',
  ' . ',
  ' .',
  '. ',
  '．',
  '。',
  '｡',
  '․',
  '·',
  '(.)',
  ' [dot] ',
  '{ nokta }',
  ' dot ',
  '\u200b.\u200b',
  '.\u00ad',
  '..',
];
const endings = [
  'com',
  'COM',
  'ｃｏｍ',
  'net',
  'com.tr',
  'io',
  'рф',
  'xn--p1ai',
  '中国',
  'c\u200bom',
  'js',
  'Petersburg',
  'me',
  '',
  '.',
  'zz',
];
const begins = ['', 'http://', 'hTTps:\\\\', 'https : //', 'www.', 'ftp://', 'a@', 'mailto:a@', '//', 'x:1@'];
const ends = [
  '',
  '/path',
  '/?q=1#a',
  ':8080/x',
  '/ x',
  '\r\nBcc: eve@evil.com',
  '\u202e',
  '\u2066',
  '\0',
  '\ud800',
  ' 10.0.0.1',
  ' - Hello',
];

function madeUp(next: (below: number) => number): string {
  const any = (list: readonly string[]) => list[next(list.length)]!;
  let text = '';
  for (let left = 1 + next(4); left > 0; left--) {
    text +=
      any(begins) + any(words) + any(dots) + (next(3) === 0 ? any(words) + any(dots) : '') + any(endings) + any(ends);
    text += next(2) === 0 ? ' ' : '';
  }
  return text;
}

/** What programs turn into links; written independently of the implementation. */
const LINKED =
  /:\/\/|\bwww\.\S|[\p{L}\p{N}_-]\.[\p{L}_-]|[\p{L}_-]\.\p{N}|(?<![\d.])\d{1,3}(\.\d{1,3}){3}(?![\d.])|@\S+\.\S/u;
/** What people would take for a domain, with spaces around the dot. */
const READ = /[\p{L}\p{N}]\s*[.．。]\s*(com|net|org|info|xn--\w+)(?![\p{L}\p{N}-])/iu;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

describe('Name in an email subject', () => {
  it.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['Dr. Ada King', 'Dr. Ada King'],
    ['Av.Mehmet Yılmaz', 'Av. Mehmet Yılmaz'],
    ['J. R. R. Tolkien', 'J. R. R. Tolkien'],
    ['J.R.R. Tolkien', 'J. R. R. Tolkien'],
    ['Algebra 2.0', 'Algebra 2.0'],
    ['Node.js Course', 'Node. js Course'],
    ['Read. Live. Love', 'Read. Live. Love'],
    ['Ada, "the" <coach>', 'Ada, "the" <coach>'],
    ['Şarkı & Müzik – 2026', 'Şarkı & Müzik – 2026'],
    ['and/or 24/7', 'and/or 24/7'],
    ['کتاب\u200cهای من', 'کتاب\u200cهای من'],
    ['क्\u200dष', 'क्\u200dष'],
    ['Team 👩\u200d👩\u200d👧 ❤\ufe0f', 'Team 👩\u200d👩\u200d👧 ❤\ufe0f'],
  ])('stays unchanged: %s', (name, shown) => expect(removeUrls(name)).toBe(shown));

  it.each([
    ['You won http://evil.example/win?x=1 today', 'You won today'],
    ['Prize at evil.com', 'Prize at'],
    ['Prize at EVIL . COM now', 'Prize at now'],
    ['Prize evil .com', 'Prize'],
    ['Prize evil. com', 'Prize'],
    ['Prize evil．com', 'Prize'],
    ['Prize evil。com', 'Prize'],
    ['Prize ｅｖｉｌ．ｃｏｍ', 'Prize'],
    ['Prize e\u200bvil.c\u00adom', 'Prize'],
    ['Prize evil (dot) com', 'Prize'],
    ['Prize evil nokta com', 'Prize'],
    ['Prize bücher.de/x', 'Prize'],
    ['Prize xn--bcher-kva.com', 'Prize'],
    ['Prize пример.рф', 'Prize'],
    ['Prize 93.184.216.34/login', 'Prize'],
    ['Prize eve@evil.com', 'Prize'],
    ['www.evil.com.tr', ''],
    ['bit.ly/3abc', ''],
    ['Prize e\u200dvil.c\u200com', 'Prize'],
    ['Prize کتاب\u200cها.com', 'Prize'],
    ['Prize 👩\u200d👧.com', 'Prize'],
    ['Prize evil.unheardof/login', 'Prize'],
  ])('loses URLs: %s', (name, shown) => expect(removeUrls(name)).toBe(shown));

  it.each([
    ...['Ada', 'Dr. Ada', 'St.Pauli', 'v2.0', 'Node.js', 'J.R.R. Tolkien', 'Av.Mehmet', 'Prof.Dr.Ayşe', 'Zonary A.Ş.'],
    ...['Read. Live. Love', 'and/or 24/7', 'Ünite 1.2.3', '.', 'Ada…', 'Ada @ home', 'C++ / C#', 'dot'],
  ])('contains no URL: %s', (name) => {
    expect(containsUrl(name)).toBe(false);
    expect(removeUrlsIfAny(name)).toBe(name);
  });

  it.each([
    ['Win at www.evil.example now', 'Win at now'],
    ['Prize at evil.com', 'Prize at'],
    ['Prize evil . com', 'Prize'],
    ['Prize evil．com', 'Prize'],
    ['Prize e\u200bvil.c\u00adom', 'Prize'],
    ['Prize evil (dot) com', 'Prize'],
    ['Prize eve@evil.com', 'Prize'],
    ['Prize evil.example', 'Prize'],
    ['Prize e\u200bvil\u2060．ex\u00adample', 'Prize'],
    ['Prize пример.рф', 'Prize'],
    ['Prize bücher.de', 'Prize'],
    ['Prize 93.184.216.34', 'Prize'],
    ['https://evil.example', ''],
    [`${'Prize '.repeat(20)}evil.com`, 'Prize '.repeat(20).trim()],
  ])('contains a URL, which is removed: %s', (name, rest) => {
    expect(containsUrl(name)).toBe(true);
    expect(removeUrlsIfAny(name)).toBe(rest);
    expect(containsUrl(rest)).toBe(false);
  });

  it('is one line without direction marks', () => {
    expect(removeUrls('A\r\nBcc: b\u202ec\u2066d\u2028e\0f')).toBe('A Bcc: bcd e f');
  });

  it('is truncated to 60 graphemes', () => {
    expect([...removeUrls('x'.repeat(61))]).toHaveLength(60);
    expect(removeUrls('x'.repeat(60))).toBe('x'.repeat(60));
    expect(removeUrls('👨‍👩‍👧'.repeat(80))).toBe(`${'👨‍👩‍👧'.repeat(59)}…`);
  });

  it('is processed quickly for any input', () => {
    for (const part of ['a.', 'a . ', '. ', 'a@', '1.', '\u0301', 'http:', '(', 'dot ', 'com.']) {
      const startedAt = process.cpuUsage().user;
      removeUrls(part.repeat(200_000));
      containsUrl(part.repeat(200_000));
      expect(process.cpuUsage().user - startedAt).toBeLessThan(1_000_000);
    }
  });

  it('contains no URL after removal in random names, and a second pass changes nothing', () => {
    const next = numbers(14);
    for (let count = 0; count < fullOrShort(20_000, 4000); count++) {
      const name = madeUp(next);
      const shown = removeUrls(name);
      const details = JSON.stringify({ name, shown });
      expect(LINKED.test(shown) ? details : null).toBeNull();
      expect(READ.test(shown) ? details : null).toBeNull();
      expect(HIDDEN.test(shown) ? details : null).toBeNull();
      expect([...shown].length > 60 ? details : null).toBeNull();
      expect(removeUrls(shown) === shown ? null : details).toBeNull();
      expect(containsUrl(shown) || containsUrl(removeUrlsIfAny(name)) ? details : null).toBeNull();
    }
  });
});
