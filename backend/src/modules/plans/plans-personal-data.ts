import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { query } from '../../platform/database/query.js';
import { inBatches, PersonalDataPort, type Person, type PersonalData, type Rows } from '../auth/personal-data.port.js';
import { OwnerPlanSchema } from './owner-plan.entity.js';
import { UsageWarningSchema } from './usage-warning.entity.js';
import { UsageSchema } from './usage.entity.js';

type Tables = typeof OwnerPlanSchema | typeof UsageSchema | typeof UsageWarningSchema;

/** Plan and use of owners. The rows go with the person's. */
@Injectable()
export class PlansPersonalData implements PersonalData, OnModuleInit {
  constructor(private readonly port: PersonalDataPort) {}

  onModuleInit(): void {
    this.port.register(this);
  }

  sections(em: EntityManager, { id }: Person): Record<string, Rows> {
    return {
      plan: inBatches(() =>
        query<Tables>(em)
          .selectFrom('owner_plans')
          .select(['subscribed_plan as subscribedPlan', 'granted_plan as grantedPlan', 'updated_at as updatedAt'])
          .select(['zones', 'people', 'bytes', 'mails'])
          .where('owner_id', '=', id)
          .execute(),
      ),
      // A row a metric and one a month: never many.
      usage: inBatches(() =>
        query<Tables>(em)
          .selectFrom('usage')
          .select(['metric', 'period', 'used', 'allowed'])
          .where('owner_id', '=', id)
          .orderBy('metric')
          .orderBy('period')
          .limit(499)
          .execute(),
      ),
      limitWarnings: inBatches(() =>
        query<Tables>(em)
          .selectFrom('usage_warnings')
          .select(['metric', 'month', 'level', 'warned_at as warnedAt'])
          .where('owner_id', '=', id)
          .orderBy('warned_at', 'desc')
          .limit(499)
          .execute(),
      ),
    };
  }
}
