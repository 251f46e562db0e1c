import type { ByteSource } from './zip-archive.js';

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** Sector numbers from this one on end a chain or are unused (MS-CFB 2.1). */
const LAST_SECTOR = 0xfffffffa;
/** Maximum sectors read per chain; the data needed is at the beginning of a stream. */
const MAX_CHAIN = 4096;
/** Number of FAT sectors listed in the header. */
const HEADER_FAT_SECTORS = 109;
const DIRECTORY_ENTRY_BYTES = 128;
const ROOT_ENTRY_TYPE = 5;

/** Whether this is a compound file, the container format of Office before 2007. */
export async function isCompoundFile(bytes: ByteSource): Promise<boolean> {
  return (await bytes.read(0, 8)).equals(SIGNATURE);
}

interface CompoundStream {
  readonly start: number;
  /** In bytes. */
  readonly size: number;
}

/** The streams of a compound file, by name (MS-CFB). Damaged streams appear shorter or missing. */
export class CompoundFile {
  private readonly streams = new Map<string, CompoundStream>();
  private root: CompoundStream = { start: LAST_SECTOR, size: 0 };

  private constructor(
    private readonly bytes: ByteSource,
    private readonly header: Buffer,
  ) {}

  static async open(bytes: ByteSource): Promise<CompoundFile> {
    const header = await bytes.read(0, 512);
    const file = new CompoundFile(bytes, header);
    if (header.length === 512) await file.readDirectory();
    return file;
  }

  hasStream(name: string): boolean {
    return this.streams.has(name);
  }

  /** Returns the first bytes of a stream; empty when it doesn't exist. */
  async readStream(name: string, length: number): Promise<Buffer> {
    const stream = this.streams.get(name);
    if (!stream) return Buffer.alloc(0);
    const byteCount = Math.min(length, stream.size);
    return stream.size < this.header.readUInt32LE(56)
      ? this.readMiniStream(stream.start, byteCount)
      : this.readChain(stream.start, byteCount);
  }

  private get sectorSize(): number {
    // 512 or 4096 bytes; other values are invalid.
    return this.header.readUInt16LE(30) === 12 ? 4096 : 512;
  }

  private async readDirectory(): Promise<void> {
    const directory = await this.readChain(this.header.readUInt32LE(48), MAX_CHAIN * DIRECTORY_ENTRY_BYTES);
    for (let at = 0; at + DIRECTORY_ENTRY_BYTES <= directory.length; at += DIRECTORY_ENTRY_BYTES) {
      const length = Math.min(64, directory.readUInt16LE(at + 64));
      const name = directory.toString('utf16le', at, at + Math.max(0, length - 2));
      const stream = { start: directory.readUInt32LE(at + 116), size: directory.readUInt32LE(at + 120) };
      if (directory[at + 66] === ROOT_ENTRY_TYPE) this.root = stream;
      else if (name !== '') this.streams.set(name, stream);
    }
  }

  private async readChain(start: number, length: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let sector = start;
    for (let left = length; left > 0 && sector < LAST_SECTOR && chunks.length < MAX_CHAIN;) {
      const chunk = await this.bytes.read((sector + 1) * this.sectorSize, Math.min(left, this.sectorSize));
      if (chunk.length === 0) break;
      chunks.push(chunk);
      left -= chunk.length;
      sector = await this.nextSector(sector);
    }
    return Buffer.concat(chunks);
  }

  /** Looks up the file allocation table (MS-CFB 2.3). */
  private async nextSector(sector: number): Promise<number> {
    const perSector = this.sectorSize / 4;
    const table = await this.fatSectorOf(Math.floor(sector / perSector));
    return this.readNumber(table, sector % perSector);
  }

  /**
   * Returns the sector that contains a part of the FAT. The header lists the first 109, enough for 7 MB. The others are
   * listed in DIFAT sectors, whose last number is the next such sector (MS-CFB 2.5).
   */
  private async fatSectorOf(part: number): Promise<number> {
    if (part < HEADER_FAT_SECTORS) return this.header.readUInt32LE(76 + 4 * part);
    const perSector = this.sectorSize / 4 - 1;
    const [skipped, at] = [
      Math.floor((part - HEADER_FAT_SECTORS) / perSector),
      (part - HEADER_FAT_SECTORS) % perSector,
    ];
    let list = this.header.readUInt32LE(68);
    for (let left = skipped; left > 0 && list < LAST_SECTOR; left--) list = await this.readNumber(list, perSector);
    return this.readNumber(list, at);
  }

  /** Reads a number from a sector; returns the end of a chain if the file has no such sector. */
  private async readNumber(sector: number, at: number): Promise<number> {
    const position = (sector + 1) * this.sectorSize + 4 * at;
    const bytes = sector < LAST_SECTOR && position < this.bytes.size ? await this.bytes.read(position, 4) : [];
    return bytes.length === 4 ? Buffer.from(bytes).readUInt32LE(0) : LAST_SECTOR;
  }

  /**
   * Small streams are in 64-byte sectors of the root stream. Programs write a stream contiguously; if one isn't, the
   * first 64 bytes are still right.
   */
  private async readMiniStream(start: number, length: number): Promise<Buffer> {
    const end = start * 64 + length;
    if (end > this.root.size) return Buffer.alloc(0);
    return (await this.readChain(this.root.start, end)).subarray(start * 64);
  }
}
