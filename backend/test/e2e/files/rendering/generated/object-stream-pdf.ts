import { deflateSync } from 'node:zlib';

/** How a document's object stream is compressed, and what precedes it in the file. */
export interface ObjectStreamOptions {
  readonly pack: (content: Buffer) => Buffer;
  /** Entries of the stream's dictionary. */
  readonly entries: string;
  readonly before: string;
}

export const DEFLATE: ObjectStreamOptions = { pack: deflateSync, entries: '/Filter /FlateDecode', before: '' };

/** Builds a PDF whose objects, numbered from 1, are in an object stream, except streams, which are buffers. */
export function createObjectStreamPdf(
  objects: readonly (string | Buffer)[],
  { pack, entries, before }: ObjectStreamOptions = DEFLATE,
): Buffer {
  const [container, table] = [objects.length + 1, objects.length + 2];
  let file = Buffer.from('%PDF-1.7\n');
  const offsets = new Map<number, number>();
  const add = (number: number, object: Buffer) => {
    offsets.set(number, file.length);
    file = Buffer.concat([file, Buffer.from(`${number} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
  };
  const streamObjects = objects.flatMap((object, index) =>
    typeof object === 'string' ? [{ number: index + 1, object }] : [],
  );
  for (const [index, object] of objects.entries()) if (typeof object !== 'string') add(index + 1, object);
  let length = 0;
  const offsetTable = streamObjects.map(({ number, object }) => {
    length += object.length + 1;
    return `${number} ${length - object.length - 1}`;
  });
  const head = `${offsetTable.join(' ')} `;
  file = Buffer.concat([file, Buffer.from(before, 'latin1')]);
  const content = pack(Buffer.from(head + streamObjects.map(({ object }) => `${object} `).join(''), 'latin1'));
  const dictionary = `<< /Type /ObjStm /N ${streamObjects.length} /First ${head.length} ${entries} /Length ${content.length} >>`;
  add(container, Buffer.concat([Buffer.from(`${dictionary}\nstream\n`), content, Buffer.from('\nendstream')]));
  const start = file.length;
  offsets.set(table, start);
  const rows = Array.from({ length: table + 1 }, (_, number) => {
    const offset = offsets.get(number);
    const index = streamObjects.findIndex((each) => each.number === number);
    const [type, first, second] =
      offset !== undefined ? [1, offset, 0] : index >= 0 ? [2, container, index] : [0, 0, 0];
    return [type!, (first! >> 16) & 255, (first! >> 8) & 255, first! & 255, second!];
  });
  const xrefRows = Buffer.from(rows.flat());
  const trailer = `<< /Type /XRef /Size ${table + 1} /W [1 3 1] /Root 1 0 R /Length ${xrefRows.length} >>`;
  add(table, Buffer.concat([Buffer.from(`${trailer}\nstream\n`), xrefRows, Buffer.from('\nendstream')]));
  return Buffer.concat([file, Buffer.from(`startxref\n${start}\n%%EOF\n`)]);
}
