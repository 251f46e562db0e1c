import type { Readable } from 'node:stream';
import { Storage as GoogleStorage, type StorageOptions } from '@google-cloud/storage';
import { Logger } from '@nestjs/common';
import { streamBody } from '../bucket/bucket-body.js';
import { raceWithAbort, withStorageErrors, type BucketTimeouts } from '../bucket/bucket-call.js';
import type { ListedMultipart } from '../bucket/bucket-multipart.js';
import { BucketStorage } from '../bucket/bucket-storage.js';
import { resolveEndpoint, GcsApi, type GcsObject } from './gcs-api.js';
import { GcsMultipart } from './gcs-multipart.js';
import { GcsUpload } from './gcs-upload.js';
import { MARK_OBJECT_NAME } from '../ownership/storage-mark.js';
import { assertPrefix, type ByteRange, type ObjectInfo, type SignedUrlOptions } from '../storage.js';

/** Objects per list page, the maximum of the API. */
const LIST_PAGE_SIZE = 1000;

const logger = new Logger('Storage');

export interface GcsOptions {
  /** `gs://bucket` or `gs://bucket/prefix`. */
  readonly url: string;
  /** URL of an emulator, which needs no credentials. */
  readonly apiUrl?: string | null;
  /** Options of Google's library; by default it uses the credentials of this machine. */
  readonly google?: StorageOptions;
  readonly timeouts?: BucketTimeouts;
}

/** Stores objects in a Google Cloud Storage bucket, under an optional prefix. */
export class GcsStorage extends BucketStorage {
  readonly type = 'gcs';
  private readonly api: GcsApi;
  private readonly google: GoogleStorage;
  private readonly bucket: string;
  private hasSigningKey: Promise<boolean> | null = null;

  constructor({ url, apiUrl = null, google, timeouts }: GcsOptions) {
    const [bucket = '', ...folders] = url.replace('gs://', '').split('/');
    super(folders.map((folder) => `${folder}/`).join(''), timeouts);
    this.bucket = bucket;
    this.google = new GoogleStorage({ ...google, apiEndpoint: resolveEndpoint(apiUrl) });
    this.api = new GcsApi({ bucket, apiUrl, google: this.google, timeouts: this.timeouts });
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

  protected createUpload(name: string): GcsUpload {
    return new GcsUpload(this.api, name);
  }

  protected createMultipart(name: string): Promise<string> {
    return GcsMultipart.begin(this.api, name);
  }

  protected openMultipart(name: string, remoteId: string): GcsMultipart {
    return new GcsMultipart(this.api, name, remoteId);
  }

  /** Google deletes the sessions of other uploads after a week. */
  protected listMultiparts(): AsyncIterable<ListedMultipart> {
    return GcsMultipart.list(this.api, this.prefix);
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const url = this.api.objectUrl(this.objectNameOf(key), { alt: 'media' });
    const headers = { 'Accept-Encoding': 'identity', ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) };
    const call = { name: 'read', method: 'GET', url, headers, expects: [range ? 206 : 200] } as const;
    return withStorageErrors(() =>
      this.api.callWithRetry(call, async ({ body }, giveUp) => streamBody(readerOf(body), this.timeouts.idle, giveUp)),
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

  /** Copied within the bucket; large objects need several calls. */
  override async copy(from: string, to: string): Promise<void> {
    for (let token: string | undefined = ''; token !== undefined;) {
      const url = this.api.rewriteUrl(this.objectNameOf(from), this.objectNameOf(to), token);
      const call = { name: 'rewrite', method: 'POST', url, expects: [200] } as const;
      const progress = await withStorageErrors(() =>
        this.api.callWithRetry(call, async (response) => (await response.json()) as RewriteResponse),
      );
      token = progress.done ? undefined : (progress.rewriteToken ?? '');
    }
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
    const limit = AbortSignal.timeout(this.timeouts.answer);
    try {
      return Boolean((await raceWithAbort(this.google.authClient.getCredentials(), limit)).private_key);
    } catch {
      if (limit.aborted) this.hasSigningKey = null;
      return false;
    }
  }

  protected remove(name: string, patience?: number): Promise<void> {
    const url = this.api.objectUrl(name, {});
    const call = { name: 'delete', method: 'DELETE', url, expects: [200, 204, 404] } as const;
    const read = async (response: Response) => void (await response.text());
    return patience === undefined ? this.api.callWithRetry(call, read) : this.api.callOnce({ ...call, patience }, read);
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

/**
 * Acquires the reader at once, not on the first read: a response that is garbage collected before it is read cancels
 * its body, which then ends as if the object were empty.
 */
function readerOf(body: ReadableStream<Uint8Array> | null): AsyncIterator<Uint8Array> {
  const reader = body?.getReader();
  return { next: async () => (await reader?.read()) ?? { done: true, value: undefined } } as AsyncIterator<Uint8Array>;
}
