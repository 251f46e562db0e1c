import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { SuppressionRepository } from '../../zones/leaving/suppression.repository.js';
import { SUPPRESSION_THRESHOLD } from '../../zones/leaving/suppression.service.js';
import { liftWrongSuppressions } from '../campaigns.jobs.js';
import { DeliveryRepository } from '../engine/delivery.repository.js';

/** Addresses per transaction. */
const BATCH_SIZE = 500;

/**
 * Repairs data from before bounce causes were recorded: three campaigns rejected because of the sender suppressed every
 * recipient. The suppression list contains keyed digests, so the search starts from the deliveries, which reference the
 * people.
 */
@Injectable()
export class WrongSuppressionRepairService {
  private readonly logger = new Logger('Campaigns');

  constructor(
    private readonly em: EntityManager,
    private readonly deliveries: DeliveryRepository,
    private readonly suppressions: SuppressionRepository,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Lifts suppressions caused only by such rejections. Suppressions whose rejections are no longer stored are kept.
   * Idempotent.
   */
  @OnJob(liftWrongSuppressions)
  async liftWrongSuppressions(_payload: Record<string, never>, { signal }: JobContext): Promise<void> {
    let lifted = 0;
    for (const ownerId of await this.suppressions.findOwnersWithFailures()) {
      const emails = await this.deliveries.findRejectedForSender(ownerId, SUPPRESSION_THRESHOLD);
      for (let at = 0; at < emails.length; at += BATCH_SIZE) {
        signal.throwIfAborted();
        lifted += await this.liftBatch(ownerId, emails.slice(at, at + BATCH_SIZE));
      }
    }
    this.logger.log({ lifted }, 'Lifted suppressions that were caused by sender-side failures.');
  }

  private liftBatch(ownerId: number, emails: readonly string[]): Promise<number> {
    return inTransaction(this.em.fork(), async (em) => {
      const lifted = await this.suppressions.liftSuppressions(em, ownerId, emails);
      if (lifted > 0) {
        const params = { lifted, why: 'sender-refused' };
        await this.audit.record(em, { type: 'suppression.many-lifted', subjectId: ownerId, params });
      }
      return lifted;
    });
  }
}
