import { setTimeout as pause } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { removeStaleFilesOfDeadServer } from './stale-files.js';
import { Postmaster, type PostmasterOptions } from './postmaster.js';

export interface SupervisedServerOptions {
  readonly server: Omit<PostmasterOptions, 'onExit'>;
  /**
   * Delays before the restarts after the first, second, … crash within ten minutes, in milliseconds. The length is the
   * number of restarts.
   */
  readonly restartDelays?: readonly number[];
  readonly onNotice?: ((sentence: string) => void) | undefined;
  /** Called once when the server has crashed too often and nothing is running any more. */
  readonly onGiveUp?: ((error: EmbeddedPostgresError) => void) | undefined;
}

/** Most causes of repeated crashes pass within seconds: memory is freed, and child processes exit. */
const RESTART_DELAYS = [100, 1000, 3000, 9000, 27_000];
/** Crashes older than this, in milliseconds, are not counted. */
const CRASH_WINDOW = 600_000;

/**
 * A server that is restarted after crashes and failed restarts, until it is stopped or has crashed too often. `stop`
 * works in any state.
 */
export class SupervisedServer {
  readonly #options: SupervisedServerOptions;
  readonly #stopped = new AbortController();
  #deaths: number[] = [];
  #postmaster: Postmaster | undefined;
  #reviving: Promise<void> | undefined;

  private constructor(options: SupervisedServerOptions) {
    this.#options = options;
  }

  /** @throws EmbeddedPostgresError START_FAILED: the first start is not retried */
  static async start(options: SupervisedServerOptions): Promise<SupervisedServer> {
    const server = new SupervisedServer(options);
    await server.#launch();
    return server;
  }

  /** Shuts the server down cleanly, or cancels a pending restart. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#reviving;
    await this.#postmaster?.stop();
    this.#postmaster = undefined;
  }

  async #launch(): Promise<void> {
    const onExit = (words: string) => {
      this.#postmaster = undefined;
      this.#reviving = this.#revive(words);
    };
    this.#postmaster = await Postmaster.start({ ...this.#options.server, onExit }, this.#stopped.signal);
  }

  async #revive(words: string): Promise<void> {
    const { server, onNotice } = this.#options;
    for (let cause = `The database server has ended unexpectedly ${words}`; !this.#stopped.signal.aborted;) {
      const wait = this.#waitAfterDeath();
      if (wait === null) return this.#giveUp(cause);
      onNotice?.(`${cause} It is started again in ${wait / 1000} s.`);
      try {
        await pause(wait, undefined, { signal: this.#stopped.signal });
        removeStaleFilesOfDeadServer(server.clusterDir, server.socketDir);
        await this.#launch();
      } catch (error) {
        cause = `Couldn't restart the database server: ${(error as Error).message}`;
        continue;
      }
      return onNotice?.('The database server runs again.');
    }
  }

  /** Records a crash. @returns the delay before the restart; null when there were too many crashes */
  #waitAfterDeath(): number | null {
    const now = performance.now();
    this.#deaths = [...this.#deaths.filter((at) => now - at < CRASH_WINDOW), now];
    const { restartDelays = RESTART_DELAYS } = this.#options;
    return restartDelays[this.#deaths.length - 1] ?? null;
  }

  #giveUp(cause: string): void {
    this.#stopped.abort();
    this.#options.onGiveUp?.(new EmbeddedPostgresError('STOPPED_UNEXPECTEDLY', cause));
  }
}
