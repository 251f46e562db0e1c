import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { readInBatches } from '../../../platform/database/in-batches.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { toMonth } from '../../plans/plan.policy.js';
import { PlanService } from '../../plans/plan.service.js';
import { UsageSchema } from '../../plans/usage.entity.js';
import { UsageService } from '../../plans/usage.service.js';
import { ZoneSchema } from '../../zones/entities/zone.entity.js';
import type { EmailQuotaDto } from '../dto/campaign.dto.js';
import { openMonthlyQuotas } from '../campaigns.jobs.js';

type Tables = typeof UsageSchema | typeof ZoneSchema;

interface Owner {
  readonly id: number;
}

/** Provides the monthly email quota of owners. */
@Injectable()
export class EmailQuotaService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly plans: PlanService,
    private readonly usage: UsageService,
  ) {}

  /**
   * Returns the quota of the current month; super admins have none. Once the month's row exists, its limit applies,
   * because that one is enforced.
   */
  async getMonthlyQuota(ownerId: number): Promise<EmailQuotaDto> {
    const now = this.clock.now();
    const period = toMonth(now);
    const opened = await query<typeof UsageSchema>(this.em)
      .selectFrom('usage')
      .select(['used', 'allowed'])
      .where('owner_id', '=', ownerId)
      .where('metric', '=', 'mails')
      .where('period', '=', period)
      .executeTakeFirst();
    const quotaLimit = opened ? opened.allowed : (await this.plans.getOwnerPlan(ownerId)).limits.mails;
    const emailsSent = opened?.used ?? 0;
    return {
      unlimited: quotaLimit === null,
      emailsSent,
      quotaLimit,
      remaining: quotaLimit === null ? null : Math.max(0, quotaLimit - emailsSent),
      monthYear: period,
      resetsAt: startOfNextMonth(now),
    };
  }

  /**
   * Creates the current month's row, with the plan's limit, for every zone owner without one. Plan changes update
   * existing rows themselves.
   */
  @OnJob(openMonthlyQuotas)
  async openMonthlyQuotas(_: Record<string, never>, { signal }: JobContext): Promise<void> {
    const period = toMonth(this.clock.now());
    const owners = readInBatches<Owner>((last, limit) => this.findOwnersWithoutQuota(period, last?.id ?? 0, limit));
    const open = ({ id }: Owner) => inTransaction(this.em.fork(), (em) => this.usage.openMonthlyQuota(em, id, period));
    await forEachIsolated(owners, open, signal, ({ id }) => ({ ownerId: id }));
  }

  private async findOwnersWithoutQuota(period: string, last: number, limit: number): Promise<Owner[]> {
    const { rows } = await sql<Owner>`
      select distinct z.owner_id as id from zones z
      where z.deleted_at is null and z.owner_id > ${last} and not exists (
        select from usage m where m.owner_id = z.owner_id and m.metric = 'mails' and m.period = ${period})
      order by 1 limit ${limit}`.execute(query<Tables>(this.em));
    return rows;
  }
}

/** Returns when the next month starts (UTC), and with it a new quota. */
export function startOfNextMonth(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
}
