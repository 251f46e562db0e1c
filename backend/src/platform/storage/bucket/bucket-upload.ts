export type UploadBytes = Buffer<ArrayBuffer>;

/**
 * An upload of one object, which doesn't exist until the last byte has arrived. A small object needs a single call;
 * larger ones are sent in parts. At most two parts are in memory: one being sent and one being filled.
 */
export abstract class BucketUpload {
  private buffered: Uint8Array[] = [];
  private bufferedBytes = 0;
  private isStarted = false;
  private sending: Promise<unknown> = Promise.resolve();
  private readonly abortController = new AbortController();

  /** @param partBytes size of each part but the last */
  constructor(private readonly partBytes: number) {}

  /** Buffers a copy of the bytes, and waits when they arrive faster than they are sent. */
  async push(chunk: Uint8Array): Promise<void> {
    this.buffered.push(Buffer.from(chunk));
    this.bufferedBytes += chunk.byteLength;
    if (this.bufferedBytes <= this.partBytes) return;
    let rest = Buffer.concat(this.buffered);
    // Keep something for the end, because the last part completes the object.
    for (; rest.length > this.partBytes; rest = rest.subarray(this.partBytes))
      await this.startPart(rest.subarray(0, this.partBytes));
    this.buffered = [rest];
    this.bufferedBytes = rest.length;
  }

  /**
   * Sends the rest; the object exists from now on.
   * @throws BucketError, also when the bucket has stored something other than what was sent
   */
  async finish(): Promise<void> {
    await this.sending;
    const last = Buffer.concat(this.buffered);
    await (this.isStarted ? this.sendLast(last) : this.sendWhole(last));
  }

  /**
   * Cancels the upload; the received parts are discarded.
   * @param patience milliseconds
   */
  async cancel(patience: number): Promise<void> {
    this.abortController.abort();
    await this.sending.catch(() => undefined);
    if (this.isStarted) await this.discardParts(patience);
  }

  /** Aborted when the upload is cancelled. */
  protected get signal(): AbortSignal {
    return this.abortController.signal;
  }

  protected abstract sendWhole(bytes: UploadBytes): Promise<void>;
  /** Prepares for sending parts. */
  protected abstract start(): Promise<void>;
  protected abstract sendPart(bytes: UploadBytes): Promise<void>;
  protected abstract sendLast(bytes: UploadBytes): Promise<void>;
  protected abstract discardParts(patience: number): Promise<void>;

  private async startPart(part: UploadBytes): Promise<void> {
    await this.sending;
    if (!this.isStarted) await this.start();
    this.isStarted = true;
    this.sending = this.sendPart(part);
    // The next await of `sending` reports the error.
    this.sending.catch(() => undefined);
  }
}
