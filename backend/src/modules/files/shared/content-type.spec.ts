import { deflateRawSync } from 'node:zlib';
import { isInline, sniffType } from './content-type.js';

const whole = (bytes: Buffer | string, name = 'x') => sniffType(Buffer.from(bytes as string), true, name);

/** A zip archive of one entry, enough to be told apart. */
function zip(entry: string): Buffer {
  const data = deflateRawSync('x');
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(data.length, 18);
  head.writeUInt32LE(1, 22);
  head.writeUInt16LE(entry.length, 26);
  return Buffer.concat([head, Buffer.from(entry), data]);
}

describe('the type of a file', () => {
  it.each([
    ['plain text', 'merhaba ğüş', 'text/plain'],
    ['text with a form feed', 'a\fb\r\n\tc\u001b[0m', 'text/plain'],
    ['text in UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('çay', 'utf16le')]), 'text/plain'],
    ['Turkish text of Windows', Buffer.from('\xdeimdi g\xfcn \xfd\xfe\xfd\xf0\xfd, \xddyi', 'latin1'), 'text/plain'],
    [
      'a Turkish word of Windows with hardly a plain letter',
      Buffer.from('\xc7\xf6\xf0\xfc\xfe', 'latin1'),
      'text/plain',
    ],
    ['Western text of Windows', Buffer.from('\x93caf\xe9\x94 \x96 na\xefve \x80 5', 'latin1'), 'text/plain'],
    ['HTML of Windows', Buffer.from('<html><p>g\xfcn', 'latin1'), 'text/html'],
    ['bytes that no code page has', Buffer.from('abc\x81\x8d', 'latin1'), 'application/octet-stream'],
    ['bytes that are hardly letters', Buffer.from('\xe1\xf0\xfe\xc0a', 'latin1'), 'application/octet-stream'],
    ['other bytes with control characters', Buffer.from('g\xfcn\x01', 'latin1'), 'application/octet-stream'],
    ['control characters', 'a\0b', 'application/octet-stream'],
    ['nothing', '', 'application/octet-stream'],
    ['PDF', '%PDF-1.7\n', 'application/pdf'],
    ['GIF', 'GIF89a\u0001\0\u0001\0', 'image/gif'],
    ['SVG', ' \n<svg viewBox="0 0 1 1"></svg>', 'image/svg+xml'],
    ['SVG with a prefix', '<?xml version="1.0"?><s:svg xmlns:s="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['SVG after comments', '<!-- a --><!DOCTYPE svg PUBLIC "x" "y"><!-- b --><SVG>', 'image/svg+xml'],
    ['HTML', '<!DOCTYPE HTML><p>', 'text/html'],
    ['HTML without a head', '\n<script>alert(1)</script>', 'text/html'],
    ['XML', '<?xml version="1.0"?><a/>', 'application/xml'],
    ['text that mentions a tag', 'use <html> for pages', 'text/plain'],
  ])('%s', async (_what, bytes, expected) => expect(await whole(bytes)).toBe(expected));

  it('is text when a letter is cut at the end of what was read, and only then', async () => {
    const cut = Buffer.from('aaaぁ').subarray(0, 5);
    expect(await sniffType(cut, false, 'x')).toBe('text/plain');
    expect(await sniffType(cut, true, 'x')).toBe('application/octet-stream');
  });

  it('takes from the name only which member of a family it is', async () => {
    const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    expect(await whole(zip('unknown/entry'), 'a.docx')).toBe(docx);
    expect(await whole(zip('unknown/entry'), 'a.png')).toBe('application/zip');
    expect(await whole('text', 'a.docx')).toBe('text/plain');
    expect(await whole('<svg/>', 'a.png')).toBe('image/svg+xml');
    const cfb = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
    expect(await whole(cfb, 'a.DOC')).toBe('application/msword');
  });

  it('of an empty file is told by its name, when that speaks of text', async () => {
    expect(await whole('', 'notes.TXT')).toBe('text/plain');
    expect(await whole('', 'page.html')).toBe('application/octet-stream');
    expect(await whole('', 'photo.png')).toBe('application/octet-stream');
  });

  it.each([
    ['image/png', true],
    ['image/webp', true],
    ['video/mp4', true],
    ['audio/mpeg', true],
    ['application/pdf', true],
    ['text/plain', true],
    ['image/svg+xml', false],
    ['text/html', false],
    ['application/xhtml+xml', false],
    ['application/xml', false],
    ['image/tiff', false],
    ['application/octet-stream', false],
  ])('%s is shown inline: %s', (type, expected) => expect(isInline(type)).toBe(expected));
});
