import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DAY } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { addressVerificationMail } from './emails/address-verification.email.js';
import { User } from './entities/user.entity.js';
import { sendAddressVerification } from './send-address-verification.job.js';
import { SingleUseTokenService } from './single-use-token.service.js';

/** The token is made here, when it is sent: no job holds one, and a newer mail voids the link of an older one. */
@Injectable()
@JobHandler(sendAddressVerification)
export class SendAddressVerificationHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly tokens: SingleUseTokenService,
    private readonly mail: MailService,
    private readonly config: AppConfig,
  ) {}

  async handle({ userId }: { userId: number }, { id }: JobContext): Promise<void> {
    const user = await this.em.findOne(User, { id: userId, deactivatedAt: null, emailVerified: false });
    if (!user) return;
    const { email, language } = user;
    const token = await inTransaction(this.em, (em) => this.tokens.issue(em, { email, purpose: 'verify-email' }, DAY));
    await this.mail.send(addressVerificationMail, {
      to: email,
      language,
      values: { url: `${this.config.appUrl}/verify-email?token=${token}` },
      idempotencyKey: `job-${id}`,
    });
  }
}
