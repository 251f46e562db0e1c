import { inflateRawSync } from 'node:zlib';

/** Content of an archive by path. Folders end with a slash. */
export type ZipContent = Map<string, Buffer>;

/**
 * Reads an archive by its central directory, as unzip programs do.
 * @throws Error if it is truncated
 */
export function readZip(bytes: Buffer): ZipContent {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0) throw new Error('The archive is incomplete.');
  const entryCount = bytes.readUInt16LE(end + 10);
  let position = bytes.readUInt32LE(end + 16);
  const content: ZipContent = new Map();
  for (let entry = 0; entry < entryCount; entry++) {
    if (bytes.readUInt32LE(position) !== 0x02014b50) throw new Error("The archive's central directory is damaged.");
    const [size, nameLength, extraLength, commentLength] = [
      bytes.readUInt32LE(position + 20),
      bytes.readUInt16LE(position + 28),
      bytes.readUInt16LE(position + 30),
      bytes.readUInt16LE(position + 32),
    ];
    const name = bytes.toString('utf8', position + 46, position + 46 + nameLength);
    const localHeader = bytes.readUInt32LE(position + 42);
    const dataOffset = localHeader + 30 + bytes.readUInt16LE(localHeader + 26) + bytes.readUInt16LE(localHeader + 28);
    const raw = bytes.subarray(dataOffset, dataOffset + size);
    content.set(name, bytes.readUInt16LE(position + 10) === 8 ? inflateRawSync(raw) : raw);
    position += 46 + nameLength + extraLength + commentLength;
  }
  return content;
}
