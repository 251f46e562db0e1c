import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DAY } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { addressVerificationEmail, alreadyRegisteredEmail, verificationCodeEmail } from './registration.email.js';
import { sendAddressVerification, sendVerificationCode } from '../auth.jobs.js';
import { SingleUseTokenRepository } from '../tokens/single-use-token.repository.js';
import { formatRequestOrigin, type RequestOrigin } from '../shared/user-agent-label.js';
import { UserRepository } from '../users/user.repository.js';
import { VerificationCodeService } from './verification-code.service.js';

/** Sends the emails with which people verify their addresses. */
@Injectable()
export class RegistrationMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly tokens: SingleUseTokenRepository,
    private readonly email: EmailService,
    private readonly config: AppConfig,
    private readonly users: UserRepository,
    private readonly codes: VerificationCodeService,
  ) {}

  /** Creates the token at sending time, so that no job contains one. A newer email voids the link of an older one. */
  @OnJob(sendAddressVerification)
  async sendVerificationLink({ userId }: { userId: number }, { id }: JobContext): Promise<void> {
    const user = await this.users.findActiveUser(userId);
    if (!user || user.emailVerified) return;
    const { email, language } = user;
    const token = await inTransaction(this.em, (em) =>
      this.tokens.issueToken(em, { email, purpose: 'verify-email' }, DAY),
    );
    await this.email.send(addressVerificationEmail, {
      to: email,
      language,
      values: { url: `${this.config.appUrl}/verify-email?token=${token}` },
      idempotencyKey: `job-${id}`,
    });
  }

  /** Creates the code at sending time, so that no job contains one. */
  @OnJob(sendVerificationCode)
  async sendVerificationCodeEmail(
    { email, language, from }: { email: string; language: Language; from?: RequestOrigin },
    { id }: JobContext,
  ): Promise<void> {
    const idempotencyKey = `job-${id}`;
    const user = await this.users.findUserByEmail(email);
    if (user?.password || user?.hasExternalIdentity) {
      const url = `${this.config.appUrl}/auth?mode=login`;
      const resetUrl = `${this.config.appUrl}/forgot-password`;
      await this.email.send(alreadyRegisteredEmail, {
        to: email,
        language: user.language,
        values: { url, resetUrl, from: formatRequestOrigin(from, user) },
        idempotencyKey,
      });
      return;
    }
    const code = await this.codes.issueCode(email, 'register', from?.asker);
    await this.email.send(verificationCodeEmail, {
      to: email,
      language,
      idempotencyKey,
      values: { code, from: formatRequestOrigin(from, { language }) },
    });
  }
}
