import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock, DAY } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import type { User } from '../entities/user.entity.js';
import { SingleUseTokenRepository } from '../tokens/single-use-token.repository.js';
import { UserRepository } from '../users/user.repository.js';
import { sendEmailChange, notifyEmailChanged, type EmailChangeJob } from '../auth.jobs.js';
import {
  emailChangeEmail,
  emailTakenEmail,
  emailChangedNewAddressEmail,
  emailChangedOldAddressEmail,
} from './emails/email-change.email.js';
import { EmailChangeRepository } from './email-change.repository.js';
import { digestOf } from '../../../platform/security/secrets.js';

/** How long a change can be undone, in milliseconds. */
export const UNDO_LIFETIME = 7 * DAY;

/**
 * Sends the emails about changes of address. Tokens are created when the email is sent, so that no job contains one.
 */
@Injectable()
export class EmailChangeMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly emailChanges: EmailChangeRepository,
    private readonly users: UserRepository,
    private readonly tokens: SingleUseTokenRepository,
    private readonly email: EmailService,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** Creates the token at sending time, so that no job contains one. A newer request voids the links of older ones. */
  @OnJob(sendEmailChange)
  async sendConfirmationLink({ userId, email, password }: EmailChangeJob, { id }: JobContext): Promise<void> {
    const user = await this.users.findActiveUser(userId);
    if (!user || user.email === email) return;
    const { language } = user;
    const idempotencyKey = `job-${id}`;
    if (await this.users.findUserByEmail(email)) {
      await this.email.send(emailTakenEmail, { to: email, language, values: {}, idempotencyKey });
      return;
    }
    const token = await inTransaction(this.em, async (em) => {
      // A password change voids open links. This also voids a link that would be created after it.
      const lockedUser = await this.users.lockUser(em, userId);
      if (password !== undefined && password !== passwordFingerprint(lockedUser)) return null;
      await this.tokens.revokeTokensOfSubject(em, 'change-email', String(userId));
      return this.tokens.issueToken(em, { email, purpose: 'change-email', subject: String(userId) }, DAY);
    });
    if (token === null) return;
    const url = `${this.config.appUrl}/change-email?token=${token}`;
    await this.email.send(emailChangeEmail, { to: email, language, values: { url }, idempotencyKey });
  }

  @OnJob(notifyEmailChanged)
  async notifyBothAddresses({ changeId }: { changeId: number }, { id }: JobContext): Promise<void> {
    const change = await this.emailChanges.findChangeToNotify(changeId);
    if (!change) return;
    const { oldEmail, newEmail, byAdmin } = change;
    const language = change.language as Language;
    const url = byAdmin ? null : await this.createUndoUrl(changeId, oldEmail, change.changedAt);
    await this.email.send(emailChangedOldAddressEmail, {
      to: oldEmail,
      language,
      values: { newEmail, url },
      idempotencyKey: `job-${id}-old`,
    });
    await this.email.send(emailChangedNewAddressEmail, {
      to: newEmail,
      language,
      values: { oldEmail, byAdmin },
      idempotencyKey: `job-${id}-new`,
    });
  }

  private async createUndoUrl(changeId: number, email: string, changedAt: Date): Promise<string> {
    const remaining = changedAt.getTime() + UNDO_LIFETIME - this.clock.now().getTime();
    const grant = { email, purpose: 'undo-email-change', subject: String(changeId) } as const;
    const token = await inTransaction(this.em, (em) => this.tokens.issueToken(em, grant, remaining));
    return `${this.config.appUrl}/undo-email-change?token=${token}`;
  }
}

/** Returns a fingerprint that changes whenever the password is replaced, even by the same one. */
export function passwordFingerprint({ id, password }: Pick<User, 'id' | 'password'>): string {
  return digestOf(`password of ${id}: ${password ?? 'none'}`);
}
