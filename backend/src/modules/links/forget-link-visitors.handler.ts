import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { after, Clock, DAY } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { LinkUsageSchema } from './entities/link-usage.entity.js';
import { forgetLinkVisitors } from './forget-link-visitors.job.js';

const KEEP = 90 * DAY;
const BATCH = 5000;

@Injectable()
@JobHandler(forgetLinkVisitors)
export class ForgetLinkVisitorsHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** In batches, so that no row stays locked for long; the country stays. */
  async handle(_payload: object, { signal }: JobContext): Promise<void> {
    const end = after(this.clock.now(), -KEEP);
    for (let full = true; full;) {
      signal.throwIfAborted();
      const old = query<typeof LinkUsageSchema>(this.em)
        .selectFrom('link_usages')
        .select('id')
        .where('attempted_at', '<=', end)
        .where('ip_address', 'is not', null)
        .limit(BATCH);
      const { numUpdatedRows } = await query<typeof LinkUsageSchema>(this.em)
        .updateTable('link_usages')
        .set({ ip_address: null, user_agent: null })
        .where('id', 'in', old)
        .executeTakeFirst();
      full = Number(numUpdatedRows) === BATCH;
    }
  }
}
