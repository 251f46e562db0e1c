import { createHash, randomUUID } from 'node:crypto';

/** In bytes. Chunks of a resumable upload must be multiples of this, except the last. */
const CHUNK_SIZE = 256 * 1024;

interface StoredObject {
  readonly bytes: Buffer;
  readonly type: string;
  createdAt: Date;
}

interface UploadSession {
  readonly name: string;
  readonly type: string;
  received: Buffer;
  state: 'open' | 'finished' | 'cancelled';
}

/** A multipart upload of the XML API. */
interface MultipartUpload {
  readonly name: string;
  readonly begunAt: Date;
  readonly parts: Map<number, { readonly bytes: Buffer; readonly etag: string }>;
}

/** Error code of the XML API. */
export type MultipartError = 'NoSuchUpload' | 'InvalidPart' | 'EntityTooSmall';

/** In bytes. Parts must not be smaller, except the last. */
const MIN_PART_SIZE = 5 * 1024 * 1024;

/** Response to a request on an upload session. */
export type SessionResult =
  | { readonly status: 308; readonly received: number }
  | { readonly status: 200; readonly object: object }
  | { readonly status: 400 | 404 | 499 };

/** A Google Cloud Storage bucket: objects appear only when complete, pending uploads are separate sessions. */
export class FakeBucket {
  readonly objects = new Map<string, StoredObject>();
  private readonly sessions = new Map<string, UploadSession>();
  private readonly multiparts = new Map<string, MultipartUpload>();

  constructor(readonly name: string) {}

  /** Upload sessions that are neither finished nor cancelled. */
  get openSessionCount(): number {
    return [...this.sessions.values()].filter(({ state }) => state === 'open').length;
  }

  putObject(name: string, bytes: Buffer, type = 'application/octet-stream'): object {
    this.objects.set(name, { bytes, type, createdAt: new Date() });
    return this.toResource(name)!;
  }

  /** Copies in two calls, like the real API with large objects; null if the source doesn't exist. */
  copyObject(from: string, to: string, token: string | null): object | null {
    const object = this.objects.get(from);
    if (!object) return null;
    if (token !== 'half') return { done: false, rewriteToken: 'half' };
    this.objects.set(to, { ...object });
    return { done: true };
  }

  /** The metadata of an object, or null. */
  toResource(name: string): object | null {
    const object = this.objects.get(name);
    if (!object) return null;
    return {
      kind: 'storage#object',
      bucket: this.name,
      name,
      size: String(object.bytes.length),
      contentType: object.type,
      md5Hash: createHash('md5').update(object.bytes).digest('base64'),
      timeCreated: object.createdAt.toISOString(),
      updated: object.createdAt.toISOString(),
    };
  }

  /** One page of names, sorted. */
  listObjects(prefix: string, size: number, token: string | null): { items?: object[]; nextPageToken?: string } {
    const names = [...this.objects.keys()].filter((name) => name.startsWith(prefix)).sort();
    const from = token === null ? 0 : names.findIndex((name) => name > Buffer.from(token, 'base64').toString());
    const page = from < 0 ? [] : names.slice(from, from + size);
    const hasMore = names.at(-1) !== page.at(-1) && page.length > 0;
    return {
      ...(page.length > 0 ? { items: page.map((name) => this.toResource(name)!) } : {}),
      ...(hasMore ? { nextPageToken: Buffer.from(page.at(-1)!).toString('base64') } : {}),
    };
  }

  /** Names of the multipart uploads that are neither completed nor aborted. */
  get openMultiparts(): string[] {
    return [...this.multiparts.values()].map(({ name }) => name);
  }

  beginMultipart(name: string): string {
    const id = randomUUID();
    this.multiparts.set(id, { name, begunAt: new Date(), parts: new Map() });
    return id;
  }

  /** Returns the part's ETag. */
  putPart(id: string, number: number, bytes: Buffer): { readonly etag: string } | MultipartError {
    const multipart = this.multiparts.get(id);
    if (!multipart) return 'NoSuchUpload';
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
    multipart.parts.set(number, { bytes, etag });
    return { etag };
  }

  /** Makes the listed parts an object; other parts are discarded. */
  completeMultipart(id: string, listed: readonly { number: number; etag: string }[]): object | MultipartError {
    const multipart = this.multiparts.get(id);
    if (!multipart) return 'NoSuchUpload';
    const parts = listed.map(({ number, etag }) => {
      const part = multipart.parts.get(number);
      return part?.etag === etag ? part.bytes : null;
    });
    if (parts.length === 0 || parts.some((bytes) => bytes === null)) return 'InvalidPart';
    if (parts.slice(0, -1).some((bytes) => bytes!.length < MIN_PART_SIZE)) return 'EntityTooSmall';
    this.multiparts.delete(id);
    return this.putObject(multipart.name, Buffer.concat(parts as Buffer[]));
  }

  abortMultipart(id: string): boolean {
    return this.multiparts.delete(id);
  }

  /** One page of multipart uploads by id, as the elements of a list. */
  listMultiparts(prefix: string, size: number, after: string): { readonly xml: string; readonly last: string | null } {
    const found = [...this.multiparts].filter(([id, { name }]) => name.startsWith(prefix) && id > after).sort();
    const page = found.slice(0, size);
    const xml = page.map(
      ([id, { name, begunAt }]) =>
        `<Upload><Key>${name}</Key><UploadId>${id}</UploadId><Initiated>${begunAt.toISOString()}</Initiated></Upload>`,
    );
    return { xml: xml.join(''), last: found.length > size ? page.at(-1)![0] : null };
  }

  beginUpload(name: string, type: string): string {
    const id = randomUUID();
    this.sessions.set(id, { name, type, received: Buffer.alloc(0), state: 'open' });
    return id;
  }

  cancelUpload(id: string): SessionResult {
    const session = this.sessions.get(id);
    if (!session || session.state !== 'open') return { status: 404 };
    session.state = 'cancelled';
    return { status: 499 };
  }

  /**
   * Receives a chunk, or a status query without a body.
   * @param range the `Content-Range` header; `*` means an unknown end or total
   * @param isCutOff the connection was cut within the chunk: only whole multiples of `CHUNK_SIZE` are stored
   */
  receiveChunk(id: string, range: string, body: Buffer, isCutOff = false): SessionResult {
    const session = this.sessions.get(id);
    if (!session || session.state === 'cancelled') return { status: session ? 499 : 404 };
    if (session.state === 'finished') return { status: 200, object: this.toResource(session.name)! };
    const [, first, last, total] = /^bytes (?:(\d+)-(\d+|\*)|\*)\/(\d+|\*)$/.exec(range) ?? [];
    if (total === undefined) return { status: 400 };
    const start = Number(first ?? session.received.length);
    if (start > session.received.length) return { status: 400 };
    const end = start + body.length;
    const isLast = !isCutOff && (last === '*' || (total !== '*' && end === Number(total)));
    if (!isLast && !isCutOff && last !== undefined && (body.length % CHUNK_SIZE !== 0 || end !== Number(last) + 1)) {
      return { status: 400 };
    }
    const received = Buffer.concat([session.received.subarray(0, start), body]);
    session.received = isCutOff
      ? received.subarray(0, Math.floor(received.length / CHUNK_SIZE) * CHUNK_SIZE)
      : received;
    if (!isLast) return { status: 308, received: session.received.length };
    session.state = 'finished';
    return { status: 200, object: this.putObject(session.name, session.received, session.type) };
  }
}
