/** How long stopping may take, in milliseconds, before the process ends without waiting for the rest. */
const SHUTDOWN_TIMEOUT = 20_000;
/** The same for a worker whose parent, and with it the database, is gone: there is nothing left to finish. */
const ORPHAN_SHUTDOWN_TIMEOUT = 1000;

interface ShutdownStep {
  readonly name: string;
  readonly run: () => unknown;
}

/** Stops what was started, in the reverse order, once, whatever asks for it and how often. */
export class ShutdownSequence {
  private readonly steps: ShutdownStep[] = [];
  private running: Promise<void> | null = null;

  /** @param longer what the steps may take beyond the usual, in milliseconds */
  constructor(private readonly extraTimeout = 0) {}

  get isRequested(): boolean {
    return this.running !== null;
  }

  /** Adds what is to be stopped before everything added so far. */
  add(name: string, run: () => unknown): void {
    this.steps.push({ name, run });
  }

  /**
   * Stops on SIGTERM and SIGINT. A child of ours ignores SIGINT, which a terminal sends to the whole group, waits to
   * be told by its parent, and stops by itself when the parent is gone.
   * @param role a worker depends on its parent's database and does not linger without it
   */
  handleSignals(role: 'all' | 'web' | 'worker'): void {
    const stop = () => void this.exit(0, SHUTDOWN_TIMEOUT + this.extraTimeout);
    process.on('SIGTERM', stop);
    if (process.send === undefined) {
      process.on('SIGINT', stop);
      return;
    }
    process.on('SIGINT', () => undefined);
    const timeout = role === 'worker' ? ORPHAN_SHUTDOWN_TIMEOUT : SHUTDOWN_TIMEOUT + this.extraTimeout;
    process.on('disconnect', () => void this.exit(0, timeout));
  }

  /** Stops because of a fault, and ends the process with 1. */
  fail(sentence: string): void {
    if (this.isRequested) return;
    process.stderr.write(`\n${sentence}\n`);
    void this.exit(1, SHUTDOWN_TIMEOUT + this.extraTimeout);
  }

  /** Runs the steps; every caller waits for the same run. */
  run(): Promise<void> {
    this.running ??= this.runSteps();
    return this.running;
  }

  private async exit(code: number, timeout: number): Promise<void> {
    if (this.isRequested) return;
    setTimeout(() => process.exit(1), timeout).unref();
    await this.run();
    process.exit(code);
  }

  private async runSteps(): Promise<void> {
    for (const { name, run } of this.steps.reverse()) {
      try {
        await run();
      } catch (error) {
        process.stderr.write(`Stopping the ${name} failed: ${String((error as Error).stack)}\n`);
      }
    }
  }
}
