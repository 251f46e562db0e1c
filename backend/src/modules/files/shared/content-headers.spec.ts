import { contentDisposition, matchesEtag, parseRange } from './content-headers.js';

describe('parseRange', () => {
  it.each([
    ['bytes=0-9', 100, { start: 0, end: 9 }],
    ['bytes=90-', 100, { start: 90, end: 99 }],
    ['bytes=90-1000', 100, { start: 90, end: 99 }],
    ['bytes=-10', 100, { start: 90, end: 99 }],
    ['bytes=-1000', 100, { start: 0, end: 99 }],
    ['bytes=99-99', 100, { start: 99, end: 99 }],
    ['bytes=100-', 100, 'unsatisfiable'],
    ['bytes=-0', 100, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=9-0', 100, null],
    ['bytes=0-1,4-5', 100, null],
    ['bytes=-', 100, null],
    ['lines=0-1', 100, null],
    [undefined, 100, null],
  ])('parses %s of %d bytes', (header, size, expected) => expect(parseRange(header, size)).toEqual(expected));
});

describe('matchesEtag', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
    [undefined, false],
  ])('evaluates %s', (header, expected) => expect(matchesEtag(header, '"a"')).toBe(expected));
});

describe('contentDisposition', () => {
  it.each([
    ['plain.txt', `attachment; filename="plain.txt"; filename*=UTF-8''plain.txt`],
    ['ğ 😀.txt', `attachment; filename="_ _.txt"; filename*=UTF-8''%C4%9F%20%F0%9F%98%80.txt`],
    [`a"b'c(d)*%.txt`, `attachment; filename="a_b'c(d)*_.txt"; filename*=UTF-8''a%22b%27c%28d%29%2A%25.txt`],
  ])('encodes %s', (name, expected) => expect(contentDisposition('attachment', name)).toBe(expected));
});
