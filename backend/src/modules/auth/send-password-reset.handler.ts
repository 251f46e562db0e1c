import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { HOUR } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { passwordResetMail } from './emails/password-reset.email.js';
import { sendPasswordReset } from './send-password-reset.job.js';
import { SingleUseTokenService } from './single-use-token.service.js';
import { UserService } from './user.service.js';

/** The token is made here, when it is sent: no job holds one, and a newer mail voids the link of an older one. */
@Injectable()
@JobHandler(sendPasswordReset)
export class SendPasswordResetHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly tokens: SingleUseTokenService,
    private readonly mail: MailService,
    private readonly config: AppConfig,
  ) {}

  async handle({ email }: { email: string }, { id }: JobContext): Promise<void> {
    const user = await this.users.findByEmail(email);
    if (!user || user.deactivatedAt) return;
    const token = await inTransaction(this.em, (em) =>
      this.tokens.issue(em, { email, purpose: 'reset-password' }, HOUR),
    );
    await this.mail.send(passwordResetMail, {
      to: email,
      language: user.language,
      values: { url: `${this.config.appUrl}/reset-password?token=${token}` },
      idempotencyKey: `job-${id}`,
    });
  }
}
