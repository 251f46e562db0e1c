import { detectTextEncoding } from './detect-text-encoding.js';

const encoding = (bytes: string, whole = true) => detectTextEncoding(Buffer.from(bytes, 'latin1'), whole);

describe('Text encoding detection', () => {
  it.each([
    ['nothing', '', 'utf-8'],
    ['UTF-8', Buffer.from('günığş').toString('latin1'), 'utf-8'],
    ['little-endian UTF-16', '\xff\xfe1\x01', 'utf-16le'],
    ['big-endian UTF-16', '\xfe\xff\x011', 'utf-16be'],
    ['Turkish in Windows-1254', 'g\xfcn\xfd\xf0\xfe', 'windows-1254'],
    ['Turkish in Windows-1254, in capitals only', '\xc7\xdd\xd0', 'windows-1254'],
    ['Western in Windows-1252', '\x9elu\xe9', 'windows-1252'],
    ['Icelandic in Windows-1252', '\xdea\xf0 er g\xf3\xf0 tr\xfa og \xed\xfer\xf3tt', 'windows-1252'],
  ])('detects %s', (_what, bytes, expected) => expect(encoding(bytes)).toBe(expected));

  it('accepts a letter cut at the end of the sample, but not of the file', () => {
    expect(encoding('a\xc4', false)).toBe('utf-8');
    expect(encoding('a\xc4', true)).toBe('windows-1254');
  });
});
