import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { query } from '../../platform/database/query.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { accountDeletedMail } from './emails/account-deleted.email.js';
import { Erasure, ErasureSchema } from './erasure.entity.js';
import { tellAccountDeleted } from './tell-account-deleted.job.js';

@Injectable()
@JobHandler(tellAccountDeleted)
export class TellAccountDeletedHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly mail: MailService,
  ) {}

  /** The address is forgotten once the mail is out, and also when it cannot be sent at all. */
  async handle({ userId }: { userId: number }, { id, isLastAttempt }: JobContext): Promise<void> {
    const erasure = await this.em.findOne(Erasure, { userId });
    if (!erasure) return;
    const { email: to, language } = erasure;
    try {
      await this.mail.send(accountDeletedMail, { to, language, values: {}, idempotencyKey: `job-${id}` });
    } catch (error) {
      if (isLastAttempt) await this.forget(userId);
      throw error;
    }
    await this.forget(userId);
  }

  private async forget(userId: number): Promise<void> {
    await query<typeof ErasureSchema>(this.em).deleteFrom('erasures').where('user_id', '=', userId).execute();
  }
}
