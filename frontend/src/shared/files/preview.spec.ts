import type { Schema } from '../api/client';
import { decodeText } from './decode-text';
import { getPreviewKind, getReadMode, viewUrl } from './preview-kind';

type StoredFile = Schema<'FileDto'>;

const makeStoredFile = (mimeType: string, overrides: object = {}) =>
  ({ id: 1, mimeType, viewable: true, can: { view: true, download: true }, ...overrides }) as StoredFile;

describe('getPreviewKind', () => {
  it.each([
    'application/vnd.ms-word.document.macroenabled.12',
    'application/vnd.ms-excel.sheet.macroenabled.12',
    'application/vnd.ms-powerpoint.presentation.macroenabled.12',
    'application/vnd.openxmlformats-officedocument.presentationml.slideshow',
    'application/vnd.oasis.opendocument.graphics',
  ])('shows %s as pages', (type) => expect(getPreviewKind(makeStoredFile(type))).toBe('pages'));

  it('depends on the file type', () => {
    const types = ['image/png', 'video/mp4', 'audio/mpeg', 'application/pdf', 'text/plain', 'application/zip'];
    expect(types.map((type) => getPreviewKind(makeStoredFile(type)))).toEqual([
      'image',
      'video',
      'audio',
      'pages',
      'text',
      'none',
    ]);
  });

  it('returns "empty" for an empty file of any type', () => {
    expect(getPreviewKind(makeStoredFile('application/octet-stream', { viewable: false, size: 0 }))).toBe('empty');
    expect(getPreviewKind(makeStoredFile('image/png', { size: 0, can: { view: false, download: false } }))).toBe(
      'empty',
    );
  });

  it('uses rendered pages or streaming when download is not allowed', () => {
    const can = { view: true, download: false } as StoredFile['can'];
    expect(getPreviewKind(makeStoredFile('image/png', { can }))).toBe('pages');
    expect(getPreviewKind(makeStoredFile('application/pdf', { can }))).toBe('pages');
    expect(getPreviewKind(makeStoredFile('text/plain', { can }))).toBe('pages');
    expect(getPreviewKind(makeStoredFile('application/msword', { viewable: false, can }))).toBe('pages');
    expect(getPreviewKind(makeStoredFile('video/mp4', { can }))).toBe('video');
    expect(viewUrl({ id: 1, can })).toBe('/api/files/1/media');
    expect(viewUrl(makeStoredFile('video/mp4'))).toBe('/api/files/1/view');
    const types = ['image/png', 'application/pdf', 'audio/mpeg', 'video/mp4', 'text/plain', 'application/zip'];
    const modes = ['pages', 'pages', 'media', 'media', 'pages', 'none'];
    expect(types.map((mimeType) => getReadMode({ mimeType }))).toEqual(modes);
  });

  it('uses pages for types browsers can’t display, even without download permission', () => {
    const readOnly = { viewable: false, can: { view: true, download: false } };
    const types = ['image/svg+xml', 'image/tiff', 'image/heic', 'image/heif', 'application/pdf'];
    expect(types.map((type) => getPreviewKind(makeStoredFile(type, readOnly)))).toEqual(types.map(() => 'pages'));
  });

  it('returns "none" for files that are not viewable or not permitted', () => {
    expect(getPreviewKind(makeStoredFile('image/bmp', { viewable: false }))).toBe('none');
    expect(getPreviewKind(makeStoredFile('image/png', { can: { view: false, download: false } }))).toBe('none');
  });
});

describe('decodeText', () => {
  const bytes = (...values: number[]) => new Uint8Array(values).buffer;

  it('reads UTF-8 or the encoding of the byte order mark', () => {
    expect(decodeText(new TextEncoder().encode('ışık').buffer as ArrayBuffer)).toBe('ışık');
    expect(decodeText(bytes(0xff, 0xfe, 0x31, 0x01))).toBe('ı');
    expect(decodeText(bytes(0xfe, 0xff, 0x01, 0x31))).toBe('ı');
    expect(decodeText(bytes())).toBe('');
  });

  it('falls back to Turkish or Western European Windows encodings', () => {
    const encodeWindows = (text: string) => bytes(...Array.from(text, (character) => character.charCodeAt(0)));
    expect(decodeText(encodeWindows('g\xfcn\xfd\xf0\xfe \xdeI\xdd'))).toBe('günığş ŞIİ');
    expect(decodeText(encodeWindows('\x93caf\xe9\x94 \x96 \x80'))).toBe('“café” – €');
    expect(decodeText(encodeWindows('\xdea\xf0 er g\xf3\xf0 tr\xfa og \xed\xfer\xf3tt'))).toBe(
      'Það er góð trú og íþrótt',
    );
    expect(decodeText(encodeWindows('\x9elu\xe9'))).toBe('žlué');
  });

  it('drops a truncated character at the end', () => {
    expect(decodeText(bytes(0x61, 0xc4))).toBe('a');
  });
});
