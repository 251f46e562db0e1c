import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock, SECOND } from '../../clock/clock.js';
import { runInPoolPartition } from '../../database/pool/pool-partitioning.js';
import { StartupError } from '../../errors/startup-error.js';
import { defineJob } from '../../jobs/job-definition.js';
import { OnJob } from '../../jobs/on-job.decorator.js';
import { CurrentStorage } from '../move/current-storage.js';
import { MIN_UPTIME_FOR_RENEWAL, StorageOwnershipGuard } from './storage-ownership-guard.js';
import type { StorageState } from './storage-rejections.js';

/** Renews the storage mark hourly, so that older copies of the database can be recognised. */
export const renewStorageMark = defineJob('storage.renew-storage-mark', { queue: 'maintenance', cron: '17 * * * *' });

/** Overridden by tests, which send the heartbeats themselves. */
@Injectable()
export class HeartbeatTimings {
  /**
   * How often a process checks whether a heartbeat is due, in milliseconds; more often than the heartbeat interval, so
   * that one process suffices.
   */
  readonly checkInterval: number = 20 * SECOND;
  /** How often a process asks whether the files are being moved to another storage, in milliseconds. */
  readonly moveInterval: number = 4 * SECOND;
}

/**
 * Aborts the start of a process whose storage doesn't belong to its installation, and sends heartbeats from then on to
 * show that the storage is in use. Retries while the storage is unreachable.
 */
@Injectable()
export class StorageCheck implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Storage');
  private readonly startedAt: number;
  private timer: NodeJS.Timeout | undefined;
  private moveTimer: NodeJS.Timeout | undefined;
  private checking: Promise<void> | null = null;
  private asking: Promise<unknown> | null = null;
  private lastState: StorageState['kind'] = 'own';

  constructor(
    private readonly clock: Clock,
    private readonly current: CurrentStorage,
    private readonly ownership: StorageOwnershipGuard,
    private readonly timings: HeartbeatTimings,
  ) {
    this.startedAt = clock.now().getTime();
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.current.open();
    const state = await this.ownership.checkState();
    if (state.kind !== 'own' && state.kind !== 'unreachable') throw new StartupError(state.sentence);
    await this.checkAndBeat(true);
    const check = () => (this.checking ??= this.checkAndBeat().finally(() => (this.checking = null)));
    this.timer = setInterval(() => void check(), this.timings.checkInterval).unref();
    const ask = () => (this.asking ??= this.current.refresh().finally(() => (this.asking = null)));
    this.moveTimer = setInterval(() => void ask(), this.timings.moveInterval).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    clearInterval(this.moveTimer);
    await this.checking;
    await this.asking;
  }

  /**
   * Renews the mark only in processes that have run for a while, so that the original does so before a copy that was
   * just started.
   */
  @OnJob(renewStorageMark)
  async renewMark(): Promise<void> {
    if (this.clock.now().getTime() - this.startedAt >= MIN_UPTIME_FOR_RENEWAL) await this.ownership.renewMark();
  }

  /**
   * Sends a heartbeat, or logs why this process must not.
   * @param isStart whether the process has just started
   */
  async checkAndBeat(isStart = false): Promise<void> {
    try {
      // Uses its own pool partition, so that heartbeats work even if all other connections are in use.
      const state = await runInPoolPartition('heartbeats', () => this.ownership.sendHeartbeat(isStart));
      if (state.kind !== this.lastState) this.logState(state);
      this.lastState = state.kind;
    } catch (error) {
      this.logger.warn({ err: error }, "Couldn't renew the storage ownership mark");
    }
  }

  private logState(state: StorageState): void {
    if (state.kind === 'own') this.logger.log('The storage belongs to this installation again.');
    else if (state.kind === 'unreachable') this.logger.warn(`${state.sentence} Nothing is stored until it can be.`);
    else this.logger.error(state.sentence);
  }
}
