import { deflateSync } from 'node:zlib';

/**
 * Pages of 100 by 200 units, with these entries.
 * @param usesObjectStream whether their dictionaries are in an object stream
 */
export function createPdfWithPageEntries(entries: readonly string[], usesObjectStream = false): Buffer {
  const kids = entries.map((_, index) => `${index + 3} 0 R`).join(' ');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${entries.length}/MediaBox[0 0 100 200]>>`,
    ...entries.map((entry) => `<</Type/Page/Parent 2 0 R${entry}>>`),
  ];
  const last = objects.length + 1;
  if (!usesObjectStream) {
    const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
    return Buffer.from(`%PDF-1.7\n${body}trailer <</Size ${last}/Root 1 0 R>>\n%%EOF\n`, 'latin1');
  }
  const content = objects.join('\n');
  const offsets = objects.map((_, index) => objects.slice(0, index).join('\n').length + Number(index > 0));
  const objectIndex = `${offsets.map((offset, index) => `${index + 1} ${offset}`).join(' ')} `;
  const packed = deflateSync(objectIndex + content).toString('latin1');
  const head = `%PDF-1.7\n`;
  const stream = `${last} 0 obj\n<</Type/ObjStm/N ${objects.length}/First ${objectIndex.length}/Filter/FlateDecode/Length ${packed.length}>>stream\n${packed}\nendstream\nendobj\n`;
  const xrefTable = Buffer.from([
    ...[0, 0, 0, 0],
    ...objects.flatMap((_, index) => [2, 0, last, index]),
    ...[1, 0, head.length, 0],
    ...[1, (head.length + stream.length) >> 8, (head.length + stream.length) & 0xff, 0],
  ]);
  const xrefStream = `${last + 1} 0 obj\n<</Type/XRef/Size ${last + 2}/W[1 2 1]/Root 1 0 R/Length ${xrefTable.length}>>stream\n${xrefTable.toString('latin1')}\nendstream\nendobj\n`;
  return Buffer.from(`${head}${stream}${xrefStream}startxref\n${head.length + stream.length}\n%%EOF\n`, 'latin1');
}
