import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, deflateRaw, inflateRaw } from 'node:zlib';
import { GIB, MIB } from '../../text/byte-units.js';
import { RenderError } from '../rendering.errors.js';

/** Limits of an uncompressed Office document, because a few bytes of a ZIP archive can claim any size. */
const MAX_ENTRIES = 10_000;
const MAX_UNCOMPRESSED = GIB;
const MAX_RATIO = 200;
/** Maximum bytes of the central directory, and of the trailer in which its end record is searched. */
const MAX_DIRECTORY = 16 * MIB;
const MAX_TRAILER = 22 + 0xffff;
const DIRECTORY_END = Buffer.from([0x50, 0x4b, 5, 6]);
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;

/** Values for written entries: format version, UTF-8 flag, compression method, and the earliest date. */
const VERSION = 20;
const UTF_8 = 0x0800;
const DEFLATED = 8;
const DOS_EPOCH_DATE = 0x21;

const inflate = promisify(inflateRaw);
const deflate = promisify(deflateRaw);

/** Random access to an archive: a file, or the memory of an enclosing archive. */
export interface ByteSource {
  readonly size: number;
  read(position: number, length: number): Promise<Buffer>;
}

export interface ZipEntry {
  readonly name: string;
  /** The name as stored, and whether it is flagged as UTF-8. */
  readonly nameBytes: Buffer;
  readonly isUtf8: boolean;
  /** Compressed and uncompressed bytes, according to the central directory. */
  readonly compressedSize: number;
  readonly size: number;
  readonly isDeflated: boolean;
  readonly offset: number;
  readonly crc: number;
}

/** Opens a file for reading while `use` runs. */
export async function withFileBytes<T>(path: string, use: (bytes: ByteSource) => Promise<T>): Promise<T> {
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

export const toByteSource = (buffer: Buffer): ByteSource => ({
  size: buffer.length,
  read: (position, length) => Promise.resolve(buffer.subarray(position, position + length)),
});

/**
 * Reads the list of entries without uncompressing anything.
 * @throws RenderError if the uncompressed size is too large, or the central directory is invalid
 */
export async function readEntries(bytes: ByteSource): Promise<readonly ZipEntry[]> {
  const entries = parseDirectory(await readDirectory(bytes));
  const uncompressed = uncompressedSize(entries);
  if (entries.length > MAX_ENTRIES || uncompressed > MAX_UNCOMPRESSED || uncompressed > bytes.size * MAX_RATIO)
    throw new RenderError('too-large');
  // Overlapping entries would be read and written once per entry.
  if (entries.reduce((sum, { compressedSize }) => sum + compressedSize, 0) > bytes.size)
    throw new RenderError('damaged');
  return entries;
}

/** Returns the uncompressed bytes of all entries, according to the central directory. */
export const uncompressedSize = (entries: readonly ZipEntry[]): number =>
  entries.reduce((sum, { size }) => sum + size, 0);

/**
 * Returns the uncompressed bytes of an entry.
 * @param maxBytes maximum uncompressed size
 * @throws RenderError if it is larger, or doesn't match the central directory
 */
export async function readEntry(bytes: ByteSource, entry: ZipEntry, maxBytes: number): Promise<Buffer> {
  if (entry.size > maxBytes) throw new RenderError('too-large');
  if (!entry.isDeflated && entry.compressedSize > entry.size) throw new RenderError('damaged');
  const content = await readCompressed(bytes, entry);
  if (!entry.isDeflated) return content;
  try {
    return await inflate(content, { maxOutputLength: Math.max(1, entry.size) });
  } catch {
    throw new RenderError('damaged');
  }
}

/** Returns the compressed bytes of an entry. */
async function readCompressed(bytes: ByteSource, { offset, compressedSize }: ZipEntry): Promise<Buffer> {
  const header = await bytes.read(offset, 30);
  if (header.length < 30 || header.readUInt32LE(0) !== LOCAL_HEADER) throw new RenderError('damaged');
  const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  return bytes.read(start, compressedSize);
}

/**
 * Copies an archive, replacing the contents of some entries. Keeps their order, because the first entry of an
 * OpenDocument file identifies its type.
 * @param to a file that doesn't exist
 * @throws RenderError if the archive doesn't match its central directory
 */
export async function rewriteArchive(from: string, to: string, contents: ReadonlyMap<string, Buffer>): Promise<void> {
  const file = await open(to, 'wx', 0o600);
  try {
    await withFileBytes(from, async (bytes) => {
      const lines: Buffer[] = [];
      let offset = 0;
      for (const entry of await readEntries(bytes)) {
        const content = contents.get(entry.name);
        const packed = content ? await deflate(content) : await readCompressed(bytes, entry);
        const written = content
          ? { ...entry, packed: packed.length, size: content.length, isDeflated: true, crc: crc32(content) }
          : entry;
        const header = encodeLocalHeader(written);
        await file.appendFile(Buffer.concat([header, packed]));
        lines.push(encodeDirectoryEntry({ ...written, offset }));
        offset += header.length + packed.length;
      }
      await file.appendFile(Buffer.concat([...lines, encodeDirectoryEnd(lines, offset)]));
    });
  } finally {
    await file.close();
  }
}

/** Encodes the fields that the local header and the central directory have in common. */
function encodeCommonFields({ nameBytes, isUtf8, compressedSize, size, isDeflated, crc }: ZipEntry): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(isUtf8 ? UTF_8 : 0, 2);
  fields.writeUInt16LE(isDeflated ? DEFLATED : 0, 4);
  fields.writeUInt16LE(DOS_EPOCH_DATE, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(compressedSize, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(nameBytes.length, 22);
  return fields;
}

const encodeUint32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);

const encodeLocalHeader = (entry: ZipEntry): Buffer =>
  Buffer.concat([encodeUint32(LOCAL_HEADER), encodeCommonFields(entry), entry.nameBytes]);

function encodeDirectoryEntry(entry: ZipEntry): Buffer {
  const version = Buffer.from(Uint16Array.of(VERSION).buffer);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(entry.offset, 10);
  return Buffer.concat([encodeUint32(DIRECTORY_ENTRY), version, encodeCommonFields(entry), rest, entry.nameBytes]);
}

function encodeDirectoryEnd(lines: readonly Buffer[], offset: number): Buffer {
  const end = Buffer.alloc(22);
  DIRECTORY_END.copy(end);
  end.writeUInt16LE(lines.length, 8);
  end.writeUInt16LE(lines.length, 10);
  end.writeUInt32LE(
    lines.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return end;
}

/** Reads the central directory at the end of the archive. */
async function readDirectory({ size, read }: ByteSource): Promise<Buffer> {
  const tail = await read(Math.max(0, size - MAX_TRAILER), Math.min(size, MAX_TRAILER));
  const end = tail.lastIndexOf(DIRECTORY_END);
  if (end < 0 || end + 22 > tail.length) throw new RenderError('damaged');
  const [length, at] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  // ZIP64 archives have all bits of these fields set.
  if (length > MAX_DIRECTORY) throw new RenderError('too-large');
  if (at + length > size) throw new RenderError('damaged');
  return read(at, length);
}

function parseDirectory(directory: Buffer): ZipEntry[] {
  const entries: ZipEntry[] = [];
  for (let at = 0; at + 46 <= directory.length;) {
    if (directory.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new RenderError('damaged');
    const [name, extra, note] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    const nameBytes = directory.subarray(at + 46, at + 46 + name);
    entries.push({
      name: nameBytes.toString('utf8'),
      nameBytes,
      isUtf8: (directory.readUInt16LE(at + 8) & UTF_8) !== 0,
      compressedSize: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      isDeflated: directory.readUInt16LE(at + 10) !== 0,
      offset: directory.readUInt32LE(at + 42),
      crc: directory.readUInt32LE(at + 16),
    });
    at += 46 + name + extra + note;
  }
  return entries;
}
