import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import type { UsageDto } from './dto/plan.dto.js';
import { metrics } from './plan-catalogue.js';
import { toMonth, getWarningLevel } from './plan.policy.js';
import { PlanService } from './plan.service.js';
import { UsageRepository } from './usage.repository.js';

/** Reports owners' usage. */
@Injectable()
export class UsageReportService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly plans: PlanService,
    private readonly usage: UsageRepository,
  ) {}

  /** Returns each limit of the owner's plan with its usage; emails are those of the current month. */
  async getUsage(ownerId: number): Promise<UsageDto[]> {
    const { limits } = await this.plans.getOwnerPlanIn(this.em, ownerId);
    const usage = await this.usage.listUsage(ownerId, toMonth(this.clock.now()));
    return metrics.map((metric) => {
      const used = usage.get(metric) ?? 0;
      return { metric, used, allowed: limits[metric], warning: getWarningLevel(used, limits[metric]) };
    });
  }
}
