import type { Writable } from 'node:stream';

/**
 * Writes to somebody at their pace. It listens once, however often it has to wait: an answer that is compressed never
 * gives back a listener for its `drain`, and a few of them for each answer are the most that Node takes without a warning.
 */
export class BackpressureWriter {
  private resume: () => void = () => undefined;
  private readonly onDrain = (): void => this.resume();

  constructor(private readonly target: Writable) {
    target.on('drain', this.onDrain).on('close', this.onDrain);
  }

  /** Resolves when there is room for more: to true, or to false when the target has been closed. */
  async write(bytes: Uint8Array | string): Promise<boolean> {
    if (this.target.destroyed) return false;
    if (this.target.write(bytes)) return true;
    await new Promise<void>((resolve) => {
      this.resume = resolve;
      if (this.target.destroyed) resolve();
    });
    return !this.target.destroyed;
  }

  /** Stops listening; nothing is written through it afterwards. */
  stop(): void {
    this.target.off('drain', this.onDrain).off('close', this.onDrain);
  }
}
