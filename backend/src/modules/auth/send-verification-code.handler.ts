import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { alreadyRegisteredMail } from './emails/already-registered.email.js';
import { verificationCodeMail } from './emails/verification-code.email.js';
import { sendVerificationCode } from './send-verification-code.job.js';
import { UserService } from './user.service.js';
import { VerificationCodeService } from './verification-code.service.js';

/** The code is made here, when it is sent: so no job holds one, and a second try voids what the first one sent. */
@Injectable()
@JobHandler(sendVerificationCode)
export class SendVerificationCodeHandler {
  constructor(
    private readonly users: UserService,
    private readonly codes: VerificationCodeService,
    private readonly mail: MailService,
    private readonly config: AppConfig,
  ) {}

  async handle({ email, language }: { email: string; language: 'en' | 'tr' }, { id }: JobContext): Promise<void> {
    const idempotencyKey = `job-${id}`;
    const user = await this.users.findByEmail(email);
    if (user?.password) {
      const url = `${this.config.appUrl}/auth?mode=login`;
      const resetUrl = `${this.config.appUrl}/forgot-password`;
      await this.mail.send(alreadyRegisteredMail, {
        to: email,
        language: user.language,
        values: { url, resetUrl },
        idempotencyKey,
      });
      return;
    }
    const code = await this.codes.issue(email, 'register');
    await this.mail.send(verificationCodeMail, { to: email, language, values: { code }, idempotencyKey });
  }
}
