/** Milliseconds over which the speed is measured. */
const MEASURING_WINDOW = 4000;

/** Measures the current rate of growth. */
export class SpeedMeter {
  private samples: { at: number; bytes: number }[] = [];

  /** @param now returns milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @param bytes the total so far */
  addSample(bytes: number): void {
    const at = this.now();
    this.samples = [...this.samples, { at, bytes }].filter((sample) => at - sample.at <= MEASURING_WINDOW);
  }

  reset(): void {
    this.samples = [];
  }

  /** Returns the rate over the last seconds; 0 while unknown. */
  bytesPerSecond(): number {
    const [first] = this.samples;
    const last = this.samples.at(-1);
    if (!first || !last || last.at - first.at < 500) return 0;
    return Math.max(0, ((last.bytes - first.bytes) * 1000) / (last.at - first.at));
  }
}
