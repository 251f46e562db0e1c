import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock, SECOND } from '../../clock/clock.js';
import { inLane } from '../../database/pool/places.js';
import { StartRefusal } from '../../errors/start-refusal.js';
import { defineJob } from '../../jobs/job-definition.js';
import { OnJob } from '../../jobs/on-job.decorator.js';
import { SETTLED, StorageIdentity } from './storage-identity.js';
import type { StorageState } from './storage-refusals.js';

/** Counts the mark of the storage on, once an hour, so that older copies of the database are known as such. */
export const renewMark = defineJob('storage.renew-mark', { queue: 'maintenance', cron: '17 * * * *' });

/** Replaced by tests, which give the signs of life themselves. */
@Injectable()
export class BeatTimings {
  /** How often a process looks whether the mark wants a new word, in milliseconds: more often than one is due, so that one process is enough. */
  readonly look: number = 20 * SECOND;
}

/**
 * Ends the start of a process whose storage is not that of its installation, and shows others that it is in use from then
 * on. A storage that cannot be reached for now is waited for.
 */
@Injectable()
export class StorageCheck implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Storage');
  private readonly startedAt: number;
  private timer: NodeJS.Timeout | undefined;
  private look: Promise<void> | null = null;
  private kind: StorageState['kind'] = 'own';

  constructor(
    private readonly clock: Clock,
    private readonly identity: StorageIdentity,
    private readonly timings: BeatTimings,
  ) {
    this.startedAt = clock.now().getTime();
  }

  async onApplicationBootstrap(): Promise<void> {
    const state = await this.identity.state();
    if (state.kind !== 'own' && state.kind !== 'unreachable') throw new StartRefusal(state.sentence);
    await this.lookAgain(true);
    const look = () => (this.look ??= this.lookAgain().finally(() => (this.look = null)));
    this.timer = setInterval(() => void look(), this.timings.look).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.look;
  }

  /** Counts the mark on, in processes that have lived for a while: the original does so before a copy that was just started. */
  @OnJob(renewMark)
  async renewMark(): Promise<void> {
    if (this.clock.now().getTime() - this.startedAt >= SETTLED) await this.identity.renew();
  }

  /**
   * Gives the mark its sign of life, or says why that is not for this process to do.
   * @param isStart whether this process has just come
   */
  async lookAgain(isStart = false): Promise<void> {
    try {
      // Whoever has no place among the others still lives.
      const state = await inLane('beats', () => this.identity.beat(isStart));
      if (state.kind !== this.kind) this.tell(state);
      this.kind = state.kind;
    } catch (error) {
      this.logger.warn({ err: error }, 'The mark of the storage could not be given its sign of life');
    }
  }

  private tell(state: StorageState): void {
    if (state.kind === 'own') this.logger.log('The storage is that of this installation again.');
    else if (state.kind === 'unreachable') this.logger.warn(`${state.sentence} Nothing is stored until it can be.`);
    else this.logger.error(state.sentence);
  }
}
