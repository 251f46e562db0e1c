import { setTimeout as pause } from 'node:timers/promises';
import { GcsError, type GcsBytes, type GcsApi, type GcsObject } from './gcs-api.js';

/**
 * Size of an upload part; the API requires a multiple of 256 KiB. An upload holds at most two parts in memory: one
 * being sent and one being filled.
 */
const PART_BYTES = 4 * 1024 * 1024;

/** State after a part: the bytes received, or the finished object. */
type UploadProgress = { readonly received: number } | { readonly object: GcsObject };

/**
 * An upload of one object. Small objects need a single call; larger ones use a resumable upload, which survives
 * temporary errors. The object doesn't exist until the last byte has arrived.
 */
export class GcsUpload {
  private session: URL | null = null;
  private buffered: Uint8Array[] = [];
  private bufferedBytes = 0;
  private offset = 0;
  private sending: Promise<unknown> = Promise.resolve();
  private readonly abortController = new AbortController();

  constructor(
    private readonly api: GcsApi,
    private readonly name: string,
  ) {}

  /** Buffers a copy of the bytes, and waits when they arrive faster than they are sent. */
  async push(chunk: Uint8Array): Promise<void> {
    this.buffered.push(Buffer.from(chunk));
    this.bufferedBytes += chunk.byteLength;
    if (this.bufferedBytes <= PART_BYTES) return;
    let rest = Buffer.concat(this.buffered);
    // Keep something for the end, because the last part declares the total length.
    for (; rest.length > PART_BYTES; rest = rest.subarray(PART_BYTES))
      await this.sendPart(rest.subarray(0, PART_BYTES));
    this.buffered = [rest];
    this.bufferedBytes = rest.length;
  }

  /** Sends the rest and returns the object, which exists from now on. */
  async finish(): Promise<GcsObject> {
    await this.sending;
    const last = Buffer.concat(this.buffered);
    if (!this.session) return this.uploadWhole(last);
    const object = await this.transferPart(this.session, last, this.offset, this.offset + last.length);
    if (!object) throw new GcsError('part', null, 'unfinished', false);
    return object;
  }

  /**
   * Cancels the upload; the received parts are discarded.
   * @param patience milliseconds
   */
  async cancel(patience: number): Promise<void> {
    this.abortController.abort();
    await this.sending.catch(() => undefined);
    if (!this.session) return;
    const expects = [200, 204, 404, 410, 499];
    const call = { name: 'cancel', method: 'DELETE', url: this.session, expects, patience, authorised: false } as const;
    await this.api.callOnce(call, async (response) => void (await response.text()));
  }

  private async sendPart(part: GcsBytes): Promise<void> {
    await this.sending;
    this.session ??= await this.startSession();
    this.sending = this.transferPart(this.session, part, this.offset, null);
    // The next await of `sending` reports the error.
    this.sending.catch(() => undefined);
    this.offset += part.length;
  }

  private uploadWhole(bytes: GcsBytes): Promise<GcsObject> {
    const url = this.api.uploadUrl({ uploadType: 'media', name: this.name });
    const headers = { 'Content-Type': 'application/octet-stream' };
    const patience = this.api.patience.part;
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
    part: GcsBytes,
    at: number,
    total: number | null,
  ): Promise<GcsObject | null> {
    const end = at + part.length;
    const { pauses } = this.api.patience;
    let tries = 0;
    for (let from = at; ;) {
      const progress = await this.sendAndQuery(session, part.subarray(from - at), from, total, tries >= pauses.length);
      if ('object' in progress) return progress.object;
      const { received } = progress;
      if (received === end && total === null) return null;
      if (received < from || received > end) throw new GcsError('part', 308, 'lost bytes', false);
      if (received === from) {
        if (tries >= pauses.length) throw new GcsError('part', 308, 'no progress', false);
        await pause(pauses[tries++]);
      }
      from = received;
    }
  }

  private async sendAndQuery(
    session: URL,
    bytes: GcsBytes,
    from: number,
    total: number | null,
    isLastTry: boolean,
  ): Promise<UploadProgress> {
    const range = bytes.length > 0 ? `${from}-${from + bytes.length - 1}` : '*';
    try {
      return await this.putRange('part', session, bytes, `bytes ${range}/${total ?? '*'}`);
    } catch (error) {
      if (!(error instanceof GcsError && error.isTemporary) || isLastTry) throw error;
      return this.putRange('question', session, Buffer.alloc(0), 'bytes */*');
    }
  }

  private putRange(name: 'part' | 'question', url: URL, body: GcsBytes, range: string): Promise<UploadProgress> {
    const { signal } = this.abortController;
    const patience = this.api.patience.part;
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
