import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { SuppressionSchema } from '../../zones/entities/suppression.entity.js';
import { SuppressionRepository } from '../../zones/leaving/suppression.repository.js';
import { liftWrongSuppressions } from '../campaigns.jobs.js';
import { SUPPRESSION_THRESHOLD } from '../engine/campaign-state.service.js';

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
    private readonly suppressions: SuppressionRepository,
    private readonly audit: AuditService,
  ) {}

  /**
   * Lifts suppressions caused only by such rejections. Suppressions whose rejections are no longer stored are kept.
   * Idempotent.
   */
  @OnJob(liftWrongSuppressions)
  async liftWrongSuppressions(_payload: Record<string, never>, { signal }: JobContext): Promise<void> {
    let lifted = 0;
    for (const ownerId of await this.findOwnerIds()) {
      const emails = await this.findWronglySuppressed(ownerId);
      for (let at = 0; at < emails.length; at += BATCH_SIZE) {
        signal.throwIfAborted();
        lifted += await this.liftBatch(ownerId, emails.slice(at, at + BATCH_SIZE));
      }
    }
    this.logger.log({ lifted }, 'Lifted suppressions that were caused by sender-side failures.');
  }

  private async findOwnerIds(): Promise<number[]> {
    const rows = await query<typeof SuppressionSchema>(this.em)
      .selectFrom('suppressions')
      .select(sql<number>`owner_id`.as('ownerId'))
      .distinct()
      .where('reason', '=', 'failed')
      .where('owner_id', 'is not', null)
      .orderBy('ownerId')
      .execute();
    return rows.map(({ ownerId }) => Number(ownerId));
  }

  /**
   * Returns people who were permanently rejected in enough campaigns, but because of their own address in too few of
   * them.
   */
  private async findWronglySuppressed(ownerId: number): Promise<string[]> {
    const { rows } = await sql<{ email: string }>`
      select u.email from deliveries d join campaigns c on c.id = d.campaign_id join users u on u.id = d.user_id
      where c.sent_by_id = ${ownerId} and d.state = 'failed' and d.smtp_code >= 500
      group by u.id, u.email
      having count(distinct d.campaign_id) >= ${SUPPRESSION_THRESHOLD}
        and count(distinct d.campaign_id) filter (where d.fault = 'reader') < ${SUPPRESSION_THRESHOLD}
      order by u.id`.execute(query<typeof SuppressionSchema>(this.em));
    return rows.map(({ email }) => email);
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
