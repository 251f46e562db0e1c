import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, MINUTE } from '../../../platform/clock/clock.js';
import { createMonthPartitions } from '../../../platform/database/month-partitions.sql.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { createReadingPartitions, rollUpReading } from '../insights.jobs.js';
import { RollUpRepository } from '../roll-up/roll-up.repository.js';
import { ReadingRepository } from './reading.repository.js';

/**
 * How far each run goes back behind the last one, in milliseconds. A read is stored some time after its timestamp, and
 * the clocks of two servers differ.
 */
const OVERLAP = 10 * MINUTE;

/** Keeps the figures by page and day, and the partitions of `page_reads`, up to date. */
@Injectable()
export class ReadingRollUpService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly rollUps: RollUpRepository,
    private readonly reading: ReadingRepository,
  ) {}

  /** The position advances in the same transaction, so a run may be interrupted, or done by two workers concurrently. */
  @OnJob(rollUpReading)
  async rollUp(): Promise<void> {
    const now = this.clock.now();
    await inTransaction(this.em.fork(), async (em) => {
      const from = await this.rollUps.lockPosition(em, 'reading');
      if (now <= from) return;
      await this.reading.rollUpDays(em, addMilliseconds(from, -OVERLAP), now);
      await this.rollUps.setState(em, 'reading', now);
    });
  }

  @OnJob(createReadingPartitions)
  createPartitions(): Promise<void> {
    return createMonthPartitions(this.em, 'page_reads', this.clock.now());
  }
}
