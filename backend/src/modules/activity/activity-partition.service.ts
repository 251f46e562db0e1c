import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { OnJob } from '../../platform/jobs/on-job.decorator.js';
import { createActivityPartitions } from './activity.jobs.js';
import { ActivityRepository } from './activity.repository.js';

/** Months prepared beyond the current one: how long cron may be down before rows go to the default partition. */
const MONTHS_AHEAD = 3;

@Injectable()
export class ActivityPartitionService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly activity: ActivityRepository,
  ) {}

  /**
   * Creates the partitions of this and the coming months, so that rows don't go to the default partition if this job
   * does not run for a while.
   */
  @OnJob(createActivityPartitions)
  async createPartitions(): Promise<void> {
    const now = this.clock.now();
    for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
      const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
      const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead + 1, 1));
      await inTransaction(this.em, (em) => this.activity.createPartition(em, from, to));
    }
  }
}
