import { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { after, Clock, DAY } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { monthOf } from '../plans/plan.policy.js';
import { PlanService } from '../plans/plan.service.js';
import { UsageSchema } from '../plans/usage.entity.js';
import { ZoneSchema } from '../zones/entities/zone.entity.js';
import { CampaignEventSchema } from './entities/campaign-event.entity.js';
import { keepQuotas } from './keep-quotas.job.js';

type Tables = typeof UsageSchema | typeof ZoneSchema | typeof CampaignEventSchema;

/** How long the address and program of an opening or click are kept. */
const ADDRESSES_KEPT = 90 * DAY;
const BATCH = 500;

@JobHandler(keepQuotas)
export class KeepQuotasHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly plans: PlanService,
  ) {}

  async handle(_: Record<string, never>, { signal }: JobContext): Promise<void> {
    await this.openMonth(signal);
    await query<Tables>(this.em)
      .updateTable('campaign_events')
      .set({ ip_address: null, user_agent: null })
      .where('created_at', '<', after(this.clock.now(), -ADDRESSES_KEPT))
      .where(sql<boolean>`(ip_address is not null or user_agent is not null)`)
      .execute();
  }

  /** A row for each owner of a zone who has none this month, with what the plan allows. Plans that change see to theirs. */
  private async openMonth(signal: AbortSignal): Promise<void> {
    const period = monthOf(this.clock.now());
    for (let last = 0; ;) {
      signal.throwIfAborted();
      const owners = await this.without(period, last);
      for (const ownerId of owners) await inTransaction(this.em.fork(), (em) => this.open(em, ownerId, period));
      if (owners.length < BATCH) return;
      last = owners.at(-1)!;
    }
  }

  private async open(em: EntityManager, ownerId: number, period: string): Promise<void> {
    const { limits } = await this.plans.of(em, ownerId);
    await query<Tables>(em)
      .insertInto('usage')
      .values({ owner_id: ownerId, metric: 'mails', period, allowed: limits.mails })
      .onConflict((conflict) => conflict.columns(['owner_id', 'metric', 'period']).doNothing())
      .execute();
  }

  private async without(period: string, last: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select distinct z.owner_id as id from zones z
      where z.deleted_at is null and z.owner_id > ${last} and not exists (
        select from usage m where m.owner_id = z.owner_id and m.metric = 'mails' and m.period = ${period})
      order by 1 limit ${BATCH}`.execute(query<Tables>(this.em));
    return rows.map(({ id }) => id);
  }
}
