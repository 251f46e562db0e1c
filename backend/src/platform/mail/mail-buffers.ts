/** Buffers grow by this much, so that mails of one campaign, of nearly the same size, fit into the same ones. */
const STEP = 16 * 1024;

/**
 * Memory in which mails are handed over, used again and again. A new buffer for each mail lives outside V8's heap until
 * the next full collection, which comes late: a worker would keep tens of megabytes of mails that have long gone out.
 */
export class MailBuffers {
  private readonly free: Buffer[] = [];

  /** @param most buffers kept for later */
  constructor(private readonly most: number) {}

  /** The bytes of a text, in memory that is the caller's until it is given back (or forgotten, which is no fault). */
  take(text: string): Buffer {
    const size = Buffer.byteLength(text);
    const known = this.free.pop();
    const whole = known && known.length >= size ? known : Buffer.allocUnsafeSlow(Math.ceil(size / STEP) * STEP);
    whole.write(text);
    return whole.subarray(0, size);
  }

  /** Takes back what `take` gave. Nobody may read it any more. */
  giveBack(bytes: Buffer): void {
    if (this.free.length < this.most) this.free.push(Buffer.from(bytes.buffer));
  }
}
