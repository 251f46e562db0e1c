import type { Writable } from 'node:stream';

/**
 * Writes to a stream with backpressure. Registers its listeners only once: the response wrapper of the compression
 * middleware doesn't remove `drain` listeners, and with one per wait Node.js would soon warn about a leak.
 */
export class BackpressureWriter {
  private resume: () => void = () => undefined;
  private readonly onDrain = (): void => this.resume();

  constructor(private readonly target: Writable) {
    target.on('drain', this.onDrain).on('close', this.onDrain);
  }

  /** Resolves to true when the target accepts more, or to false when it has been closed. */
  async write(bytes: Uint8Array | string): Promise<boolean> {
    if (this.target.destroyed) return false;
    if (this.target.write(bytes)) return true;
    await new Promise<void>((resolve) => {
      this.resume = resolve;
      if (this.target.destroyed) resolve();
    });
    return !this.target.destroyed;
  }

  /** Removes the listeners; don't write through it afterwards. */
  stop(): void {
    this.target.off('drain', this.onDrain).off('close', this.onDrain);
  }
}
