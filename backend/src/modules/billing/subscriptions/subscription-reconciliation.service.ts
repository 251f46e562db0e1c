import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import type { CronRunPayload, JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { BillingAccountRepository } from '../billing-account.repository.js';
import { reconcileSubscriptions, refreshSubscription } from '../billing.jobs.js';
import { StripeClientService } from '../stripe-client.service.js';
import { StripeEventRepository } from '../webhook/stripe-event.repository.js';
import { SubscriptionSyncService } from './subscription-sync.service.js';

/** Stripe retries a delivery for three days, and lets one be resent manually for thirty. */
const EVENT_RETENTION = 90 * DAY;
const BATCH_SIZE = 200;
/** Concurrent requests to Stripe. */
const CONCURRENCY = 4;

interface ReconciliationReport {
  asked: number;
  repaired: number;
  failed: number;
  missing: number;
  severalSubscriptions: number;
}

@Injectable()
export class SubscriptionReconciliationService {
  private readonly logger = new Logger('Billing');
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly accounts: BillingAccountRepository,
    private readonly events: StripeEventRepository,
    private readonly stripe: StripeClientService,
    private readonly subscriptionSync: SubscriptionSyncService,
    private readonly audit: AuditRepository,
  ) {}

  /** Limits the effect of a lost event, in either direction, to one day. */
  @OnJob(reconcileSubscriptions)
  async reconcileAll(_payload: CronRunPayload, { signal }: JobContext): Promise<void> {
    await this.events.deleteReceivedBefore(addMilliseconds(this.clock.now(), -EVENT_RETENTION));
    if (!this.stripe.isConfigured) return;
    const report: ReconciliationReport = { asked: 0, repaired: 0, failed: 0, missing: 0, severalSubscriptions: 0 };
    const listAfter = (id: number) => this.accounts.listCustomersAfter(id, BATCH_SIZE);
    for (let ids = await listAfter(0); ids.length > 0; ids = await listAfter(ids.at(-1)!)) {
      for (let start = 0; start < ids.length; start += CONCURRENCY) {
        signal.throwIfAborted();
        await Promise.all(ids.slice(start, start + CONCURRENCY).map((id) => this.reconcileUser(id, report)));
      }
    }
    await this.audit.record(this.em.fork(), { type: 'billing.reconciled', params: { ...report } });
  }

  @OnJob(refreshSubscription)
  async refreshSubscription({ userId }: { userId: number }): Promise<void> {
    await this.subscriptionSync.refreshSubscription(userId);
  }

  private async reconcileUser(userId: number, report: ReconciliationReport): Promise<void> {
    report.asked++;
    const em = this.em.fork();
    try {
      const result = await this.subscriptionSync.refreshSubscription(userId);
      if (result === null) report.missing++;
      if (result && result.changed.length > 0) {
        report.repaired++;
        const params = { changed: result.changed };
        await this.audit.record(em, { type: 'billing.repaired', subjectId: userId, params });
      }
      if (result && result.live > 1) {
        report.severalSubscriptions++;
        const params = { live: result.live };
        await this.audit.record(em, { type: 'billing.several-subscriptions', subjectId: userId, params });
      }
    } catch (error) {
      // A customer that can't be read must not stop the comparison of the others; the report counts it.
      this.logger.error({ err: error, userId }, "Couldn't compare a subscription with Stripe.");
      report.failed++;
    }
  }
}
