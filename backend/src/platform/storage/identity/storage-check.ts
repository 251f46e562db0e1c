import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { StartRefusal } from '../../errors/start-refusal.js';
import { defineJob } from '../../jobs/job-definition.js';
import { OnJob } from '../../jobs/on-job.decorator.js';
import { SETTLED, StorageIdentity } from './storage-identity.js';

/** Counts the mark of the storage on, once an hour, so that older copies of the database are known as such. */
export const renewMark = defineJob('storage.renew-mark', { queue: 'maintenance', cron: '17 * * * *' });

/** Ends the start of a process whose storage is not that of its installation. One that cannot be reached for now is waited for. */
@Injectable()
export class StorageCheck implements OnApplicationBootstrap {
  private readonly logger = new Logger('Storage');
  private readonly startedAt: number;

  constructor(
    private readonly clock: Clock,
    private readonly identity: StorageIdentity,
  ) {
    this.startedAt = clock.now().getTime();
  }

  async onApplicationBootstrap(): Promise<void> {
    const state = await this.identity.state();
    if (state.kind === 'own') return;
    if (state.kind !== 'unreachable') throw new StartRefusal(state.sentence);
    this.logger.warn(`${state.sentence} Nothing is stored until it can be.`);
  }

  /** Counts the mark on, in processes that have lived for a while: the original does so before a copy that was just started. */
  @OnJob(renewMark)
  async renewMark(): Promise<void> {
    if (this.clock.now().getTime() - this.startedAt >= SETTLED) await this.identity.renew();
  }
}
