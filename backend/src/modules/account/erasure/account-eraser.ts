import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { Audit } from '../../../platform/audit/audit.service.js';
import { after, Clock, DAY, SECOND } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { recordFailure } from '../../../platform/errors/record-failure.js';
import { InstallationSettings } from '../../../platform/installation/installation-settings.service.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { JobSchema } from '../../../platform/jobs/job.entity.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { MailService } from '../../../platform/mail/mail.service.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { PersonalDataEraser } from '../personal-data/personal-data-eraser.service.js';
import { erasePerson, resumeErasures, tellAccountDeleted } from '../account.jobs.js';
import { accountDeletedMail } from '../emails/account-deleted.email.js';
import { Erasure, ErasureSchema } from './erasure.entity.js';

/** How soon it is looked again whether the jobs of other modules have ended. */
export const LOOK_AGAIN = 10 * SECOND;

/** By then the farewell was tried often enough. */
const KEEP_ADDRESS = 7 * DAY;

type Tables = typeof ErasureSchema | typeof UserSchema | typeof JobSchema;

/** Erases accounts whose deletion was asked for. */
@Injectable()
export class AccountEraser {
  private readonly logger = new Logger('Account');

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly data: PersonalDataEraser,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
    private readonly settings: InstallationSettings,
    private readonly mail: MailService,
  ) {}

  /**
   * Every step can be done again: what is held of the person is removed, then, in one transaction, the record of what
   * happened loses the person, the row goes, and the farewell is written. Killed anywhere, the next try goes on.
   */
  @OnJob(erasePerson)
  async erase({ userId }: { userId: number }, { signal }: JobContext): Promise<void> {
    const erasure = await this.em.findOne(Erasure, { userId });
    if (!erasure) return;
    const { email, requestedAt } = erasure;
    if (!(await this.data.erase({ id: userId, email, requestedAt }, signal))) {
      const runAt = after(this.clock.now(), LOOK_AGAIN);
      await this.jobs.enqueue(this.em, erasePerson, { userId }, { runAt });
      return;
    }
    await inTransaction(this.em, async (em) => {
      await this.audit.forget(em, userId);
      await this.settings.forget(em, userId);
      const gone = await query<typeof UserSchema>(em)
        .deleteFrom('users')
        .where('id', '=', userId)
        .where('erased_at', 'is not', null)
        .executeTakeFirst();
      // Of two that come here at once, one deletes the row, and that one has the farewell sent.
      if (gone.numDeletedRows === 0n) return;
      await this.audit.record(em, { type: 'user.erased' });
      await this.jobs.enqueue(em, tellAccountDeleted, { userId });
    });
  }

  @OnJob(resumeErasures)
  async resume(): Promise<void> {
    for (const userId of await this.stranded()) await this.jobs.enqueue(this.em, erasePerson, { userId });
    await query<Tables>(this.em)
      .deleteFrom('erasures')
      .where('requested_at', '<=', after(this.clock.now(), -KEEP_ADDRESS))
      .where((where) =>
        where.not(where.exists(where.selectFrom('users').select('id').whereRef('users.id', '=', 'erasures.user_id'))),
      )
      .execute();
  }

  /** The address is forgotten once the mail is out, and also when it cannot be sent at all. */
  @OnJob(tellAccountDeleted)
  async tellDeleted({ userId }: { userId: number }, { id, isLastAttempt }: JobContext): Promise<void> {
    const erasure = await this.em.findOne(Erasure, { userId });
    if (!erasure) return;
    const { email: to, language } = erasure;
    try {
      await this.mail.send(accountDeletedMail, { to, language, values: {}, idempotencyKey: `job-${id}` });
    } catch (error) {
      if (isLastAttempt) {
        const forget = () => this.forget(userId);
        await recordFailure(this.logger, 'that an address is no longer needed', forget, { userId });
      }
      throw error;
    }
    await this.forget(userId);
  }

  /** People whose row is still there, and for whom no job is on its way. */
  private async stranded(): Promise<number[]> {
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
              .where('j.name', '=', erasePerson.name)
              .where('j.state', '!=', 'dead')
              .where(sql<boolean>`(j.payload ->> 'userId')::bigint = e.user_id`),
          ),
        ),
      )
      .execute();
    return rows.map((row) => row.userId);
  }

  private async forget(userId: number): Promise<void> {
    await query<typeof ErasureSchema>(this.em).deleteFrom('erasures').where('user_id', '=', userId).execute();
  }
}
