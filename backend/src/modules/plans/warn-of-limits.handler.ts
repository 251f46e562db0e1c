import { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler, type Handles } from '../../platform/jobs/job-handler.decorator.js';
import type { ClockTick } from '../../platform/jobs/job-definition.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import type { Metric } from './plan-catalogue.js';
import { monthOf, type WarningLevel } from './plan.policy.js';
import { tellOfLimit } from './tell-of-limit.job.js';
import { UsageWarningSchema } from './usage-warning.entity.js';
import { warnOfLimits } from './warn-of-limits.job.js';

const BATCH = 500;

/** Zones are left out: the one zone of the free plan is no reason to write. The page shows all. */
@JobHandler(warnOfLimits)
export class WarnOfLimitsHandler implements Handles<ClockTick> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
  ) {}

  async handle(_tick: ClockTick, { signal }: JobContext): Promise<void> {
    for (let found = BATCH; found === BATCH;) {
      signal.throwIfAborted();
      found = await inTransaction(this.em.fork(), (em) => this.warnSome(em));
    }
  }

  /** @returns how many were found */
  private async warnSome(em: EntityManager): Promise<number> {
    const [month, now] = [monthOf(this.clock.now()), this.clock.now()];
    const warned = await query<typeof UsageWarningSchema>(em)
      .insertInto('usage_warnings')
      .columns(['owner_id', 'metric', 'month', 'level', 'warned_at'])
      .expression(
        sql`
        select u.owner_id, u.metric, ${month}, level.level, ${now}::timestamptz
        from usage u
        join users o on o.id = u.owner_id and o.deactivated_at is null and o.erased_at is null
        cross join lateral (select case when u.used + u.reserved >= u.allowed then 100 else 80 end as level) level
        where u.metric in ('people', 'bytes', 'mails') and u.period in ('', ${month}) and u.allowed > 0
          and (u.used + u.reserved) * 100 >= u.allowed * 80
          and not exists (select from usage_warnings w where w.owner_id = u.owner_id and w.metric = u.metric
            and w.month = ${month} and w.level >= level.level)
        limit ${BATCH}`,
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning(['owner_id as ownerId', 'metric', 'level'])
      .execute();
    for (const { ownerId, metric, level } of warned) {
      await this.jobs.enqueue(em, tellOfLimit, {
        ownerId: Number(ownerId),
        metric: metric as Metric,
        level: level as WarningLevel,
      });
    }
    return warned.length;
  }
}
