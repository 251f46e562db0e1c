import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit, type AuditFact } from '../../../platform/audit/audit.service.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { fieldError } from '../../../platform/http/reading/validation.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { authErrors } from '../auth.errors.js';
import { CredentialService } from './credential.service.js';
import type { ChangePasswordDto } from '../dto/password.dto.js';
import type { User } from '../entities/user.entity.js';
import { PasswordConfirmation } from './password-confirmation.service.js';
import { SessionService, type SessionOrigin } from '../sessions/session.service.js';
import { SessionOpener, type Entry } from '../sign-in/session-opener.service.js';
import { tellSecurityEvent } from '../auth.jobs.js';
import { UserService } from '../users/user.service.js';

/** Setting a new password while signed in. */
@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly confirmation: PasswordConfirmation,
    private readonly credentials: CredentialService,
    private readonly sessions: SessionService,
    private readonly opener: SessionOpener,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  /**
   * Sets the password of the session's person, ends all their sessions and opens a new one. A full session must show
   * the present password or, where there is none (whoever signs in by a provider of identities), a confirmation of the
   * last ten minutes. A restricted one has nothing to show, and stays restricted while names are missing. That one was
   * opened by one way, so a second factor is asked for where there is one.
   * @throws EMAIL_MISMATCH when the form names another address than the session's
   * @throws WRONG_PASSWORD, CONFIRMATION_REQUIRED, PASSWORD_UNCHANGED, TOO_MANY_REQUESTS, VALIDATION_FAILED
   * @throws NOT_SIGNED_IN when the session ended meanwhile
   */
  async change(viewer: Viewer, dto: ChangePasswordDto, origin: SessionOrigin): Promise<Entry> {
    if (dto.email !== viewer.email) throw authErrors.EMAIL_MISMATCH();
    const present = await this.users.findById(viewer.userId);
    const shown = await this.confirm(viewer, present, dto.currentPassword, origin.ipAddress);
    const hash = await this.users.hashNew(dto.newPassword, 'newPassword', present);
    await this.credentials.refuseUnchanged(present, dto.newPassword, 'newPassword');
    return inTransaction(this.em, async (em) => {
      const user = await this.sessions.lock(em, viewer);
      const isFirst = viewer.restricted || isFirstOfReader(viewer, user);
      if (!viewer.restricted && (user.password ?? null) !== shown) throw authErrors.WRONG_PASSWORD();
      await this.credentials.replace(em, user, hash);
      const fact: AuditFact = { type: 'user.password-changed', actorId: user.id, subjectId: user.id };
      await this.audit.record(em, { ...fact, ipAddress: origin.ipAddress });
      await this.jobs.enqueue(em, tellSecurityEvent, { userId: user.id, event: 'password-changed' });
      const session = { origin, restricted: false };
      return isFirst ? this.opener.enter(em, user, session) : this.opener.renew(em, user, session);
    });
  }

  /** The hash that the given password fits, or null where there is no password to be given. */
  private async confirm(
    viewer: Viewer,
    { password }: User,
    current: string | undefined,
    ipAddress: string | null,
  ): Promise<string | null> {
    if (viewer.restricted || isFirstOfReader(viewer, { password })) return null;
    if (password != null && !current) {
      throw fieldError('currentPassword', { en: 'All fields are required', tr: 'Tüm alanlar zorunludur' });
    }
    return this.confirmation.require(viewer, current, ipAddress);
  }
}

/** Whoever came by a mailed link and never had a password has nothing to show. */
function isFirstOfReader({ isReader }: Viewer, { password }: Pick<User, 'password'>): boolean {
  return isReader && password == null;
}
