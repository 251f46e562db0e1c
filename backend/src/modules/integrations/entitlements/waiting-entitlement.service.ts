import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import { AppError } from '../../../platform/errors/app-error.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { admitWaitingCustomers, processWebhook } from '../integrations.jobs.js';
import { WebhookRepository } from '../webhooks/webhook.repository.js';
import { EntitlementRepository } from './entitlement.repository.js';
import { EntitlementService } from './entitlement.service.js';

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
    private readonly entitlements: EntitlementRepository,
    private readonly webhooks: WebhookRepository,
    private readonly entitlementService: EntitlementService,
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
    const listAfter = (id: number) => this.entitlements.listWaiting(id, BATCH_SIZE, [...fullOwnerIds]);
    for (let batch = await listAfter(0); batch.length > 0; batch = await listAfter(batch.at(-1)!.id)) yield* batch;
  }

  /** @returns false when there is no room */
  private async tryAdmit(id: number): Promise<boolean> {
    try {
      await this.entitlementService.admitWaitingCustomer(id);
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
      const ids = await this.webhooks.resetFinishedWaiting(em);
      for (const webhookId of ids) await this.jobs.enqueue(em, processWebhook, { webhookId });
    });
  }
}
