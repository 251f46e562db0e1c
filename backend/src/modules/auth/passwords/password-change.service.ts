import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository, type AuditRecord } from '../../../platform/audit/audit.repository.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { authErrors } from '../auth.errors.js';
import { CredentialService } from './credential.service.js';
import type { ChangePasswordDto } from '../dto/password.dto.js';
import type { User } from '../entities/user.entity.js';
import { PasswordConfirmationService } from './password-confirmation.service.js';
import { SessionService, type SessionOrigin } from '../sessions/session.service.js';
import { SessionIssuerService, type SignInResult } from '../sign-in/session-issuer.service.js';
import { notifySecurityEvent } from '../auth.jobs.js';
import { UserRepository } from '../users/user.repository.js';
import { UserService } from '../users/user.service.js';

/** Sets a new password while signed in. */
@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly userRepository: UserRepository,
    private readonly passwordConfirmation: PasswordConfirmationService,
    private readonly credentials: CredentialService,
    private readonly sessions: SessionService,
    private readonly sessionIssuer: SessionIssuerService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Sets the password of the session's user, ends all their sessions and creates a new one with the same confirmation
   * state. Requires the current password or, if there is none, a confirmation within the last ten minutes. Users who
   * set their first password and have no other way to sign in must also pass a second factor if they have one, because
   * an emailed link or temporary password opened their session without it.
   * @throws EMAIL_MISMATCH if the form names a different address than the session's
   * @throws WRONG_PASSWORD, CONFIRMATION_REQUIRED, PASSWORD_UNCHANGED, TOO_MANY_REQUESTS, VALIDATION_FAILED
   * @throws NOT_SIGNED_IN if the session has since ended
   */
  async changePassword(viewer: Viewer, dto: ChangePasswordDto, origin: SessionOrigin): Promise<SignInResult> {
    if (dto.email !== viewer.email) throw authErrors.EMAIL_MISMATCH();
    const currentUser = await this.userRepository.getManagedUser(viewer.userId);
    const confirmedHash = await this.confirmIdentity(viewer, currentUser, dto.currentPassword, origin.ipAddress);
    const hash = await this.users.validateAndHashPassword(dto.newPassword, 'newPassword', currentUser);
    await this.credentials.assertPasswordChanged(currentUser, dto.newPassword, 'newPassword');
    return inTransaction(this.em, async (em) => {
      const user = await this.sessions.lockUserOfSession(em, viewer);
      const isFirst = isFirstPassword(viewer, user);
      if ((user.password ?? null) !== confirmedHash) throw authErrors.WRONG_PASSWORD();
      await this.credentials.replacePassword(em, user, hash);
      const fact: AuditRecord = { type: 'user.password-changed', actorId: user.id, subjectId: user.id };
      await this.audit.record(em, { ...fact, ipAddress: origin.ipAddress });
      await this.jobs.enqueue(em, notifySecurityEvent, { userId: user.id, event: 'password-changed' });
      const session = { origin, restricted: false, confirmed: confirmedHash !== null || viewer.isReauthenticated };
      return isFirst
        ? this.sessionIssuer.createSession(em, user, session)
        : this.sessionIssuer.replaceSession(em, user, session);
    });
  }

  /** Returns the hash that the current password matches, or null if the account has no password. */
  private async confirmIdentity(
    viewer: Viewer,
    { password }: User,
    currentPassword: string | undefined,
    ipAddress: string | null,
  ): Promise<string | null> {
    if (password != null && !currentPassword) {
      throw fieldError('currentPassword', { en: 'All fields are required', tr: 'Tüm alanlar zorunludur' });
    }
    // A first password has no current one, whatever the form sends.
    const submittedPassword = isFirstPassword(viewer, { password }) ? undefined : currentPassword;
    return this.passwordConfirmation.requireConfirmation(viewer, submittedPassword, ipAddress);
  }
}

/** Returns true if a user who came by an emailed link or temporary password is setting the account's first password. */
function isFirstPassword({ hasIncompleteProfile, restricted }: Viewer, { password }: Pick<User, 'password'>): boolean {
  return (hasIncompleteProfile || restricted) && password == null;
}
