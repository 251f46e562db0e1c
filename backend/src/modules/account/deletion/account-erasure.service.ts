import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { addMilliseconds, Clock, DAY, SECOND } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { recordFailure } from '../../../platform/errors/record-failure.js';
import { InstallationSettingRepository } from '../../../platform/installation/installation-setting.repository.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { PersonalDataErasureService } from '../personal-data/personal-data-erasure.service.js';
import { eraseAccount, resumeErasures, notifyAccountDeleted } from '../account.jobs.js';
import { accountDeletedEmail } from '../emails/account-deleted.email.js';
import { ErasureRepository } from './erasure.repository.js';

/** How soon an erasure checks again whether the jobs of other modules have ended, in milliseconds. */
export const RETRY_INTERVAL = 10 * SECOND;

/** How long the address is kept for sending the deletion notice; all retries end earlier. */
const ADDRESS_RETENTION = 7 * DAY;

/** Erases accounts whose deletion was requested. */
@Injectable()
export class AccountErasureService {
  private readonly logger = new Logger('Account');

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly erasures: ErasureRepository,
    private readonly personalDataErasure: PersonalDataErasureService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
    private readonly settings: InstallationSettingRepository,
    private readonly email: EmailService,
  ) {}

  /**
   * Every step is idempotent. First the user's data is erased; then one transaction anonymises the audit log, deletes
   * the row and enqueues the deletion notice. After a crash at any point, the next attempt continues.
   */
  @OnJob(eraseAccount)
  async eraseAccount({ userId }: { userId: number }, { signal }: JobContext): Promise<void> {
    const erasure = await this.erasures.findErasure(userId);
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
      // Of concurrent runs, only the one that deletes the row enqueues the notice.
      if (!(await this.erasures.deleteUser(em, userId))) return;
      await this.audit.record(em, { type: 'user.erased' });
      await this.jobs.enqueue(em, notifyAccountDeleted, { userId });
    });
  }

  @OnJob(resumeErasures)
  async resumeErasures(): Promise<void> {
    for (const userId of await this.erasures.findUsersWithoutJob(eraseAccount.name))
      await this.jobs.enqueue(this.em, eraseAccount, { userId });
    await this.erasures.deleteOldErasures(addMilliseconds(this.clock.now(), -ADDRESS_RETENTION));
  }

  /** Deletes the address once the email is sent, and also if it can't be sent at all. */
  @OnJob(notifyAccountDeleted)
  async notifyAccountDeleted({ userId }: { userId: number }, { id, isLastAttempt }: JobContext): Promise<void> {
    const erasure = await this.erasures.findErasure(userId);
    if (!erasure) return;
    const { email: to, language } = erasure;
    try {
      await this.email.send(accountDeletedEmail, { to, language, values: {}, idempotencyKey: `job-${id}` });
    } catch (error) {
      if (isLastAttempt) {
        const deleteAddress = () => this.erasures.deleteErasure(userId);
        await recordFailure(this.logger, 'the deletion of an address', deleteAddress, { userId });
      }
      throw error;
    }
    await this.erasures.deleteErasure(userId);
  }
}
