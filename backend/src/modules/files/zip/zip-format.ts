/** Metadata of an entry, written before its data and again in the central directory. */
export interface ZipRecord {
  /** UTF-8; the path of a folder ends with a slash. */
  readonly path: Buffer;
  readonly date: Date;
  /**
   * True if the data is a deflate stream, followed by its checksum and sizes. Otherwise the data is stored as it is,
   * and checksum and sizes precede it.
   */
  readonly isStreamed: boolean;
  /** Offset of the entry in the archive. */
  readonly offset: number;
  /** Bytes of the file. */
  readonly size: number;
  /** CRC-32 of the file, and bytes in the archive; of a streamed entry they are known after its data. */
  readonly crc: number;
  readonly compressedSize: number;
}

/** From this value on, a number is written to an 8-byte field and its 4-byte field is set to this value. */
const MAX_32 = 0xffffffff;
const MAX_16 = 0xffff;
/**
 * From this size on, the sizes of a streamed entry are written to 8-byte fields, because the header doesn't know how
 * large the deflate stream will be: slightly larger than an incompressible file.
 */
const MIN_LARGE_SIZE = 0xff000000;
/** Format versions an unzip program must support: for folders and deflate, and for 8-byte fields (ZIP64). */
const VERSION_DEFAULT = 20;
const VERSION_ZIP64 = 45;
/** Unix file types and modes, which all programs understand. */
const MADE_BY_UNIX = 3 << 8;
const FILE_MODE = 0o100644 * 0x10000;
const FOLDER_MODE = 0o040755 * 0x10000 + 0x10;
/** Compression methods. */
const STORED = 0;
const DEFLATED = 8;
/** Flags: checksum and sizes follow the data; names are UTF-8. */
const DATA_DESCRIPTOR_FLAG = 0x0008;
const UTF8_FLAG = 0x0800;

const isLarge = ({ size }: ZipRecord) => size >= MIN_LARGE_SIZE;

type Sums = Pick<ZipRecord, 'crc' | 'compressedSize' | 'size'>;
const UNKNOWN_SUMS: Sums = { crc: 0, compressedSize: 0, size: 0 };

export function localFileHeader(record: ZipRecord): Buffer {
  const sums = record.isStreamed ? UNKNOWN_SUMS : record;
  const zip64 = zip64Field(isLarge(record) ? [sums.size, sums.compressedSize] : []);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  writeCommonFields(header, 4, record, sums, zip64.length);
  return Buffer.concat([header, record.path, zip64]);
}

/** Written after the data of a streamed entry. */
export function dataDescriptor(record: ZipRecord): Buffer {
  const { crc, compressedSize, size } = record;
  const bytes = Buffer.alloc(isLarge(record) ? 24 : 16);
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(crc, 4);
  if (isLarge(record)) {
    bytes.writeBigUInt64LE(BigInt(compressedSize), 8);
    bytes.writeBigUInt64LE(BigInt(size), 16);
  } else {
    bytes.writeUInt32LE(compressedSize, 8);
    bytes.writeUInt32LE(size, 12);
  }
  return bytes;
}

/** Entry in the central directory at the end of the archive. */
export function centralDirectoryHeader(record: ZipRecord): Buffer {
  const { path, size, compressedSize, offset } = record;
  const sizes = isLarge(record) ? [size, compressedSize] : [];
  const zip64 = zip64Field(offset >= MAX_32 ? [...sizes, offset] : sizes);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(MADE_BY_UNIX | VERSION_ZIP64, 4);
  writeCommonFields(header, 6, record, record, zip64.length);
  header.writeUInt32LE(path.at(-1) === 0x2f ? FOLDER_MODE : FILE_MODE, 38);
  header.writeUInt32LE(Math.min(offset, MAX_32), 42);
  return Buffer.concat([header, path, zip64]);
}

/** Writes the 26 bytes that both headers contain, from the version to the length of the ZIP64 field. */
function writeCommonFields(header: Buffer, at: number, record: ZipRecord, sums: Sums, zip64Length: number): void {
  const { path, date, isStreamed } = record;
  header.writeUInt16LE(zip64Length > 0 ? VERSION_ZIP64 : VERSION_DEFAULT, at);
  header.writeUInt16LE(isStreamed ? UTF8_FLAG | DATA_DESCRIPTOR_FLAG : UTF8_FLAG, at + 2);
  header.writeUInt16LE(isStreamed ? DEFLATED : STORED, at + 4);
  header.writeUInt32LE(dosTime(date), at + 6);
  header.writeUInt32LE(sums.crc, at + 10);
  header.writeUInt32LE(isLarge(record) ? MAX_32 : sums.compressedSize, at + 14);
  header.writeUInt32LE(isLarge(record) ? MAX_32 : sums.size, at + 18);
  header.writeUInt16LE(path.length, at + 22);
  header.writeUInt16LE(zip64Length, at + 24);
}

/** Returns the extra field with 8-byte values, which is empty if there are none. */
function zip64Field(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * values.length, 2);
  values.forEach((value, index) => field.writeBigUInt64LE(BigInt(value), 4 + 8 * index));
  return field;
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
const FINAL_EMPTY_BLOCK = Buffer.from([1, 0, 0, 0xff, 0xff]);

/**
 * Wraps chunks as a deflate stream of stored (uncompressed) blocks. This adds five bytes per block and copies nothing;
 * zlib at level 0 needs several times the CPU time.
 */
export async function* storedBlocks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += MAX_BLOCK_BYTES) {
      const block = chunk.subarray(at, at + MAX_BLOCK_BYTES);
      const head = Buffer.alloc(5);
      head.writeUInt16LE(block.length, 1);
      head.writeUInt16LE(block.length ^ 0xffff, 3);
      yield head;
      yield block;
    }
  }
  yield FINAL_EMPTY_BLOCK;
}
