import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { AppError } from '../../../platform/errors/app-error.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { ZoneSchema } from '../../zones/entities/zone.entity.js';
import { admitWaitingCustomers, processWebhook } from '../integrations.jobs.js';
import { EntitlementSchema } from '../entities/entitlement.entity.js';
import { IntegrationWebhookSchema } from '../entities/integration-webhook.entity.js';
import { EntitlementService } from './entitlement.service.js';

type Tables = typeof EntitlementSchema | typeof ZoneSchema | typeof UserSchema | typeof IntegrationWebhookSchema;

interface WaitingEntitlement {
  readonly id: number;
  readonly ownerId: number;
}

const BATCH_SIZE = 500;

@Injectable()
export class WaitingEntitlementService {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobsService,
    private readonly entitlements: EntitlementService,
  ) {}

  /**
   * Admits waiting customers in the order of their purchases. An owner without room for one is skipped for the rest of
   * the run, which doesn't affect other owners.
   */
  @OnJob(admitWaitingCustomers)
  async admitWaitingCustomers(_payload: object, { signal }: JobContext): Promise<void> {
    const fullOwnerIds = new Set<number>();
    const admit = async ({ id, ownerId }: WaitingEntitlement) => {
      if (!fullOwnerIds.has(ownerId) && !(await this.tryAdmit(id))) fullOwnerIds.add(ownerId);
    };
    const admitAll = () =>
      forEachIsolated(this.streamWaiting(fullOwnerIds), admit, signal, ({ id }) => ({ entitlementId: id }));
    // Results are recorded and customers are notified even if another purchase failed.
    await forEachIsolated([admitAll, () => this.reprocessFinishedWebhooks()], (step) => step(), signal);
  }

  private async *streamWaiting(fullOwnerIds: ReadonlySet<number>): AsyncGenerator<WaitingEntitlement> {
    for (let last = 0, batch = await this.listWaiting(last, fullOwnerIds); batch.length > 0;) {
      yield* batch;
      last = batch.at(-1)!.id;
      batch = await this.listWaiting(last, fullOwnerIds);
    }
  }

  private listWaiting(after: number, fullOwnerIds: ReadonlySet<number>): Promise<WaitingEntitlement[]> {
    return query<Tables>(this.em)
      .selectFrom('entitlements as e')
      .innerJoin('zones as z', 'z.id', 'e.zone_id')
      .innerJoin('users as u', 'u.id', 'e.user_id')
      .select(['e.id as id', 'z.owner_id as ownerId'])
      .where('e.state', '=', 'waiting')
      .where('e.id', '>', after)
      .where('z.deleted_at', 'is', null)
      .where('u.erased_at', 'is', null)
      .$if(fullOwnerIds.size > 0, (rows) => rows.where('z.owner_id', 'not in', [...fullOwnerIds]))
      .orderBy('e.id')
      .limit(BATCH_SIZE)
      .execute();
  }

  /** @returns false when there is no room */
  private async tryAdmit(id: number): Promise<boolean> {
    try {
      await this.entitlements.admitWaitingCustomer(id);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'PLAN_LIMIT') return false;
      throw error;
    }
  }

  /**
   * Processes deliveries again for which no customer is waiting any more. This is idempotent and records the result:
   * granted, superseded by a newer event, or zone deleted.
   */
  private async reprocessFinishedWebhooks(): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const closed = await query<Tables>(em)
        .updateTable('integration_webhooks as w')
        .set({ error_code: null })
        .where('status', '=', 'pending')
        .where('error_code', '=', 'ZONE_FULL')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('entitlements as e')
                .innerJoin('zones as z', 'z.id', 'e.zone_id')
                .select('e.id')
                .whereRef('e.webhook_id', '=', 'w.id')
                .where('e.state', '=', 'waiting')
                .where('z.deleted_at', 'is', null),
            ),
          ),
        )
        .returning('id')
        .execute();
      for (const { id } of closed) await this.jobs.enqueue(em, processWebhook, { webhookId: id });
    });
  }
}
