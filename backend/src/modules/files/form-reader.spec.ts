import { randomBytes } from 'node:crypto';
import { FormReader, MalformedForm, type PartHead } from './form-reader.js';

const TYPE = 'multipart/form-data; boundary=zonary';

/** The bytes in pieces of a size, as a network brings them. */
async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(body: Buffer | string, size = 7, type: string | undefined = TYPE) {
  const form = new FormReader(type, pieces(Buffer.from(body as string), size));
  const parts: { head: PartHead; body: Buffer }[] = [];
  for (let head = await form.next(); head; head = await form.next()) {
    const chunks: Buffer[] = [];
    for await (const chunk of form.content()) chunks.push(chunk);
    parts.push({ head, body: Buffer.concat(chunks) });
  }
  return parts;
}

const part = (disposition: string, body: Buffer | string) =>
  Buffer.concat([
    Buffer.from(`--zonary\r\nContent-Disposition: ${disposition}\r\n\r\n`),
    Buffer.from(body as string),
    Buffer.from('\r\n'),
  ]);
const form = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from('--zonary--\r\n')]);

describe('a form that is read part by part', () => {
  // What is nearly a boundary, at every place where a piece of the body may end.
  const tricky = ['\r\n--zonar', '\r\n--', '\r', '\r\r\n--zonarx', '\r\n\r\n', 'zonary', '--zonary', ''].join('|');

  it.each([1, 2, 3, 5, 9, 10, 11, 64, 65_536])('is the same in pieces of %d bytes', async (size) => {
    const [random, text] = [randomBytes(3000), Buffer.from(`${tricky}\r\n--zonar`)];
    const body = form(
      part('form-data; name="note"', 'düz metin'),
      part('form-data; name="files"; filename="a.bin"', random),
      part('form-data; name="files"; filename="empty"', ''),
      part('form-data; name="files"; filename="tricky"', text),
    );
    const parts = await read(body, size);
    expect(parts.map(({ head }) => head)).toEqual([
      { name: 'note', filename: null },
      { name: 'files', filename: 'a.bin' },
      { name: 'files', filename: 'empty' },
      { name: 'files', filename: 'tricky' },
    ]);
    const bodies = [Buffer.from('düz metin'), random, Buffer.alloc(0), text];
    expect(parts.map((one, at) => one.body.equals(bodies[at]!))).toEqual([true, true, true, true]);
  });

  it('may be full of what is nearly a boundary', async () => {
    const text = Buffer.from('\r\n--zonarx'.repeat(1000));
    for (const size of [100, 100_000]) {
      const [one] = await read(form(part('form-data; name="files"; filename="a"', text)), size);
      expect(one!.body.equals(text)).toBe(true);
    }
  });

  it('needs the pieces of its source only until the next one is asked for', async () => {
    const bytes = randomBytes(3000);
    const body = form(part('form-data; name="a"', 'value'), part('form-data; name="files"; filename="a"', bytes));
    async function* reused(): AsyncGenerator<Buffer> {
      const piece = Buffer.alloc(7);
      for (let at = 0; at < body.length; at += 7) yield piece.subarray(0, body.copy(piece, 0, at, at + 7));
    }
    const reader = new FormReader(TYPE, reused());
    const parts: Buffer[] = [];
    for (let head = await reader.next(); head; head = await reader.next()) {
      const chunks: Buffer[] = [];
      for await (const chunk of reader.content()) chunks.push(Buffer.from(chunk));
      parts.push(Buffer.concat(chunks));
    }
    expect(parts.map(String)).toEqual(['value', String(bytes)]);
  });

  it('has names as they are: quoted, in UTF-8, encoded, with whatever path', async () => {
    const names = [
      ['filename="a \\"b\\".txt"', 'a "b".txt'],
      ['filename="çağrı.pdf"', 'çağrı.pdf'],
      ['filename="x"; filename*=UTF-8\'\'%C5%9F.pdf', 'ş.pdf'],
      ['filename="../../etc/passwd"', '../../etc/passwd'],
      ['filename=plain.txt', 'plain.txt'],
      ['filename="5%22 screen %E7%25.txt"', '5" screen %E7%25.txt'],
      ['filename="a%0D%0ab.txt"', 'a\r\nb.txt'],
      ["filename*=UTF-8''5%2522.txt", '5%22.txt'],
      ['filename=""', ''],
    ];
    for (const [given, name] of names) {
      const [one] = await read(form(part(`form-data; name="files"; ${given}`, 'x')));
      expect(one!.head.filename).toBe(name);
    }
  });

  it('may have something before its first part and behind its last', async () => {
    const body = Buffer.concat([
      Buffer.from('before\r\n'),
      form(part('form-data; name="a"', '1')),
      Buffer.from('rest'),
    ]);
    expect(await read(body)).toMatchObject([{ head: { name: 'a' } }]);
    expect(await read(form())).toEqual([]);
  });

  it.each([
    ['without a boundary', 'x', 'multipart/form-data'],
    ['that is none', 'this is no form', TYPE],
    ['that ends in a part', form(part('form-data; name="a"', '1')).subarray(0, -12), TYPE],
    ['that ends in the headers of a part', '--zonary\r\nContent-Dispo', TYPE],
    ['that ends behind a boundary', '--zonary', TYPE],
    ['with a part of no name', '--zonary\r\nContent-Type: text/plain\r\n\r\nx\r\n--zonary--', TYPE],
    ['with a part of another kind', form(part('attachment; filename="a"', '1')), TYPE],
    ['with something behind a boundary', '--zonaryx\r\n\r\n', TYPE],
    ['with endless headers', `--zonary\r\nX: ${'y'.repeat(20_000)}`, TYPE],
  ])('is refused %s', async (_how, body, type) => {
    for (const size of [1, 10, 100_000]) await expect(read(body, size, type)).rejects.toBeInstanceOf(MalformedForm);
  });
});
