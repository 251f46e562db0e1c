import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { query } from '../../platform/database/query.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { ZoneSchema } from '../zones/entities/zone.entity.js';
import { admitWaiting } from './admit-waiting.job.js';
import { EntitlementSchema } from './entities/entitlement.entity.js';
import { IntegrationWebhookSchema } from './entities/integration-webhook.entity.js';
import { EntitlementService } from './entitlement.service.js';

type Tables = typeof EntitlementSchema | typeof ZoneSchema | typeof IntegrationWebhookSchema;

/** At most this many are looked at in one run; the next one goes on. */
const BATCH = 1000;

@Injectable()
@JobHandler(admitWaiting)
export class AdmitWaitingHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly entitlements: EntitlementService,
  ) {}

  /** In the order of the purchases; an owner who has no place for one has none for the next. */
  async handle(_payload: object, { signal }: JobContext): Promise<void> {
    const full = new Set<number>();
    for (const { id, ownerId } of await this.waiting()) {
      signal.throwIfAborted();
      if (full.has(ownerId)) continue;
      if (!(await this.admit(id))) full.add(ownerId);
    }
    await this.closeWebhooks();
  }

  private waiting(): Promise<{ id: number; ownerId: number }[]> {
    return query<Tables>(this.em)
      .selectFrom('entitlements as e')
      .innerJoin('zones as z', 'z.id', 'e.zone_id')
      .select(['e.id as id', 'z.owner_id as ownerId'])
      .where('e.state', '=', 'waiting')
      .where('z.deleted_at', 'is', null)
      .orderBy('e.id')
      .limit(BATCH)
      .execute();
  }

  /** @returns false when there is no place */
  private async admit(id: number): Promise<boolean> {
    try {
      await this.entitlements.admitWaiting(id);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'PLAN_LIMIT') return false;
      throw error;
    }
  }

  /** Deliveries for which nobody waits any more are done. */
  private async closeWebhooks(): Promise<void> {
    await query<Tables>(this.em)
      .updateTable('integration_webhooks as w')
      .set({ status: 'completed', error_code: null, membership_created: true })
      .where('status', '=', 'pending')
      .where('error_code', '=', 'ZONE_FULL')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('entitlements as e')
              .select('e.id')
              .whereRef('e.webhook_id', '=', 'w.id')
              .where('e.state', '=', 'waiting'),
          ),
        ),
      )
      .execute();
  }
}
