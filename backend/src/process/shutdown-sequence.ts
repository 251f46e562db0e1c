import { toSourceStack } from '../platform/errors/source-stack.js';

/** Maximum duration of a shutdown, in milliseconds, after which the process exits anyway. */
const SHUTDOWN_TIMEOUT = 20_000;
/** The same for a worker whose parent is gone, and the database with it: nothing can be finished. */
const ORPHAN_SHUTDOWN_TIMEOUT = 1000;

interface ShutdownStep {
  readonly name: string;
  readonly run: () => unknown;
}

/** Stops what was started, in reverse order and only once, however often it is requested. */
export class ShutdownSequence {
  private readonly steps: ShutdownStep[] = [];
  private running: Promise<void> | null = null;

  /** @param extraTimeout additional time for the steps, in milliseconds */
  constructor(private readonly extraTimeout = 0) {}

  get isRequested(): boolean {
    return this.running !== null;
  }

  /** Adds a step that runs before all steps added earlier. */
  add(name: string, run: () => unknown): void {
    this.steps.push({ name, run });
  }

  /**
   * Shuts down on SIGTERM and SIGINT. A child process ignores SIGINT, which a terminal sends to the whole group; it
   * waits for its parent's signal, and stops by itself when the parent is gone.
   * @param role a worker depends on its parent's database and stops quickly without it
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

  /** Shuts down because of an error, with exit code 1. */
  fail(sentence: string): void {
    if (this.isRequested) return;
    process.stderr.write(`\n${sentence}\n`);
    void this.exit(1, SHUTDOWN_TIMEOUT + this.extraTimeout);
  }

  /** Runs the steps; all callers wait for the same run. */
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
        process.stderr.write(`Stopping the ${name} failed: ${toSourceStack(String((error as Error).stack))}\n`);
      }
    }
  }
}
