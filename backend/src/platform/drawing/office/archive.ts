import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, deflateRaw, inflateRaw } from 'node:zlib';
import { GIB, MIB } from '../../text/sizes.js';
import { DrawingFailure } from '../drawing.errors.js';

/** What an Office document may unfold to. It is an archive: a few bytes can claim any size. */
const MAX_ENTRIES = 10_000;
const MAX_UNFOLDED = GIB;
const MAX_RATIO = 200;
/** Bytes of the list at the end of an archive that are read at most, and within which its end is told. */
const MAX_LIST = 16 * MIB;
const TAIL = 22 + 0xffff;
const LIST_END = Buffer.from([0x50, 0x4b, 5, 6]);
const LINE = 0x02014b50;
const HEADER = 0x04034b50;

/** Of what is written: the version of the format, the flag of names in UTF-8, a method, and the first date that there is. */
const VERSION = 20;
const UTF_8 = 0x0800;
const DEFLATED = 8;
const FIRST_DAY = 0x21;

const inflate = promisify(inflateRaw);
const deflate = promisify(deflateRaw);

/** Where an archive lies: a file, or the memory of an archive around it. */
export interface Bytes {
  readonly size: number;
  read(position: number, length: number): Promise<Buffer>;
}

export interface Entry {
  readonly name: string;
  /** The name as the archive has it, and whether it says that this is UTF-8. */
  readonly nameBytes: Buffer;
  readonly isUtf8: boolean;
  /** Bytes in the archive, and unfolded, as its list says. */
  readonly packed: number;
  readonly size: number;
  readonly isDeflated: boolean;
  readonly offset: number;
  readonly crc: number;
}

/** Opens a file for reading. */
export async function withBytes<T>(path: string, use: (bytes: Bytes) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const read = async (position: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    return await use({ size, read });
  } finally {
    await file.close();
  }
}

export const bytesOf = (buffer: Buffer): Bytes => ({
  size: buffer.length,
  read: (position, length) => Promise.resolve(buffer.subarray(position, position + length)),
});

/**
 * What an Office document holds, before anything is unfolded.
 * @throws DrawingFailure for one that says that it unfolds to too much, or whose list is broken
 */
export async function entriesOf(bytes: Bytes): Promise<readonly Entry[]> {
  const entries = listed(await listOf(bytes));
  const unfolded = unfoldedSize(entries);
  if (entries.length > MAX_ENTRIES || unfolded > MAX_UNFOLDED || unfolded > bytes.size * MAX_RATIO)
    throw new DrawingFailure('too-large');
  // Lines that name the same bytes would have them read and written as often as there are lines.
  if (entries.reduce((sum, { packed }) => sum + packed, 0) > bytes.size) throw new DrawingFailure('damaged');
  return entries;
}

/** Bytes of all entries, unfolded, as the list says. */
export const unfoldedSize = (entries: readonly Entry[]): number => entries.reduce((sum, { size }) => sum + size, 0);

/**
 * The bytes of an entry.
 * @param most bytes that it may unfold to
 * @throws DrawingFailure for one that is larger, or not what the list says
 */
export async function unfold(bytes: Bytes, entry: Entry, most: number): Promise<Buffer> {
  if (entry.size > most) throw new DrawingFailure('too-large');
  if (!entry.isDeflated && entry.packed > entry.size) throw new DrawingFailure('damaged');
  const content = await packedBytes(bytes, entry);
  if (!entry.isDeflated) return content;
  try {
    return await inflate(content, { maxOutputLength: Math.max(1, entry.size) });
  } catch {
    throw new DrawingFailure('damaged');
  }
}

/** The bytes of an entry as they are in the archive. */
async function packedBytes(bytes: Bytes, { offset, packed }: Entry): Promise<Buffer> {
  const header = await bytes.read(offset, 30);
  if (header.length < 30 || header.readUInt32LE(0) !== HEADER) throw new DrawingFailure('damaged');
  const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  return bytes.read(start, packed);
}

/**
 * Writes an archive in which some entries have other contents. The order stays, because the first entry of an OpenDocument
 * says what it is.
 * @param to a file that does not exist
 * @throws DrawingFailure for an archive that is not what its list says
 */
export async function rewriteArchive(from: string, to: string, contents: ReadonlyMap<string, Buffer>): Promise<void> {
  const file = await open(to, 'wx', 0o600);
  try {
    await withBytes(from, async (bytes) => {
      const lines: Buffer[] = [];
      let offset = 0;
      for (const entry of await entriesOf(bytes)) {
        const content = contents.get(entry.name);
        const packed = content ? await deflate(content) : await packedBytes(bytes, entry);
        const written = content
          ? { ...entry, packed: packed.length, size: content.length, isDeflated: true, crc: crc32(content) }
          : entry;
        const header = headerOf(written);
        await file.appendFile(Buffer.concat([header, packed]));
        lines.push(lineOf({ ...written, offset }));
        offset += header.length + packed.length;
      }
      await file.appendFile(Buffer.concat([...lines, endOf(lines, offset)]));
    });
  } finally {
    await file.close();
  }
}

/** What the head of an entry and its line in the list both say. */
function fieldsOf({ nameBytes, isUtf8, packed, size, isDeflated, crc }: Entry): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(isUtf8 ? UTF_8 : 0, 2);
  fields.writeUInt16LE(isDeflated ? DEFLATED : 0, 4);
  fields.writeUInt16LE(FIRST_DAY, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(packed, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(nameBytes.length, 22);
  return fields;
}

const numberOf = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);

const headerOf = (entry: Entry): Buffer => Buffer.concat([numberOf(HEADER), fieldsOf(entry), entry.nameBytes]);

function lineOf(entry: Entry): Buffer {
  const version = Buffer.from(Uint16Array.of(VERSION).buffer);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(entry.offset, 10);
  return Buffer.concat([numberOf(LINE), version, fieldsOf(entry), rest, entry.nameBytes]);
}

function endOf(lines: readonly Buffer[], offset: number): Buffer {
  const end = Buffer.alloc(22);
  LIST_END.copy(end);
  end.writeUInt16LE(lines.length, 8);
  end.writeUInt16LE(lines.length, 10);
  end.writeUInt32LE(
    lines.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return end;
}

/** The list of what an archive holds, which stands at its end. */
async function listOf({ size, read }: Bytes): Promise<Buffer> {
  const tail = await read(Math.max(0, size - TAIL), Math.min(size, TAIL));
  const end = tail.lastIndexOf(LIST_END);
  if (end < 0 || end + 22 > tail.length) throw new DrawingFailure('damaged');
  const [length, at] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  // Larger numbers, as archives above 4 GiB have them, are told by these being all ones.
  if (length > MAX_LIST) throw new DrawingFailure('too-large');
  if (at + length > size) throw new DrawingFailure('damaged');
  return read(at, length);
}

function listed(list: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at + 46 <= list.length;) {
    if (list.readUInt32LE(at) !== LINE) throw new DrawingFailure('damaged');
    const [name, extra, note] = [28, 30, 32].map((field) => list.readUInt16LE(at + field)) as [number, number, number];
    const nameBytes = list.subarray(at + 46, at + 46 + name);
    entries.push({
      name: nameBytes.toString('utf8'),
      nameBytes,
      isUtf8: (list.readUInt16LE(at + 8) & UTF_8) !== 0,
      packed: list.readUInt32LE(at + 20),
      size: list.readUInt32LE(at + 24),
      isDeflated: list.readUInt16LE(at + 10) !== 0,
      offset: list.readUInt32LE(at + 42),
      crc: list.readUInt32LE(at + 16),
    });
    at += 46 + name + extra + note;
  }
  return entries;
}
