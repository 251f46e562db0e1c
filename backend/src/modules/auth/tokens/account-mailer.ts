import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { HOUR, MINUTE } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { MailService } from '../../../platform/mail/mail.service.js';
import {
  sendConfirmationCode,
  sendLinkingCode,
  sendPasswordReset,
  sendSignInMail,
  type ConfirmationRequest,
} from '../auth.jobs.js';
import { User } from '../entities/user.entity.js';
import { VerificationCodeService } from '../registration/verification-code.service.js';
import { confirmationAsker } from '../shared/confirmation-asker.js';
import { originInWords, type Asked } from '../shared/browser-words.js';
import { confirmationCodeMail, linkingCodeMail, passwordResetMail, signInMail } from './account.email.js';
import { SingleUseTokenService } from './single-use-token.service.js';

/** Links of one asker that work at a time. */
const LINKS = 3;
/** The link and the code of one mail live equally long. */
const SIGN_IN_LIFETIME = 10 * MINUTE;

/** Mails codes and links to people with an account. Each is made when it is sent, so that no job holds one. */
@Injectable()
export class AccountMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly codes: VerificationCodeService,
    private readonly tokens: SingleUseTokenService,
    private readonly mail: MailService,
    private readonly config: AppConfig,
  ) {}

  @OnJob(sendConfirmationCode)
  async sendConfirmationCode({ userId, sessionId }: ConfirmationRequest, { id }: JobContext): Promise<void> {
    const user = await this.em.findOne(User, { id: userId, deactivatedAt: null, erasedAt: null });
    if (!user) return;
    const code = await this.codes.issue(user.email, 'confirm', confirmationAsker(sessionId));
    await this.mail.send(confirmationCodeMail, { ...toPerson(user, id), values: { code } });
  }

  @OnJob(sendLinkingCode)
  async sendLinkingCode({ userId }: { userId: number }, { id }: JobContext): Promise<void> {
    const user = await this.em.findOne(User, { id: userId, deactivatedAt: null });
    if (!user) return;
    const code = await this.codes.issue(user.email, 'link-identity');
    const provider = this.config.singleSignOn?.name ?? '';
    await this.mail.send(linkingCodeMail, { ...toPerson(user, id), values: { code, provider } });
  }

  @OnJob(sendPasswordReset)
  async sendResetLink({ email, from }: { email: string; from?: Asked }, { id }: JobContext): Promise<void> {
    const user = await this.em.findOne(User, { email, deactivatedAt: null });
    if (!user) return;
    const grant = { email, purpose: 'reset-password', ...askedBy(from) } as const;
    const token = await inTransaction(this.em, (em) => this.tokens.issue(em, grant, HOUR, LINKS));
    const url = `${this.config.appUrl}/reset-password?token=${token}`;
    const values = { url, from: originInWords(from, user) };
    await this.mail.send(passwordResetMail, { ...toPerson(user, id), values });
  }

  @OnJob(sendSignInMail)
  async sendSignIn(
    { email, next, from }: { email: string; next: string | null; from?: Asked },
    { id }: JobContext,
  ): Promise<void> {
    const user = await this.em.findOne(User, { email, deactivatedAt: null, erasedAt: null });
    if (!user) return;
    const code = await this.codes.issue(email, 'sign-in', from?.asker);
    const grant = { email, purpose: 'sign-in', ...askedBy(from) } as const;
    const token = await inTransaction(this.em, (em) => this.tokens.issue(em, grant, SIGN_IN_LIFETIME, LINKS));
    const query = new URLSearchParams({ token, ...(next !== null && { next }) });
    const url = `${this.config.appUrl}/sign-in?${query.toString()}`;
    const values = { url, code, from: originInWords(from, user) };
    await this.mail.send(signInMail, { ...toPerson(user, id), values });
  }
}

const askedBy = (from: Asked | undefined) => ({ askedBy: from?.asker ?? '' });

const toPerson = ({ email, language }: User, jobId: JobContext['id']) => ({
  to: email,
  language,
  idempotencyKey: `job-${jobId}`,
});
