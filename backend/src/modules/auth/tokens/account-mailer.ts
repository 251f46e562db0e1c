import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { HOUR, MINUTE } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import {
  sendConfirmationCode,
  sendLinkingCode,
  sendPasswordReset,
  sendSignInEmail,
  type ConfirmationCodeJob,
} from '../auth.jobs.js';
import type { User } from '../entities/user.entity.js';
import { UserRepository } from '../users/user.repository.js';
import { VerificationCodeService } from '../registration/verification-code.service.js';
import { sessionRequesterId } from '../shared/session-requester.js';
import { formatRequestOrigin, type RequestOrigin } from '../shared/user-agent-label.js';
import { confirmationCodeEmail, linkingCodeEmail, passwordResetEmail, signInEmail } from './account.email.js';
import { SingleUseTokenRepository } from './single-use-token.repository.js';

/** Open links per requester. */
const MAX_OPEN_LINKS = 3;
/** The link and the code of one email have the same lifetime. */
const SIGN_IN_LINK_LIFETIME = 10 * MINUTE;

/** Emails codes and links to users. Each is created at sending time, so that no job contains one. */
@Injectable()
export class AccountMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserRepository,
    private readonly codes: VerificationCodeService,
    private readonly tokens: SingleUseTokenRepository,
    private readonly email: EmailService,
    private readonly config: AppConfig,
  ) {}

  @OnJob(sendConfirmationCode)
  async sendConfirmationCode({ userId, sessionId }: ConfirmationCodeJob, { id }: JobContext): Promise<void> {
    const user = await this.users.findActiveUser(userId);
    if (!user) return;
    const code = await this.codes.issueCode(user.email, 'confirm', sessionRequesterId(sessionId));
    await this.email.send(confirmationCodeEmail, { ...toRecipient(user, id), values: { code } });
  }

  @OnJob(sendLinkingCode)
  async sendLinkingCode({ userId }: { userId: number }, { id }: JobContext): Promise<void> {
    const user = await this.users.findActiveUser(userId);
    if (!user) return;
    const code = await this.codes.issueCode(user.email, 'link-identity');
    const provider = this.config.singleSignOn?.name ?? '';
    await this.email.send(linkingCodeEmail, { ...toRecipient(user, id), values: { code, provider } });
  }

  @OnJob(sendPasswordReset)
  async sendPasswordResetLink(
    { email, from }: { email: string; from?: RequestOrigin },
    { id }: JobContext,
  ): Promise<void> {
    const user = await this.users.findActiveUserByEmail(email);
    if (!user) return;
    const grant = { email, purpose: 'reset-password', ...toRequesterId(from) } as const;
    const token = await inTransaction(this.em, (em) => this.tokens.issueToken(em, grant, HOUR, MAX_OPEN_LINKS));
    const url = `${this.config.appUrl}/reset-password?token=${token}`;
    const values = { url, from: formatRequestOrigin(from, user) };
    await this.email.send(passwordResetEmail, { ...toRecipient(user, id), values });
  }

  @OnJob(sendSignInEmail)
  async sendSignInEmail(
    { email, next, from }: { email: string; next: string | null; from?: RequestOrigin },
    { id }: JobContext,
  ): Promise<void> {
    const user = await this.users.findActiveUserByEmail(email);
    if (!user) return;
    const code = await this.codes.issueCode(email, 'sign-in', from?.asker);
    const grant = { email, purpose: 'sign-in', ...toRequesterId(from) } as const;
    const token = await inTransaction(this.em, (em) =>
      this.tokens.issueToken(em, grant, SIGN_IN_LINK_LIFETIME, MAX_OPEN_LINKS),
    );
    const query = new URLSearchParams({ token, ...(next !== null && { next }) });
    const url = `${this.config.appUrl}/sign-in?${query.toString()}`;
    const values = { url, code, from: formatRequestOrigin(from, user) };
    await this.email.send(signInEmail, { ...toRecipient(user, id), values });
  }
}

const toRequesterId = (from: RequestOrigin | undefined) => ({ askedBy: from?.asker ?? '' });

const toRecipient = ({ email, language }: User, jobId: JobContext['id']) => ({
  to: email,
  language,
  idempotencyKey: `job-${jobId}`,
});
