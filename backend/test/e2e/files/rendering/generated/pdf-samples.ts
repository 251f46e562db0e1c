import { createHash } from 'node:crypto';

/**
 * Builds a PDF from objects, numbered from 1; the first is the catalogue. `trailer` adds entries besides size and root.
 */
export function buildPdf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  let length = parts[0]!.length;
  const offsets = objects.map((object, index) => {
    const entry = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    parts.push(entry);
    length += entry.length;
    return String(length - entry.length).padStart(10, '0');
  });
  const rows = offsets.map((at) => `${at} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer << /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

export const pdfStream = (content: string | Buffer, dictionary = ''): Buffer => {
  const bytes = Buffer.from(content);
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${dictionary} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
};

const CATALOGUE = '<< /Type /Catalog /Pages 2 0 R >>';
const ONE_PAGE = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
const BLACK_FILL = '0 0 0 rg 0 0 20000 20000 re f';

/** One page with its own page box, filled black. */
export function pageWithBox(box: string, content: string | Buffer = BLACK_FILL, resources = ''): Buffer {
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Contents 4 0 R /Resources << ${resources} >> >>`;
  return buildPdf([CATALOGUE, ONE_PAGE, page, pdfStream(content)]);
}

/** This many pages, all the same object. */
export function pdfWithPages(count: number): Buffer {
  const kids = Array.from({ length: count }, () => '3 0 R').join(' ');
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>';
  return buildPdf([CATALOGUE, `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`, page]);
}

/** A page filled with a pattern whose steps are so small that it would be painted 10^14 times. */
export function endlessPatternPdf(): Buffer {
  const pattern =
    '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 0.00001 /YStep 0.00001 /Resources << >>';
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /Pattern << /P 5 0 R >> >> >>';
  const fill = pdfStream('/Pattern cs /P scn 0 0 100 100 re f');
  return buildPdf([CATALOGUE, ONE_PAGE, page, fill, pdfStream('0 0 9 9 re f', pattern)]);
}

/** A page that paints a form ten times, which paints another form ten times, and so on: 10^12 squares. */
export function exponentialFormsPdf(): Buffer {
  const DEPTH = 12;
  const form = (at: number): Buffer => {
    const isLast = at === DEPTH - 1;
    const content = isLast ? '0 0 9 9 re f' : '/F Do '.repeat(10);
    const resources = isLast ? '' : `/Resources << /XObject << /F ${at + 6} 0 R >> >>`;
    return pdfStream(content, `/Type /XObject /Subtype /Form /BBox [0 0 100 100] ${resources}`);
  };
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >> >>';
  const forms = Array.from({ length: DEPTH }, (_, index) => form(index));
  return buildPdf([CATALOGUE, ONE_PAGE, page, pdfStream('/F Do'), ...forms]);
}

/** A page with a JPEG 2000 image whose tile lengths are zero, which crashed earlier builds of PDFium. */
export function undecodableImagePdf(): Buffer {
  const size = 'ff510029000000000080000000400000000000000000000000400000004000000000000000000001070101';
  const coding = 'ff52000c00000001000004040001ff5c00044040';
  const lengths = 'ff55000c00400000010000000100';
  const packet = 'df8050115054afff7fe989607f';
  const tiles =
    `ff90000a00000000001b0000ff93${packet}ff90000a00000000000e0100ff93` +
    `ff90000a00000000000e0200ff93ff90000a00010000001b0001ff93${packet}`;
  const dictionary =
    '/Type /XObject /Subtype /Image /Width 128 /Height 64 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /JPXDecode';
  const picture = Buffer.from(`ff4f${size}${coding}${lengths}${tiles}ffd9`, 'hex');
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>';
  return buildPdf([CATALOGUE, ONE_PAGE, page, pdfStream('100 0 0 100 0 0 cm /I Do'), pdfStream(picture, dictionary)]);
}

/** Page trees that contain themselves or have false entries. */
export const invalidPageTrees: Record<string, Buffer> = {
  'a page tree that holds itself': buildPdf([CATALOGUE, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>']),
  'two nodes that hold each other': buildPdf([
    CATALOGUE,
    '<< /Type /Pages /Kids [3 0 R] /Count 5 >>',
    '<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 5 >>',
  ]),
  'two thousand million pages by its own account': buildPdf([
    CATALOGUE,
    '<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>',
  ]),
  'no page': buildPdf([CATALOGUE, '<< /Type /Pages /Kids [] /Count 0 >>']),
  'a page that is no object': buildPdf([CATALOGUE, '<< /Type /Pages /Kids [9 0 R] /Count 1 >>']),
  'a catalogue that is its own tree': buildPdf(['<< /Type /Catalog /Pages 1 0 R /Kids [1 0 R] /Count 1 >>']),
};

/** Damages a file in one of twenty ways: truncates it, or flips bytes at the same offsets in every run. */
export function damageFile(file: Buffer, variant: number): Buffer {
  if (variant < 8) return file.subarray(0, Math.floor((file.length * (variant + 1)) / 9));
  const bytes = Buffer.from(file);
  let seed = variant * 7919;
  for (let round = 0; round < variant - 7; round++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    const at = 9 + (seed % (bytes.length - 9));
    bytes[at] = bytes[at]! ^ (1 << (variant % 8));
  }
  return bytes;
}

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();
const padPassword = (password: string) => Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32);

/** A PDF that needs a password (RC4 with 40 bits, security handler revision 2); pages are black by default. */
export function createEncryptedPdf(password: string, content = BLACK_FILL, pages = 1): Buffer {
  const id = Buffer.alloc(16, 7);
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const owner = rc4(md5(padPassword(password)).subarray(0, 5), padPassword(password));
  const key = md5(padPassword(password), owner, permissions, id).subarray(0, 5);
  const objectKey = md5(key, Buffer.from([4, 0, 0, 0, 0])).subarray(0, 10);
  const kids = Array.from({ length: pages }, () => '3 0 R').join(' ');
  const font = '<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>';
  const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`;
  return buildPdf(
    [
      CATALOGUE,
      `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources ${font} >>`,
      pdfStream(rc4(objectKey, Buffer.from(content))),
      `<< /Filter /Standard /V 1 /R 2 /O ${hex(owner)} /U ${hex(rc4(key, PADDING))} /P -4 >>`,
    ],
    `/Encrypt 5 0 R /ID [${hex(id)} ${hex(id)}]`,
  );
}

export function rc4(key: Uint8Array, bytes: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, index) => index);
  const swap = (one: number, other: number) => ([state[one], state[other]] = [state[other]!, state[one]!]);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255;
    swap(i, j);
  }
  let i = 0;
  let j = 0;
  return Buffer.from(
    bytes.map((byte) => {
      i = (i + 1) & 255;
      j = (j + state[i]!) & 255;
      swap(i, j);
      return byte ^ state[(state[i]! + state[j]!) & 255]!;
    }),
  );
}
