import { deflateRawSync } from 'node:zlib';
import { isInlineSafe, detectType } from './content-type.js';
import { RENDERED_TYPES } from './document-types.js';

const whole = (bytes: Buffer | string, name = 'x') => detectType(Buffer.from(bytes as string), true, name);

/** Creates a zip archive with one entry, enough for type detection. */
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

describe('File type detection', () => {
  it.each([
    ['plain text', 'merhaba ğüş', 'text/plain'],
    ['text with a form feed', 'a\fb\r\n\tc\u001b[0m', 'text/plain'],
    ['text in UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('çay', 'utf16le')]), 'text/plain'],
    [
      'Turkish text in Windows-1254',
      Buffer.from('\xdeimdi g\xfcn \xfd\xfe\xfd\xf0\xfd, \xddyi', 'latin1'),
      'text/plain',
    ],
    [
      'a Turkish word in Windows-1254 with hardly any ASCII letter',
      Buffer.from('\xc7\xf6\xf0\xfc\xfe', 'latin1'),
      'text/plain',
    ],
    ['Western text in Windows-1252', Buffer.from('\x93caf\xe9\x94 \x96 na\xefve \x80 5', 'latin1'), 'text/plain'],
    ['HTML in a Windows code page', Buffer.from('<html><p>g\xfcn', 'latin1'), 'text/html'],
    ['bytes that are invalid in every code page', Buffer.from('abc\x81\x8d', 'latin1'), 'application/octet-stream'],
    ['bytes that are mostly not letters', Buffer.from('\xe1\xf0\xfe\xc0a', 'latin1'), 'application/octet-stream'],
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
  ])('detects %s', async (_what, bytes, expected) => expect(await whole(bytes)).toBe(expected));

  it('accepts a letter cut at the end of the sample, but not of the file', async () => {
    const cut = Buffer.from('aaaぁ').subarray(0, 5);
    expect(await detectType(cut, false, 'x')).toBe('text/plain');
    expect(await detectType(cut, true, 'x')).toBe('application/octet-stream');
  });

  it('uses the file name only to choose within a family of types', async () => {
    const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    expect(await whole(zip('unknown/entry'), 'a.docx')).toBe(docx);
    expect(await whole(zip('unknown/entry'), 'a.png')).toBe('application/zip');
    expect(await whole('text', 'a.docx')).toBe('text/plain');
    expect(await whole('<svg/>', 'a.png')).toBe('image/svg+xml');
    const cfb = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
    expect(await whole(cfb, 'a.DOC')).toBe('application/msword');
  });

  const PDF_BODY = '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n';
  it.each([
    ['a line feed before its header', `\n${PDF_BODY}`, 'application/pdf'],
    ['HTTP response headers before its header', `HTTP/1.1 200 OK\n${PDF_BODY}`, 'application/pdf'],
    ['binary bytes before its header', `\0\x01\x02${PDF_BODY}`, 'application/pdf'],
    ['its header at the last offset where PDF viewers look', `${' '.repeat(1019)}${PDF_BODY}`, 'application/pdf'],
    ['its header one byte further', `${' '.repeat(1020)}${PDF_BODY}`, 'text/plain'],
  ])('checks for PDF with %s', async (_what, bytes, expected) => expect(await whole(bytes)).toBe(expected));

  it.each([
    ['a text that mentions the header', 'A PDF begins with %PDF-1.7 and a comment.', 'text/plain'],
    ['an HTML page with a PDF inside', `<html><!-- \n${PDF_BODY} -->`, 'text/html'],
    ['an archive that begins with a PDF', Buffer.concat([zip('a.pdf'), Buffer.from(PDF_BODY)]), 'application/zip'],
  ])('does not return PDF for %s', async (_what, bytes, expected) => expect(await whole(bytes)).toBe(expected));

  it.each(['49492a00f0ff0f00', '4d4d002a000ffff0', '49492b0008000000'])(
    'detects TIFF whose directory is outside the sample: %s',
    async (signature) =>
      expect(await detectType(Buffer.concat([Buffer.from(signature, 'hex'), Buffer.alloc(65_528)]), false, 'x')).toBe(
        'image/tiff',
      ),
  );

  it.each([
    ['a.docm', 'application/vnd.ms-word.document.macroenabled.12'],
    ['a.xlsm', 'application/vnd.ms-excel.sheet.macroenabled.12'],
    ['a.pptm', 'application/vnd.ms-powerpoint.presentation.macroenabled.12'],
    ['a.ppsx', 'application/vnd.openxmlformats-officedocument.presentationml.slideshow'],
    ['a.odg', 'application/vnd.oasis.opendocument.graphics'],
  ])('detects Office archives by name, whose pages are rendered: %s', async (name, type) => {
    expect(await whole(zip('unknown/entry'), name)).toBe(type);
    expect(RENDERED_TYPES).toContain(type);
  });

  it('detects encrypted Office documents by name', async () => {
    const cfb = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
    expect(await whole(cfb, 'a.xlsx')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
  });

  it('detects an empty file by name only for text types', async () => {
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
  ])('isInlineSafe for %s is %s', (type, expected) => expect(isInlineSafe(type)).toBe(expected));
});
