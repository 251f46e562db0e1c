import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { HOUR } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { unsupportedAddressMessage, SmtpUtf8Service } from '../../../platform/email/smtp-utf8.service.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { authErrors, emailChangeErrors } from '../auth.errors.js';
import type { User } from '../entities/user.entity.js';
import { passwordFingerprint } from './email-change-mailer.js';
import { PasswordConfirmationService } from '../passwords/password-confirmation.service.js';
import { SessionService, type SessionOrigin } from '../sessions/session.service.js';
import { SingleUseTokenRepository } from '../tokens/single-use-token.repository.js';
import { EmailChangeLinksService, type EmailChangeLink } from './email-change-links.service.js';
import { EmailChangeApplierService } from './email-change-applier.service.js';
import { EmailChangeRepository } from './email-change.repository.js';
import { sendEmailChange, notifyEmailChanged } from '../auth.jobs.js';

const EMAILS_PER_USER: RateRule = { name: 'email-change', limit: 5, window: HOUR };

export interface EmailChangeCommand {
  readonly to: string;
  readonly actorId: number;
  readonly ipAddress: string | null;
  /** Made by an administrator: the new address is unverified, and the old address can't undo the change. */
  readonly byAdmin: boolean;
  readonly reason?: string;
}

/** Changes the address of an account: requested in the settings, completed by a link emailed to the new address. */
@Injectable()
export class EmailChangeService {
  constructor(
    private readonly em: EntityManager,
    private readonly emailChanges: EmailChangeRepository,
    private readonly tokens: SingleUseTokenRepository,
    private readonly passwordConfirmation: PasswordConfirmationService,
    private readonly sessions: SessionService,
    private readonly emailChangeLinks: EmailChangeLinksService,
    private readonly emailChangeApplier: EmailChangeApplierService,
    private readonly limits: RateLimitService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
    private readonly smtpUtf8: SmtpUtf8Service,
  ) {}

  /**
   * Emails a link to the new address. Response and work are the same whether or not the address has an account; the job
   * decides what to send.
   * @param password instead of a confirmation within the last ten minutes
   * @throws WRONG_PASSWORD, CONFIRMATION_REQUIRED, EMAIL_UNCHANGED, TOO_MANY_REQUESTS
   * @throws VALIDATION_FAILED for an address that the mail server does not accept
   * @throws NOT_SIGNED_IN if the session has since ended
   */
  async requestChange(
    viewer: Viewer,
    newEmail: string,
    password: string | undefined,
    { ipAddress }: SessionOrigin,
  ): Promise<void> {
    const { userId, email } = viewer;
    const hash = await this.passwordConfirmation.requireConfirmation(viewer, password, ipAddress);
    if (newEmail === email) throw emailChangeErrors.EMAIL_UNCHANGED();
    await this.limits.consume(EMAILS_PER_USER, userId);
    if (await this.smtpUtf8.isUnsupported(newEmail)) throw fieldError('email', unsupportedAddressMessage);
    await inTransaction(this.em, async (em) => {
      const user = await this.sessions.lockUserOfSession(em, viewer);
      if (hash !== null && user.password !== hash) throw authErrors.WRONG_PASSWORD();
      const fact = { type: 'user.email-change-asked', actorId: userId, subjectId: userId, ipAddress } as const;
      await this.audit.record(em, fact);
      await this.jobs.enqueue(em, sendEmailChange, { userId, email: newEmail, password: passwordFingerprint(user) });
    });
  }

  /** Returns the address that the link would set, or null if the link can no longer be used. */
  async getNewEmailOfLink(token: string): Promise<string | null> {
    return (await this.findLink(token))?.email ?? null;
  }

  /**
   * Changes the address by the emailed link. Sessions stay open.
   * @throws TOKEN_INVALID; of two concurrent requests only one succeeds
   * @throws EMAIL_TAKEN if the address has an account by now
   */
  async completeChange(token: string, { ipAddress }: SessionOrigin): Promise<void> {
    await this.emailChangeLinks.useLink(await this.findLink(token), (em, user, { email: to }) =>
      this.changeEmail(em, user, { to, actorId: user.id, ipAddress, byAdmin: false }),
    );
  }

  /**
   * Changes the address in the caller's transaction, which must hold the lock of the user's row. Notifies both
   * addresses.
   * @throws EMAIL_TAKEN, EMAIL_UNCHANGED
   */
  async changeEmail(em: EntityManager, user: User, { to, actorId, ipAddress, byAdmin, reason }: EmailChangeCommand) {
    const from = user.email;
    if (to === from) throw emailChangeErrors.EMAIL_UNCHANGED();
    await this.emailChangeApplier.applyEmailChange(em, user, to, !byAdmin);
    if (byAdmin) await this.revokeUndoLinks(em, user.id);
    const change = { userId: user.id, oldEmail: from, newEmail: to, byAdmin };
    const changeId = await this.emailChanges.insertChange(em, change);
    await this.audit.record(em, {
      type: 'user.email-changed',
      actorId,
      subjectId: user.id,
      ipAddress,
      params: { changeId, byAdmin, ...(reason && { reason }) },
    });
    await this.jobs.enqueue(em, notifyEmailChanged, { changeId });
  }

  /**
   * An administrator changes an address because the old one is lost: its current holder must not get the account back.
   */
  private async revokeUndoLinks(em: EntityManager, userId: number): Promise<void> {
    const changeIds = await this.emailChanges.findChangeIds(em, userId);
    for (const id of changeIds) await this.tokens.revokeTokensOfSubject(em, 'undo-email-change', String(id));
  }

  private async findLink(token: string): Promise<(EmailChangeLink & { readonly email: string }) | null> {
    const found = await this.emailChangeLinks.findUsableToken(token, 'change-email');
    return found && { tokenId: found.id, userId: Number(found.subject), email: found.email };
  }
}
