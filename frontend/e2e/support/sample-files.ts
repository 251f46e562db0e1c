import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** A file for `setInputFiles`. */
export interface SampleFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** A real PNG: a gradient of the given size in pixels. */
export function pngFile(name: string, width = 240, height = 160): SampleFile {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const offset = y * (1 + width * 3) + 1 + x * 3;
      rows.set([(x * 255) / width, (y * 255) / height, 160], offset);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(rows)), pngChunk('IEND', Buffer.alloc(0))];
  return { name, mimeType: 'image/png', buffer: Buffer.concat([signature, ...chunks]) };
}

function pngChunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}

/** A real PDF with `text` on each page, followed by the page number. */
export function pdfFile(name: string, text: string, pages = 1): SampleFile {
  const numbers = Array.from({ length: pages }, (_, index) => index);
  const kids = numbers.map((at) => `${4 + at * 2} 0 R`).join(' ');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pages}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...numbers.flatMap((at) => {
      const content = `BT /F1 32 Tf 72 700 Td (${pages === 1 ? text : `${text} ${at + 1}`}) Tj ET`;
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${5 + at * 2} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
        `<</Length ${content.length}>>stream\n${content}\nendstream`,
      ];
    }),
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj${object}\nendobj\n`;
    return String(offset).padStart(10, '0');
  });
  const xrefRows = offsets.map((offset) => `${offset} 00000 n \n`).join('');
  const trailer = `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF`;
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${xrefRows}${trailer}`;
  return { name, mimeType: 'application/pdf', buffer: Buffer.from(body, 'latin1') };
}

export function textFile(name: string, content: string): SampleFile {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(content) };
}

/** Random content, so that no two files are the same. */
export function randomFile(name: string, size: number): SampleFile {
  return { name, mimeType: 'application/octet-stream', buffer: randomBytes(size) };
}
