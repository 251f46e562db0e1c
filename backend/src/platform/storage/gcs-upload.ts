import { setTimeout as pause } from 'node:timers/promises';
import { GcsFault, type Bytes, type GcsApi, type GcsObject } from './gcs-api.js';

/**
 * Bytes sent at a time, a multiple of 256 KiB as the API asks. An upload holds two parts at most: the one on its way
 * and the one that is gathered meanwhile.
 */
const PART = 4 * 1024 * 1024;

/** How an upload stands after a part: how much has come, or the object when it is whole. */
type Progress = { readonly received: number } | { readonly object: GcsObject };

/**
 * One object on its way into a bucket. What is small goes in one call; what is larger in parts of a resumable upload,
 * which survives a fault that passes. Until the last byte has come there is no object.
 */
export class GcsUpload {
  private session: URL | null = null;
  private gathered: Uint8Array[] = [];
  private gatheredBytes = 0;
  private offset = 0;
  private sending: Promise<unknown> = Promise.resolve();
  private readonly stop = new AbortController();

  constructor(
    private readonly api: GcsApi,
    private readonly name: string,
  ) {}

  /** Takes a copy of the next bytes, and waits when they come faster than they leave. */
  async push(chunk: Uint8Array): Promise<void> {
    this.gathered.push(Buffer.from(chunk));
    this.gatheredBytes += chunk.byteLength;
    if (this.gatheredBytes <= PART) return;
    let rest = Buffer.concat(this.gathered);
    // Something always stays for the end: the last part is the one that tells the length.
    for (; rest.length > PART; rest = rest.subarray(PART)) await this.send(rest.subarray(0, PART));
    this.gathered = [rest];
    this.gatheredBytes = rest.length;
  }

  /** Sends what is left; gives the object, which is there from now on. */
  async finish(): Promise<GcsObject> {
    await this.sending;
    const last = Buffer.concat(this.gathered);
    if (!this.session) return this.inOnePiece(last);
    const object = await this.transfer(this.session, last, this.offset, this.offset + last.length);
    if (!object) throw new GcsFault('part', null, 'unfinished', false);
    return object;
  }

  /**
   * Gives the upload up: what has come of it is forgotten.
   * @param patience milliseconds
   */
  async cancel(patience: number): Promise<void> {
    this.stop.abort();
    await this.sending.catch(() => undefined);
    if (!this.session) return;
    const expects = [200, 204, 404, 410, 499];
    const call = { name: 'cancel', method: 'DELETE', url: this.session, expects, patience, authorised: false } as const;
    await this.api.once(call, async (response) => void (await response.text()));
  }

  private async send(part: Bytes): Promise<void> {
    await this.sending;
    this.session ??= await this.begin();
    this.sending = this.transfer(this.session, part, this.offset, null);
    // A failure is met by whoever awaits it next.
    this.sending.catch(() => undefined);
    this.offset += part.length;
  }

  private inOnePiece(bytes: Bytes): Promise<GcsObject> {
    const url = this.api.uploadUrl({ uploadType: 'media', name: this.name });
    const headers = { 'Content-Type': 'application/octet-stream' };
    const patience = this.api.patience.part;
    const call = { name: 'upload', method: 'POST', url, headers, body: bytes, expects: [200], patience } as const;
    return this.api.repeat(call, async (response) => (await response.json()) as GcsObject);
  }

  private begin(): Promise<URL> {
    const url = this.api.uploadUrl({ uploadType: 'resumable', name: this.name });
    const headers = { 'X-Upload-Content-Type': 'application/octet-stream' };
    return this.api.repeat({ name: 'begin', method: 'POST', url, headers, expects: [200, 201] }, async (response) => {
      await response.text();
      return new URL(response.headers.get('location') ?? '');
    });
  }

  /**
   * Brings a part over; after a fault that passes it asks how much has come and goes on from there.
   * @param total the length of the whole, with the last part
   * @returns the object after the last part
   */
  private async transfer(session: URL, part: Bytes, at: number, total: number | null): Promise<GcsObject | null> {
    const end = at + part.length;
    const { pauses } = this.api.patience;
    let tries = 0;
    for (let from = at; ;) {
      const progress = await this.progress(session, part.subarray(from - at), from, total, tries >= pauses.length);
      if ('object' in progress) return progress.object;
      const { received } = progress;
      if (received === end && total === null) return null;
      if (received < from || received > end) throw new GcsFault('part', 308, 'lost bytes', false);
      if (received === from) {
        if (tries >= pauses.length) throw new GcsFault('part', 308, 'no progress', false);
        await pause(pauses[tries++]);
      }
      from = received;
    }
  }

  private async progress(
    session: URL,
    bytes: Bytes,
    from: number,
    total: number | null,
    isLastTry: boolean,
  ): Promise<Progress> {
    const range = bytes.length > 0 ? `${from}-${from + bytes.length - 1}` : '*';
    try {
      return await this.put('part', session, bytes, `bytes ${range}/${total ?? '*'}`);
    } catch (error) {
      if (!(error instanceof GcsFault && error.passing) || isLastTry) throw error;
      return this.put('question', session, Buffer.alloc(0), 'bytes */*');
    }
  }

  private put(name: 'part' | 'question', url: URL, body: Bytes, range: string): Promise<Progress> {
    const { signal } = this.stop;
    const patience = this.api.patience.part;
    const headers = { 'Content-Range': range };
    const call = { name, method: 'PUT', url, headers, body, signal, patience, authorised: false } as const;
    const expects = [200, 201, 308];
    const ask = name === 'part' ? this.api.once.bind(this.api) : this.api.repeat.bind(this.api);
    return ask<Progress>({ ...call, expects }, async (response) => {
      const text = await response.text();
      if (response.status !== 308) return { object: JSON.parse(text) as GcsObject };
      const [, last] = /^bytes=0-(\d+)$/.exec(response.headers.get('range') ?? '') ?? [];
      return { received: last === undefined ? 0 : Number(last) + 1 };
    });
  }
}
