import { readCsvText } from './csv-text.js';

describe('readCsvText', () => {
  const name = 'İğneci Şükrü Çağ';
  /** Encoded as Windows-1254. */
  const windows = Buffer.from([
    ...[0xdd, 0xf0, 0x6e, 0x65, 0x63, 0x69, 0x20, 0xde, 0xfc, 0x6b, 0x72, 0xfc, 0x20, 0xc7, 0x61, 0xf0],
  ]);

  it.each([
    ['UTF-8', Buffer.from(name)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${name}`)],
    ['UTF-16', Buffer.from(`\ufeff${name}`, 'utf16le')],
    ['big-endian UTF-16', Buffer.from(`\ufeff${name}`, 'utf16le').swap16()],
    ['UTF-16 without a byte order mark', Buffer.from(`x${name}`, 'utf16le'), `x${name}`],
    ['big-endian UTF-16 without a byte order mark', Buffer.from(`x${name}`, 'utf16le').swap16(), `x${name}`],
    ['Windows-1254', windows],
  ])('decodes %s', (_, bytes, text = name) => {
    expect(readCsvText(bytes).text).toBe(text);
  });

  it.each([
    ['email,firstName', ','],
    ['email;firstName;lastName', ';'],
    ['email\tfirstName', '\t'],
    ['"a,b,c";email;x', ';'],
    ['email', ','],
    ['\r\n\r\nemail;x\r\n1,2,3', ';'],
    ['', ','],
  ])('detects the delimiter of %j', (text, delimiter) => {
    expect(readCsvText(Buffer.from(text)).delimiter).toBe(delimiter);
  });

  it('applies a sep= hint and skips its line', () => {
    expect(readCsvText(Buffer.from('sep=;\r\nemail,x;y'))).toEqual({
      text: 'email,x;y',
      delimiter: ';',
      skippedLines: 1,
    });
  });
});
