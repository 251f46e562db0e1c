import { setTimeout as pause } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { removeStaleFilesOfDeadServer } from './stale-files.js';
import { Postmaster, type PostmasterOptions } from './postmaster.js';

export interface SupervisedServerOptions {
  readonly server: Omit<PostmasterOptions, 'onExit'>;
  /** Waits before the starts after the first, second, … death within ten minutes, in milliseconds; as many deaths are survived. */
  readonly restartDelays?: readonly number[];
  readonly onNotice?: ((sentence: string) => void) | undefined;
  /** Called once, when it died too often; nothing runs any more then. */
  readonly onGiveUp?: ((error: EmbeddedPostgresError) => void) | undefined;
}

/** What kills a server again at once mostly passes within seconds: its memory is freed, its children end. */
const RESTART_DELAYS = [100, 1000, 3000, 9000, 27_000];
/** Who died so long ago, in milliseconds, is not counted: more deaths within that time are no accident. */
const CRASH_WINDOW = 600_000;

/**
 * A server that is started again where it was when it dies, also when a start fails, until it is stopped or died too
 * often. Whatever it is doing, `stop` ends it.
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

  /** @throws EmbeddedPostgresError START_FAILED: a first start is not tried again */
  static async start(options: SupervisedServerOptions): Promise<SupervisedServer> {
    const server = new SupervisedServer(options);
    await server.#launch();
    return server;
  }

  /** Ends it in good order, or what was to bring it back. */
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
        cause = `The database server could not be started again: ${(error as Error).message}`;
        continue;
      }
      return onNotice?.('The database server runs again.');
    }
  }

  /** Counts a death. @returns how long to wait before the next start; null when there were too many */
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
