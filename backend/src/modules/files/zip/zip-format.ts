/** Metadata of an entry, written before its data (partly) and again in the central directory. */
export interface ZipRecord {
  /** UTF-8; the path of a folder ends with a slash. */
  readonly path: Buffer;
  readonly date: Date;
  readonly isDeflated: boolean;
  /** True if checksum and sizes follow the data, because they are not known in advance. */
  readonly hasDataDescriptor: boolean;
  /** Offset of the entry in the archive. */
  readonly offset: number;
  readonly crc: number;
  /** Bytes in the archive, and of the file. Both are below 4 GiB, as all our files are. */
  readonly compressedSize: number;
  readonly size: number;
}

/** From this value on, a number is written to an 8-byte field and its 4-byte field is set to this value. */
const MAX_32 = 0xffffffff;
const MAX_16 = 0xffff;
/** Format versions an unzip program must support: for folders and deflate, and for large archives. */
const VERSION_DEFAULT = 20;
const VERSION_ZIP64 = 45;
/** Unix file types and modes, which all programs understand. */
const MADE_BY_UNIX = 3 << 8;
const FILE_MODE = 0o100644 * 0x10000;
const FOLDER_MODE = 0o040755 * 0x10000 + 0x10;

/** Flags: sizes follow the data; names are UTF-8. */
const flagsOf = ({ hasDataDescriptor }: ZipRecord) => (hasDataDescriptor ? 0x0008 : 0) | 0x0800;

export function localFileHeader(record: ZipRecord): Buffer {
  const { path, hasDataDescriptor, isDeflated, date } = record;
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(VERSION_DEFAULT, 4);
  header.writeUInt16LE(flagsOf(record), 6);
  header.writeUInt16LE(isDeflated ? 8 : 0, 8);
  header.writeUInt32LE(dosTime(date), 10);
  if (!hasDataDescriptor) writeChecksumAndSizes(header, 14, record);
  header.writeUInt16LE(path.length, 26);
  return Buffer.concat([header, path]);
}

/** Written after the data of an entry whose sizes were not known in advance. */
export function dataDescriptor(record: ZipRecord): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32LE(0x08074b50, 0);
  writeChecksumAndSizes(bytes, 4, record);
  return bytes;
}

/** Entry in the central directory at the end of the archive. */
export function centralDirectoryHeader(record: ZipRecord): Buffer {
  const { path, isDeflated, date, offset } = record;
  const needsZip64 = offset >= MAX_32;
  const line = Buffer.alloc(46);
  line.writeUInt32LE(0x02014b50, 0);
  line.writeUInt16LE(MADE_BY_UNIX | (needsZip64 ? VERSION_ZIP64 : VERSION_DEFAULT), 4);
  line.writeUInt16LE(needsZip64 ? VERSION_ZIP64 : VERSION_DEFAULT, 6);
  line.writeUInt16LE(flagsOf(record), 8);
  line.writeUInt16LE(isDeflated ? 8 : 0, 10);
  line.writeUInt32LE(dosTime(date), 12);
  writeChecksumAndSizes(line, 16, record);
  line.writeUInt16LE(path.length, 28);
  line.writeUInt16LE(needsZip64 ? 12 : 0, 30);
  line.writeUInt32LE(path.at(-1) === 0x2f ? FOLDER_MODE : FILE_MODE, 38);
  line.writeUInt32LE(Math.min(offset, MAX_32), 42);
  return Buffer.concat([line, path, ...(needsZip64 ? [zip64ExtraField(offset)] : [])]);
}

/**
 * @param entries number of entries
 * @param directoryOffset start of the central directory
 * @param directoryLength its length in bytes
 */
export function endOfCentralDirectory(entries: number, directoryOffset: number, directoryLength: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(entries, MAX_16), 8);
  end.writeUInt16LE(Math.min(entries, MAX_16), 10);
  end.writeUInt32LE(Math.min(directoryLength, MAX_32), 12);
  end.writeUInt32LE(Math.min(directoryOffset, MAX_32), 16);
  const needsZip64 = entries >= MAX_16 || directoryOffset >= MAX_32 || directoryLength >= MAX_32;
  return needsZip64 ? Buffer.concat([zip64EndOfCentralDirectory(entries, directoryOffset, directoryLength), end]) : end;
}

/** The same values in 8-byte fields, followed by the locator record. */
function zip64EndOfCentralDirectory(entries: number, directoryOffset: number, directoryLength: number): Buffer {
  const bytes = Buffer.alloc(56 + 20);
  bytes.writeUInt32LE(0x06064b50, 0);
  bytes.writeBigUInt64LE(44n, 4);
  bytes.writeUInt16LE(MADE_BY_UNIX | VERSION_ZIP64, 12);
  bytes.writeUInt16LE(VERSION_ZIP64, 14);
  bytes.writeBigUInt64LE(BigInt(entries), 24);
  bytes.writeBigUInt64LE(BigInt(entries), 32);
  bytes.writeBigUInt64LE(BigInt(directoryLength), 40);
  bytes.writeBigUInt64LE(BigInt(directoryOffset), 48);
  bytes.writeUInt32LE(0x07064b50, 56);
  bytes.writeBigUInt64LE(BigInt(directoryOffset + directoryLength), 64);
  bytes.writeUInt32LE(1, 72);
  return bytes;
}

function zip64ExtraField(offset: number): Buffer {
  const extra = Buffer.alloc(12);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8, 2);
  extra.writeBigUInt64LE(BigInt(offset), 4);
  return extra;
}

function writeChecksumAndSizes(target: Buffer, at: number, { crc, compressedSize, size }: ZipRecord): void {
  target.writeUInt32LE(crc, at);
  target.writeUInt32LE(compressedSize, at + 4);
  target.writeUInt32LE(size, at + 8);
}

/** Encodes date and time in DOS format: a resolution of two seconds, from 1980, in UTC. */
function dosTime(date: Date): number {
  const year = Math.min(Math.max(date.getUTCFullYear() - 1980, 0), 127);
  const day = (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return day * 0x10000 + time;
}

/** Maximum bytes per stored block (RFC 1951, 3.2.4). */
const MAX_BLOCK_BYTES = 65_535;

/** Empty final block that ends a deflate stream of stored blocks. */
export const FINAL_EMPTY_BLOCK = Buffer.from([1, 0, 0, 0xff, 0xff]);

/**
 * Wraps bytes as stored (uncompressed) blocks of a deflate stream, which costs almost no time and five bytes per block.
 * @returns the chunks in order; the bytes are not copied
 */
export function storedBlocks(bytes: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += MAX_BLOCK_BYTES) {
    const block = bytes.subarray(at, at + MAX_BLOCK_BYTES);
    const head = Buffer.alloc(5);
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(block.length ^ 0xffff, 3);
    blocks.push(head, block);
  }
  return blocks;
}
