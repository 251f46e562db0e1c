import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import type { UsageDto } from './dto/plan.dto.js';
import { metrics } from './plan-catalogue.js';
import { toMonth, getWarningLevel } from './plan.policy.js';
import { PlanService } from './plan.service.js';
import { UsageSchema } from './usage.entity.js';

/** Reports owners' usage. */
@Injectable()
export class UsageReportService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly plans: PlanService,
  ) {}

  /** Returns each limit of the owner's plan with its usage; emails are those of the current month. */
  async getUsage(ownerId: number): Promise<UsageDto[]> {
    const { limits } = await this.plans.getOwnerPlanIn(this.em, ownerId);
    const rows = await query<typeof UsageSchema>(this.em)
      .selectFrom('usage')
      .select(['metric', sql<string>`used + reserved`.as('used')])
      .where('owner_id', '=', ownerId)
      .where('period', 'in', ['', toMonth(this.clock.now())])
      .execute();
    return metrics.map((metric) => {
      const used = Number(rows.find((row) => row.metric === metric)?.used ?? 0);
      return { metric, used, allowed: limits[metric], warning: getWarningLevel(used, limits[metric]) };
    });
  }
}
