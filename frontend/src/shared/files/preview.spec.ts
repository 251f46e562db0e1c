import type { Schema } from '../api/client';
import { decodeText } from './decode-text';
import { previewKind, readApart, viewAddress } from './preview-kind';

type StoredFile = Schema<'FileDto'>;

const file = (mimeType: string, changes: object = {}) =>
  ({ id: 1, mimeType, viewable: true, can: { view: true, download: true }, ...changes }) as StoredFile;

describe('how a file is shown', () => {
  it.each([
    'application/vnd.ms-word.document.macroenabled.12',
    'application/vnd.ms-excel.sheet.macroenabled.12',
    'application/vnd.ms-powerpoint.presentation.macroenabled.12',
    'application/vnd.openxmlformats-officedocument.presentationml.slideshow',
    'application/vnd.oasis.opendocument.graphics',
  ])('shows %s by pages', (type) => expect(previewKind(file(type))).toBe('pages'));

  it('follows its type', () => {
    const types = ['image/png', 'video/mp4', 'audio/mpeg', 'application/pdf', 'text/plain', 'application/zip'];
    expect(types.map((type) => previewKind(file(type)))).toEqual(['image', 'video', 'audio', 'pages', 'text', 'none']);
  });

  it('says that a file is empty, whatever its type', () => {
    expect(previewKind(file('application/octet-stream', { viewable: false, size: 0 }))).toBe('empty');
    expect(previewKind(file('image/png', { size: 0, can: { view: false, download: false } }))).toBe('empty');
  });

  it('is by pages or in pieces where it may not be downloaded', () => {
    const can = { view: true, download: false } as StoredFile['can'];
    expect(previewKind(file('image/png', { can }))).toBe('pages');
    expect(previewKind(file('application/pdf', { can }))).toBe('pages');
    expect(previewKind(file('text/plain', { can }))).toBe('pages');
    expect(previewKind(file('application/msword', { viewable: false, can }))).toBe('pages');
    expect(previewKind(file('video/mp4', { can }))).toBe('video');
    expect(viewAddress({ id: 1, can })).toBe('/api/files/1/media');
    expect(viewAddress(file('video/mp4'))).toBe('/api/files/1/view');
    const types = ['image/png', 'application/pdf', 'audio/mpeg', 'video/mp4', 'text/plain', 'application/zip'];
    const ways = ['pages', 'pages', 'media', 'media', 'pages', 'none'];
    expect(types.map((mimeType) => readApart({ mimeType }))).toEqual(ways);
  });

  it('is by pages of what browsers do not show, also for who may not have its bytes', () => {
    const readOnly = { viewable: false, can: { view: true, download: false } };
    const types = ['image/svg+xml', 'image/tiff', 'image/heic', 'image/heif', 'application/pdf'];
    expect(types.map((type) => previewKind(file(type, readOnly)))).toEqual(types.map(() => 'pages'));
  });

  it('is not at all what the server does not show inline, or the viewer may not open', () => {
    expect(previewKind(file('image/bmp', { viewable: false }))).toBe('none');
    expect(previewKind(file('image/png', { can: { view: false, download: false } }))).toBe('none');
  });
});

describe('the text of a file', () => {
  const bytes = (...values: number[]) => new Uint8Array(values).buffer;

  it('is read as UTF-8, or as the mark at its beginning says', () => {
    expect(decodeText(new TextEncoder().encode('ışık').buffer as ArrayBuffer)).toBe('ışık');
    expect(decodeText(bytes(0xff, 0xfe, 0x31, 0x01))).toBe('ı');
    expect(decodeText(bytes(0xfe, 0xff, 0x01, 0x31))).toBe('ı');
    expect(decodeText(bytes())).toBe('');
  });

  it('is read as the Windows of Turkey or of Western Europe when it is no UTF-8', () => {
    const windows = (text: string) => bytes(...Array.from(text, (sign) => sign.charCodeAt(0)));
    expect(decodeText(windows('g\xfcn\xfd\xf0\xfe \xdeI\xdd'))).toBe('günığş ŞIİ');
    expect(decodeText(windows('\x93caf\xe9\x94 \x96 \x80'))).toBe('“café” – €');
    expect(decodeText(windows('\xdea\xf0 er g\xf3\xf0 tr\xfa og \xed\xfer\xf3tt'))).toBe('Það er góð trú og íþrótt');
    expect(decodeText(windows('\x9elu\xe9'))).toBe('žlué');
  });

  it('leaves out a letter that is cut off at the end', () => {
    expect(decodeText(bytes(0x61, 0xc4))).toBe('a');
  });
});
