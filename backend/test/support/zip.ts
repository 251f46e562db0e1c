import { inflateRawSync } from 'node:zlib';

/** What an archive holds, by path. Folders end with a slash. */
export type ZipContent = Map<string, Buffer>;

/**
 * Reads an archive by the list at its end, as programs that unpack do.
 * @throws Error for one that is broken off
 */
export function readZip(bytes: Buffer): ZipContent {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0) throw new Error('This is no whole archive.');
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  const content: ZipContent = new Map();
  for (let entry = 0; entry < count; entry++) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Error('The list of the archive is broken.');
    const [size, nameLength, more, comment] = [
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt16LE(at + 30),
      bytes.readUInt16LE(at + 32),
    ];
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const local = bytes.readUInt32LE(at + 42);
    const data = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const raw = bytes.subarray(data, data + size);
    content.set(name, bytes.readUInt16LE(at + 10) === 8 ? inflateRawSync(raw) : raw);
    at += 46 + nameLength + more + comment;
  }
  return content;
}
