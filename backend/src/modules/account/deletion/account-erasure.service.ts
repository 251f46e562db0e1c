import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { addMilliseconds, Clock, DAY, SECOND } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { recordFailure } from '../../../platform/errors/record-failure.js';
import { InstallationSettingsService } from '../../../platform/installation/installation-settings.service.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { JobSchema } from '../../../platform/jobs/job.entity.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { PersonalDataErasureService } from '../personal-data/personal-data-erasure.service.js';
import { eraseAccount, resumeErasures, notifyAccountDeleted } from '../account.jobs.js';
import { accountDeletedEmail } from '../emails/account-deleted.email.js';
import { Erasure, ErasureSchema } from './erasure.entity.js';

/** How soon an erasure checks again whether the jobs of other modules have ended, in milliseconds. */
export const RETRY_INTERVAL = 10 * SECOND;

/** How long the address is kept for sending the deletion notice; all retries end earlier. */
const ADDRESS_RETENTION = 7 * DAY;

type Tables = typeof ErasureSchema | typeof UserSchema | typeof JobSchema;

/** Erases accounts whose deletion was requested. */
@Injectable()
export class AccountErasureService {
  private readonly logger = new Logger('Account');

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly personalDataErasure: PersonalDataErasureService,
    private readonly jobs: JobsService,
    private readonly audit: AuditService,
    private readonly settings: InstallationSettingsService,
    private readonly email: EmailService,
  ) {}

  /**
   * Every step is idempotent. First the user's data is erased; then one transaction anonymises the audit log, deletes
   * the row and enqueues the deletion notice. After a crash at any point, the next attempt continues.
   */
  @OnJob(eraseAccount)
  async eraseAccount({ userId }: { userId: number }, { signal }: JobContext): Promise<void> {
    const erasure = await this.em.findOne(Erasure, { userId });
    if (!erasure) return;
    const { email, requestedAt } = erasure;
    if (!(await this.personalDataErasure.eraseAll({ id: userId, email, requestedAt }, signal))) {
      const runAt = addMilliseconds(this.clock.now(), RETRY_INTERVAL);
      await this.jobs.enqueue(this.em, eraseAccount, { userId }, { runAt });
      return;
    }
    await inTransaction(this.em, async (em) => {
      await this.audit.anonymiseUser(em, userId);
      await this.settings.clearChangedBy(em, userId);
      const deleted = await query<typeof UserSchema>(em)
        .deleteFrom('users')
        .where('id', '=', userId)
        .where('erased_at', 'is not', null)
        .executeTakeFirst();
      // Of concurrent runs, only the one that deletes the row enqueues the notice.
      if (deleted.numDeletedRows === 0n) return;
      await this.audit.record(em, { type: 'user.erased' });
      await this.jobs.enqueue(em, notifyAccountDeleted, { userId });
    });
  }

  @OnJob(resumeErasures)
  async resumeErasures(): Promise<void> {
    for (const userId of await this.listErasuresWithoutJob())
      await this.jobs.enqueue(this.em, eraseAccount, { userId });
    await query<Tables>(this.em)
      .deleteFrom('erasures')
      .where('requested_at', '<=', addMilliseconds(this.clock.now(), -ADDRESS_RETENTION))
      .where((where) =>
        where.not(where.exists(where.selectFrom('users').select('id').whereRef('users.id', '=', 'erasures.user_id'))),
      )
      .execute();
  }

  /** Deletes the address once the email is sent, and also if it can't be sent at all. */
  @OnJob(notifyAccountDeleted)
  async notifyAccountDeleted({ userId }: { userId: number }, { id, isLastAttempt }: JobContext): Promise<void> {
    const erasure = await this.em.findOne(Erasure, { userId });
    if (!erasure) return;
    const { email: to, language } = erasure;
    try {
      await this.email.send(accountDeletedEmail, { to, language, values: {}, idempotencyKey: `job-${id}` });
    } catch (error) {
      if (isLastAttempt) {
        const deleteAddress = () => this.deleteErasure(userId);
        await recordFailure(this.logger, 'the deletion of an address', deleteAddress, { userId });
      }
      throw error;
    }
    await this.deleteErasure(userId);
  }

  /** Returns users whose row still exists and for whom no job is pending. */
  private async listErasuresWithoutJob(): Promise<number[]> {
    const rows = await query<Tables>(this.em)
      .selectFrom('erasures as e')
      .innerJoin('users as u', 'u.id', 'e.user_id')
      .select('e.user_id as userId')
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('jobs as j')
              .select('j.id')
              .where('j.name', '=', eraseAccount.name)
              .where('j.state', '!=', 'dead')
              .where(sql<boolean>`(j.payload ->> 'userId')::bigint = e.user_id`),
          ),
        ),
      )
      .execute();
    return rows.map((row) => row.userId);
  }

  private async deleteErasure(userId: number): Promise<void> {
    await query<typeof ErasureSchema>(this.em).deleteFrom('erasures').where('user_id', '=', userId).execute();
  }
}
