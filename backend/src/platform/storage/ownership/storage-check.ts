import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock, SECOND } from '../../clock/clock.js';
import { runInPoolPartition } from '../../database/pool/pool-partitioning.js';
import { StartupError } from '../../errors/startup-error.js';
import { defineJob } from '../../jobs/job-definition.js';
import { OnJob } from '../../jobs/on-job.decorator.js';
import { MIN_UPTIME_FOR_RENEWAL, StorageOwnershipGuard } from './storage-ownership-guard.js';
import type { StorageState } from './storage-refusals.js';

/** Counts the mark of the storage on, once an hour, so that older copies of the database are known as such. */
export const renewStorageMark = defineJob('storage.renew-mark', { queue: 'maintenance', cron: '17 * * * *' });

/** Replaced by tests, which give the signs of life themselves. */
@Injectable()
export class HeartbeatTimings {
  /** How often a process looks whether the mark wants a new word, in milliseconds: more often than one is due, so that one process is enough. */
  readonly checkInterval: number = 20 * SECOND;
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
  private checking: Promise<void> | null = null;
  private lastState: StorageState['kind'] = 'own';

  constructor(
    private readonly clock: Clock,
    private readonly ownership: StorageOwnershipGuard,
    private readonly timings: HeartbeatTimings,
  ) {
    this.startedAt = clock.now().getTime();
  }

  async onApplicationBootstrap(): Promise<void> {
    const state = await this.ownership.checkState();
    if (state.kind !== 'own' && state.kind !== 'unreachable') throw new StartupError(state.sentence);
    await this.checkAndBeat(true);
    const look = () => (this.checking ??= this.checkAndBeat().finally(() => (this.checking = null)));
    this.timer = setInterval(() => void look(), this.timings.checkInterval).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.checking;
  }

  /** Counts the mark on, in processes that have lived for a while: the original does so before a copy that was just started. */
  @OnJob(renewStorageMark)
  async renewMark(): Promise<void> {
    if (this.clock.now().getTime() - this.startedAt >= MIN_UPTIME_FOR_RENEWAL) await this.ownership.renewMark();
  }

  /**
   * Gives the mark its sign of life, or says why that is not for this process to do.
   * @param isStart whether this process has just come
   */
  async checkAndBeat(isStart = false): Promise<void> {
    try {
      // Whoever has no place among the others still lives.
      const state = await runInPoolPartition('beats', () => this.ownership.sendHeartbeat(isStart));
      if (state.kind !== this.lastState) this.logState(state);
      this.lastState = state.kind;
    } catch (error) {
      this.logger.warn({ err: error }, 'The mark of the storage could not be given its sign of life');
    }
  }

  private logState(state: StorageState): void {
    if (state.kind === 'own') this.logger.log('The storage is that of this installation again.');
    else if (state.kind === 'unreachable') this.logger.warn(`${state.sentence} Nothing is stored until it can be.`);
    else this.logger.error(state.sentence);
  }
}
