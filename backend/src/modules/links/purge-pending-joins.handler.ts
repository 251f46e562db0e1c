import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { after, Clock, DAY } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { PendingJoinSchema } from './entities/pending-join.entity.js';
import { purgePendingJoins } from './purge-pending-joins.job.js';

/** Kept after their end so that a late second click is still told what happened. */
const KEEP = 7 * DAY;

@Injectable()
@JobHandler(purgePendingJoins)
export class PurgePendingJoinsHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async handle(): Promise<void> {
    await query<typeof PendingJoinSchema>(this.em)
      .deleteFrom('pending_joins')
      .where('expires_at', '<=', after(this.clock.now(), -KEEP))
      .execute();
  }
}
