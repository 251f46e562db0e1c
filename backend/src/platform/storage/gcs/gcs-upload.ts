import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { BucketError } from '../bucket/bucket-call.js';
import { BucketUpload, type UploadBytes } from '../bucket/bucket-upload.js';
import type { GcsApi, GcsObject } from './gcs-api.js';

/** Size of an upload part; the API requires a multiple of 256 KiB. */
const PART_BYTES = 4 * 1024 * 1024;

/** State after a part: the bytes received, or the finished object. */
type UploadProgress = { readonly received: number } | { readonly object: GcsObject };

/** An upload of one object; in parts it is a resumable upload, which survives temporary errors. */
export class GcsUpload extends BucketUpload {
  private readonly md5 = createHash('md5');
  private size = 0;
  private session!: URL;
  private offset = 0;

  constructor(
    private readonly api: GcsApi,
    private readonly name: string,
  ) {
    super(PART_BYTES);
  }

  override push(chunk: Uint8Array): Promise<void> {
    this.md5.update(chunk);
    this.size += chunk.byteLength;
    return super.push(chunk);
  }

  protected async sendWhole(bytes: UploadBytes): Promise<void> {
    this.assertIntact(await this.uploadWhole(bytes));
  }

  protected async start(): Promise<void> {
    this.session = await this.startSession();
  }

  protected async sendPart(part: UploadBytes): Promise<void> {
    const at = this.offset;
    this.offset += part.length;
    await this.transferPart(this.session, part, at, null);
  }

  protected async sendLast(part: UploadBytes): Promise<void> {
    const object = await this.transferPart(this.session, part, this.offset, this.offset + part.length);
    if (!object) throw new BucketError('part', null, 'unfinished', false);
    this.assertIntact(object);
  }

  protected async discardParts(patience: number): Promise<void> {
    const expects = [200, 204, 404, 410, 499];
    const call = { name: 'cancel', method: 'DELETE', url: this.session, expects, patience, authorised: false } as const;
    await this.api.callOnce(call, async (response) => void (await response.text()));
  }

  /** Checks that the bucket has stored what was sent. */
  private assertIntact({ size, md5Hash }: GcsObject): void {
    const isIntact = Number(size) === this.size && (md5Hash === undefined || md5Hash === this.md5.digest('base64'));
    if (!isIntact) throw new BucketError('upload', 200, 'other bytes', false);
  }

  private uploadWhole(bytes: UploadBytes): Promise<GcsObject> {
    const url = this.api.uploadUrl({ uploadType: 'media', name: this.name });
    const headers = { 'Content-Type': 'application/octet-stream' };
    const patience = this.api.timeouts.part;
    const call = { name: 'upload', method: 'POST', url, headers, body: bytes, expects: [200], patience } as const;
    return this.api.callWithRetry(call, async (response) => (await response.json()) as GcsObject);
  }

  private startSession(): Promise<URL> {
    const url = this.api.uploadUrl({ uploadType: 'resumable', name: this.name });
    const headers = { 'X-Upload-Content-Type': 'application/octet-stream' };
    return this.api.callWithRetry(
      { name: 'begin', method: 'POST', url, headers, expects: [200, 201] },
      async (response) => {
        await response.text();
        return new URL(response.headers.get('location') ?? '');
      },
    );
  }

  /**
   * Sends a part; after a temporary error, asks how much was received and resumes from there.
   * @param total total length, with the last part
   * @returns the object, after the last part
   */
  private async transferPart(
    session: URL,
    part: UploadBytes,
    at: number,
    total: number | null,
  ): Promise<GcsObject | null> {
    const end = at + part.length;
    const { pauses } = this.api.timeouts;
    let tries = 0;
    for (let from = at; ;) {
      const progress = await this.sendAndQuery(session, part.subarray(from - at), from, total, tries >= pauses.length);
      if ('object' in progress) return progress.object;
      const { received } = progress;
      if (received === end && total === null) return null;
      if (received < from || received > end) throw new BucketError('part', 308, 'lost bytes', false);
      if (received === from) {
        if (tries >= pauses.length) throw new BucketError('part', 308, 'no progress', false);
        await pause(pauses[tries++]);
      }
      from = received;
    }
  }

  private async sendAndQuery(
    session: URL,
    bytes: UploadBytes,
    from: number,
    total: number | null,
    isLastTry: boolean,
  ): Promise<UploadProgress> {
    const range = bytes.length > 0 ? `${from}-${from + bytes.length - 1}` : '*';
    try {
      return await this.putRange('part', session, bytes, `bytes ${range}/${total ?? '*'}`);
    } catch (error) {
      if (!(error instanceof BucketError && error.isTemporary) || isLastTry) throw error;
      return this.putRange('question', session, Buffer.alloc(0), 'bytes */*');
    }
  }

  private putRange(name: 'part' | 'question', url: URL, body: UploadBytes, range: string): Promise<UploadProgress> {
    const { signal } = this;
    const patience = this.api.timeouts.part;
    const headers = { 'Content-Range': range };
    const call = { name, method: 'PUT', url, headers, body, signal, patience, authorised: false } as const;
    const expects = [200, 201, 308];
    const ask = name === 'part' ? this.api.callOnce.bind(this.api) : this.api.callWithRetry.bind(this.api);
    return ask<UploadProgress>({ ...call, expects }, async (response) => {
      const text = await response.text();
      if (response.status !== 308) return { object: JSON.parse(text) as GcsObject };
      const [, last] = /^bytes=0-(\d+)$/.exec(response.headers.get('range') ?? '') ?? [];
      return { received: last === undefined ? 0 : Number(last) + 1 };
    });
  }
}
