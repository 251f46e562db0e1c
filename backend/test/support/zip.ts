import { crc32, inflateRawSync } from 'node:zlib';

/** Content of an archive by path. Folders end with a slash. */
export type ZipContent = Map<string, Buffer>;

const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;

/**
 * Reads an archive by its central directory, as unzip programs do.
 * @param start offset of the first byte, if the bytes before it are left out
 * @throws Error if it is truncated or damaged
 */
export function readZip(bytes: Buffer, start = 0): ZipContent {
  const { entryCount, offset } = readEnd(bytes, start);
  let position = offset - start;
  const content: ZipContent = new Map();
  for (let entry = 0; entry < entryCount; entry++) {
    if (bytes.readUInt32LE(position) !== 0x02014b50) throw new Error("The archive's central directory is damaged.");
    const [nameLength, extraLength, commentLength] = [
      bytes.readUInt16LE(position + 28),
      bytes.readUInt16LE(position + 30),
      bytes.readUInt16LE(position + 32),
    ];
    const extraAt = position + 46 + nameLength;
    const name = bytes.toString('utf8', position + 46, extraAt);
    const { size, compressedSize, headerAt } = readZip64Fields(bytes, position, extraAt);
    const at = headerAt - start;
    const dataAt = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    const raw = bytes.subarray(dataAt, dataAt + compressedSize);
    const data = bytes.readUInt16LE(position + 10) === 8 ? inflateRawSync(raw) : raw;
    if (crc32(data) !== bytes.readUInt32LE(position + 16) || data.length !== size) {
      throw new Error(`${name} is damaged.`);
    }
    content.set(name, data);
    position = extraAt + extraLength + commentLength;
  }
  return content;
}

/** Reads the end of the central directory; from the ZIP64 record, if a value doesn't fit into its field. */
function readEnd(bytes: Buffer, start: number): { entryCount: number; offset: number } {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0) throw new Error('The archive is incomplete.');
  const [entryCount, offset] = [bytes.readUInt16LE(end + 10), bytes.readUInt32LE(end + 16)];
  if (entryCount !== MAX_16 && offset !== MAX_32) return { entryCount, offset };
  if (bytes.readUInt32LE(end - 20) !== 0x07064b50) throw new Error('The archive has no ZIP64 locator.');
  const record = Number(bytes.readBigUInt64LE(end - 12)) - start;
  if (bytes.readUInt32LE(record) !== 0x06064b50) throw new Error('The archive has no ZIP64 record.');
  return {
    entryCount: Number(bytes.readBigUInt64LE(record + 32)),
    offset: Number(bytes.readBigUInt64LE(record + 48)),
  };
}

/** Reads the fields of a central directory entry whose values are in the ZIP64 field if they don't fit. */
function readZip64Fields(bytes: Buffer, position: number, extraAt: number) {
  let valueAt = extraAt + 4;
  const readField = (at: number): number => {
    const value = bytes.readUInt32LE(position + at);
    if (value !== MAX_32) return value;
    if (bytes.readUInt16LE(extraAt) !== 1) throw new Error('The entry has no ZIP64 field.');
    valueAt += 8;
    return Number(bytes.readBigUInt64LE(valueAt - 8));
  };
  const size = readField(24);
  const compressedSize = readField(20);
  return { size, compressedSize, headerAt: readField(42) };
}

/**
 * Reads an archive from front to back without its central directory, as programs do that unpack what they receive.
 * @throws Error for a stored entry whose end can't be found this way
 */
export function readZipSequentially(bytes: Buffer): ZipContent {
  const content: ZipContent = new Map();
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50;) {
    const nameEnd = at + 30 + bytes.readUInt16LE(at + 26);
    const name = bytes.toString('utf8', at + 30, nameEnd);
    const dataAt = nameEnd + bytes.readUInt16LE(at + 28);
    const isStreamed = (bytes.readUInt16LE(at + 6) & 8) !== 0;
    const isDeflated = bytes.readUInt16LE(at + 8) === 8;
    if (isStreamed !== isDeflated) throw new Error(`The end of ${name} is unknown.`);
    let sumsAt = at + 14;
    let data = bytes.subarray(dataAt, dataAt + bytes.readUInt32LE(at + 18));
    at = dataAt + data.length;
    if (isStreamed) {
      const inflated = inflateRawSync(bytes.subarray(dataAt), { info: true }) as unknown as Inflated;
      data = inflated.buffer;
      at = dataAt + inflated.engine.bytesWritten + 16;
      sumsAt = at - 12;
      if (bytes.readUInt32LE(at - 16) !== 0x08074b50) throw new Error(`The sizes of ${name} are missing.`);
    }
    if (crc32(data) !== bytes.readUInt32LE(sumsAt) || data.length !== bytes.readUInt32LE(sumsAt + 8)) {
      throw new Error(`${name} is damaged.`);
    }
    content.set(name, data);
  }
  return content;
}

interface Inflated {
  readonly buffer: Buffer;
  /** `bytesWritten` are the bytes read of the compressed data. */
  readonly engine: { readonly bytesWritten: number };
}
