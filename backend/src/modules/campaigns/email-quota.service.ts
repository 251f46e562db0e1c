import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { monthOf } from '../plans/plan.policy.js';
import { PlanService } from '../plans/plan.service.js';
import { UsageSchema } from '../plans/usage.entity.js';
import type { EmailQuotaDto } from './dto/campaign.dto.js';
import { nextMonth } from './quota-month.js';

/** What an owner may still send this month. */
@Injectable()
export class EmailQuotaService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly plans: PlanService,
  ) {}

  /** The quota of the present month; super admins have none. What is enforced counts, once the month is open. */
  async ofMonth(ownerId: number): Promise<EmailQuotaDto> {
    const now = this.clock.now();
    const period = monthOf(now);
    const opened = await query<typeof UsageSchema>(this.em)
      .selectFrom('usage')
      .select(['used', 'allowed'])
      .where('owner_id', '=', ownerId)
      .where('metric', '=', 'mails')
      .where('period', '=', period)
      .executeTakeFirst();
    const quotaLimit = opened ? opened.allowed : (await this.plans.find(ownerId)).limits.mails;
    const emailsSent = opened?.used ?? 0;
    return {
      unlimited: quotaLimit === null,
      emailsSent,
      quotaLimit,
      remaining: quotaLimit === null ? null : Math.max(0, quotaLimit - emailsSent),
      monthYear: period,
      resetsAt: nextMonth(now),
    };
  }
}
