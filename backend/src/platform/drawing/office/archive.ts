import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
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

const inflate = promisify(inflateRaw);

/** Where an archive lies: a file, or the memory of an archive around it. */
export interface Bytes {
  readonly size: number;
  read(position: number, length: number): Promise<Buffer>;
}

export interface Entry {
  readonly name: string;
  /** Bytes in the archive, and unfolded, as its list says. */
  readonly packed: number;
  readonly size: number;
  readonly isDeflated: boolean;
  readonly offset: number;
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
  const unfolded = entries.reduce((sum, { size }) => sum + size, 0);
  if (entries.length > MAX_ENTRIES || unfolded > MAX_UNFOLDED || unfolded > bytes.size * MAX_RATIO)
    throw new DrawingFailure('too-large');
  return entries;
}

/**
 * The bytes of an entry.
 * @throws DrawingFailure for one that is not what the list says
 */
export async function unfold(bytes: Bytes, { offset, packed, size, isDeflated }: Entry): Promise<Buffer> {
  const header = await bytes.read(offset, 30);
  if (header.length < 30 || header.readUInt32LE(0) !== HEADER) throw new DrawingFailure('damaged');
  const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const content = await bytes.read(start, Math.min(packed, bytes.size));
  if (!isDeflated) return content;
  try {
    return await inflate(content, { maxOutputLength: Math.max(1, size) });
  } catch {
    throw new DrawingFailure('damaged');
  }
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
    entries.push({
      name: list.toString('utf8', at + 46, at + 46 + name),
      packed: list.readUInt32LE(at + 20),
      size: list.readUInt32LE(at + 24),
      isDeflated: list.readUInt16LE(at + 10) !== 0,
      offset: list.readUInt32LE(at + 42),
    });
    at += 46 + name + extra + note;
  }
  return entries;
}
