import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Storage as GoogleStorage, type StorageOptions } from '@google-cloud/storage';
import { Logger } from '@nestjs/common';
import { resolveEndpoint, GcsApi, GcsError, raceWithAbort, type GcsObject, type GcsTimeouts } from './gcs-api.js';
import { GcsUpload } from './gcs-upload.js';
import { MARK_OBJECT_NAME } from './ownership/storage-mark.js';
import { storageErrors } from './storage.errors.js';
import {
  assertObjectKey,
  assertPrefix,
  Storage,
  type ByteRange,
  type ObjectInfo,
  type SignedUrlOptions,
  type WriteOptions,
  type WriteResult,
} from './storage.js';

/** Bytes buffered ahead of a slow client. */
const READ_AHEAD = 256 * 1024;
/** Objects per list page, the maximum of the API. */
const LIST_PAGE_SIZE = 1000;
/** How long the cleanup after a failure may delay the response, in milliseconds; the sweep deletes what is left. */
const CLEANUP_TIMEOUT = 3000;

const logger = new Logger('Storage');

export interface GcsOptions {
  /** `gs://bucket` or `gs://bucket/prefix`. */
  readonly url: string;
  /** URL of an emulator, which needs no credentials. */
  readonly apiUrl?: string | null;
  /** Options of Google's library; by default it uses the credentials of this machine. */
  readonly google?: StorageOptions;
  readonly patience?: GcsTimeouts;
}

/** Stores objects in a Google Cloud Storage bucket, under an optional prefix. */
export class GcsStorage extends Storage {
  readonly type = 'gcs';
  private readonly api: GcsApi;
  private readonly google: GoogleStorage;
  private readonly bucket: string;
  private readonly prefix: string;
  private hasSigningKey: Promise<boolean> | null = null;

  constructor({ url, apiUrl = null, google, patience }: GcsOptions) {
    super();
    const [bucket = '', ...folders] = url.replace('gs://', '').split('/');
    this.bucket = bucket;
    this.prefix = folders.map((folder) => `${folder}/`).join('');
    this.google = new GoogleStorage({ ...google, apiEndpoint: resolveEndpoint(apiUrl) });
    this.api = new GcsApi({ bucket, apiUrl, google: this.google, ...(patience ? { patience } : {}) });
  }

  async readMark(): Promise<string | null> {
    const url = this.api.objectUrl(this.prefix + MARK_OBJECT_NAME, { alt: 'media' });
    const call = { name: 'mark', method: 'GET', url, expects: [200, 404] } as const;
    return withStorageErrors(() =>
      this.api.callWithRetry(call, async (response) => {
        const text = await response.text();
        return response.status === 404 ? null : text;
      }),
    );
  }

  async writeMark(text: string, first: boolean): Promise<void> {
    const only: Record<string, string> = first ? { ifGenerationMatch: '0' } : {};
    const url = this.api.uploadUrl({ uploadType: 'media', name: this.prefix + MARK_OBJECT_NAME, ...only });
    const headers = { 'Content-Type': 'application/json' };
    const body = Buffer.from(text);
    const call = { name: 'write mark', method: 'POST', url, headers, body, expects: [200, 412] } as const;
    await withStorageErrors(() => this.api.callWithRetry(call, async (response) => void (await response.text())));
  }

  async write(key: string, source: AsyncIterable<Uint8Array>, options: WriteOptions = {}): Promise<WriteResult> {
    const name = this.objectNameOf(key);
    const { maxBytes = Infinity, onProgress } = options;
    const upload = new GcsUpload(this.api, name);
    const [sha256, md5] = [createHash('sha256'), createHash('md5')];
    let size = 0;
    let finishing = false;
    try {
      for await (const chunk of source) {
        size += chunk.byteLength;
        if (size > maxBytes) throw storageErrors.OBJECT_TOO_LARGE();
        sha256.update(chunk);
        md5.update(chunk);
        await upload.push(chunk);
        onProgress?.(size);
      }
      finishing = true;
      assertIntact(await upload.finish(), size, md5.digest('base64'));
      return { size, sha256: sha256.digest('hex') };
    } catch (error) {
      await this.discard(upload, finishing ? name : null);
      throw toStorageError(error);
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const url = this.api.objectUrl(this.objectNameOf(key), { alt: 'media' });
    const headers = { 'Accept-Encoding': 'identity', ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) };
    const call = { name: 'read', method: 'GET', url, headers, expects: [range ? 206 : 200] } as const;
    return withStorageErrors(() =>
      this.api.callWithRetry(call, async ({ body }, giveUp) => {
        const bytes = body ? streamBody(body, this.api.patience.idle) : [];
        const stream = Readable.from(bytes, { objectMode: false, highWaterMark: READ_AHEAD });
        // A client that disconnects may never have started to read.
        return stream.once('close', giveUp);
      }),
    );
  }

  async stat(key: string): Promise<ObjectInfo | null> {
    const url = this.api.objectUrl(this.objectNameOf(key), { fields: 'name,size,timeCreated' });
    const call = { name: 'stat', method: 'GET', url, expects: [200, 404] } as const;
    return withStorageErrors(() =>
      this.api.callWithRetry(call, async (response) => {
        const text = await response.text();
        return response.status === 404 ? null : this.toInfo(JSON.parse(text) as GcsObject);
      }),
    );
  }

  async delete(key: string): Promise<void> {
    await withStorageErrors(() => this.remove(this.objectNameOf(key)));
  }

  /** Copied within the bucket; large objects need several calls. */
  override async move(from: string, to: string): Promise<boolean> {
    if (!(await this.stat(from))) return false;
    for (let token: string | undefined = ''; token !== undefined;) {
      const url = this.api.rewriteUrl(this.objectNameOf(from), this.objectNameOf(to), token);
      const call = { name: 'rewrite', method: 'POST', url, expects: [200] } as const;
      const progress = await withStorageErrors(() =>
        this.api.callWithRetry(call, async (response) => (await response.json()) as RewriteResponse),
      );
      token = progress.done ? undefined : (progress.rewriteToken ?? '');
    }
    await this.delete(from);
    return true;
  }

  async *list(prefix: string): AsyncIterable<ObjectInfo> {
    assertPrefix(prefix);
    const fields = 'items(name,size,timeCreated),nextPageToken';
    const query = { prefix: this.prefix + prefix, maxResults: String(LIST_PAGE_SIZE), fields };
    for (let pageToken: string | undefined = ''; pageToken !== undefined;) {
      const url = this.api.objectUrl(null, { ...query, ...(pageToken ? { pageToken } : {}) });
      const page: ListPage = await withStorageErrors(() =>
        this.api.callWithRetry(
          { name: 'list', method: 'GET', url, expects: [200] },
          async (response) => (await response.json()) as ListPage,
        ),
      );
      for (const object of page.items ?? [])
        if (object.name !== this.prefix + MARK_OBJECT_NAME) yield this.toInfo(object);
      pageToken = page.nextPageToken;
    }
  }

  /** Unfinished uploads aren't objects, and Google deletes them after a week. */
  async removeUnfinished(): Promise<void> {}

  override async signedUrl(
    key: string,
    { disposition, contentType, lifetime }: SignedUrlOptions,
  ): Promise<string | null> {
    const file = this.google.bucket(this.bucket).file(this.objectNameOf(key));
    if (!(await (this.hasSigningKey ??= this.hasKey()))) return null;
    try {
      const [address] = await file.getSignedUrl({
        version: 'v4',
        action: 'read',
        expires: Date.now() + lifetime,
        responseDisposition: disposition,
        responseType: contentType,
      });
      return address;
    } catch (error) {
      logger.error({ err: error }, "Couldn't sign a bucket URL");
      return null;
    }
  }

  /**
   * Without a local private key, signing would need an API call per URL. When the credentials can't be read in time,
   * the result is unknown, and the next URL checks again.
   */
  private async hasKey(): Promise<boolean> {
    const limit = AbortSignal.timeout(this.api.patience.answer);
    try {
      return Boolean((await raceWithAbort(this.google.authClient.getCredentials(), limit)).private_key);
    } catch {
      if (limit.aborted) this.hasSigningKey = null;
      return false;
    }
  }

  /** @param name the object that may already exist because the last bytes were sent */
  private async discard(upload: GcsUpload, name: string | null): Promise<void> {
    try {
      await upload.cancel(CLEANUP_TIMEOUT);
      if (name !== null) await this.remove(name, CLEANUP_TIMEOUT);
    } catch (error) {
      logger.warn({ err: error }, "Couldn't delete the object of a failed upload; the sweep will remove it");
    }
  }

  private remove(name: string, patience?: number): Promise<void> {
    const url = this.api.objectUrl(name, {});
    const call = { name: 'delete', method: 'DELETE', url, expects: [200, 204, 404] } as const;
    const read = async (response: Response) => void (await response.text());
    return patience === undefined ? this.api.callWithRetry(call, read) : this.api.callOnce({ ...call, patience }, read);
  }

  private objectNameOf(key: string): string {
    assertObjectKey(key);
    return this.prefix + key;
  }

  private toInfo({ name, size, timeCreated }: GcsObject): ObjectInfo {
    return { key: name.slice(this.prefix.length), size: Number(size), modifiedAt: new Date(timeCreated) };
  }
}

interface RewriteResponse {
  readonly done: boolean;
  readonly rewriteToken?: string;
}

interface ListPage {
  readonly items?: GcsObject[];
  readonly nextPageToken?: string;
}

/** Checks that the bucket has stored what was sent. */
function assertIntact(object: GcsObject, size: number, md5: string): void {
  const same = Number(object.size) === size && (object.md5Hash === undefined || object.md5Hash === md5);
  if (!same) throw new GcsError('upload', 200, 'other bytes', false);
}

/**
 * Acquires the reader at once, not on the first read: a response that is garbage collected before it is read cancels
 * its body, which then ends as if the object were empty.
 */
function streamBody(body: ReadableStream<Uint8Array>, idle: number): AsyncGenerator<Uint8Array> {
  return readChunks(body.getReader(), idle);
}

async function* readChunks(reader: ReadableStreamDefaultReader<Uint8Array>, idle: number): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await withStorageErrors(() => withReadTimeout(idle, reader.read()));
    if (done) return;
    yield value;
  }
}

/** Limits only the time that a caller waits for data; a slow client isn't the bucket's fault. */
async function withReadTimeout<T>(limit: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new GcsError('read', 200, 'stalled', false)), limit);
  });
  try {
    return await Promise.race([promise, timedOut]);
  } catch (error) {
    throw error instanceof GcsError ? error : new GcsError('read', 200, 'cut', false);
  } finally {
    clearTimeout(timer!);
  }
}

async function withStorageErrors<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw toStorageError(error);
  }
}

/** Logs errors of the bucket and replaces them; errors of the source pass through. */
function toStorageError(error: unknown): unknown {
  if (!(error instanceof GcsError)) return error;
  logger.error({ err: error }, 'The file bucket failed');
  return storageErrors.STORAGE_UNAVAILABLE();
}
