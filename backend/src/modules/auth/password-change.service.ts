import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit, type AuditFact } from '../../platform/audit/audit.service.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { fieldError } from '../../platform/http/validation.js';
import type { Viewer } from '../../platform/http/viewer.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { authErrors } from './auth.errors.js';
import { CredentialService } from './credential.service.js';
import type { ChangePasswordDto } from './dto/password.dto.js';
import type { User } from './entities/user.entity.js';
import { PasswordConfirmation } from './password-confirmation.service.js';
import { SessionService, type SessionOrigin } from './session.service.js';
import { tellSecurityEvent } from './tell-security-event.job.js';
import { needsProfileCompletion } from './user.policy.js';
import { UserService } from './user.service.js';

export interface ChangedPassword {
  readonly user: User;
  readonly restricted: boolean;
  /** For the cookie. */
  readonly sid: string;
}

/** Setting a new password while signed in. */
@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly confirmation: PasswordConfirmation,
    private readonly credentials: CredentialService,
    private readonly sessions: SessionService,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  /**
   * Sets the password of the session's person, ends all their sessions and opens a new one. A full session must show
   * the present password; a restricted one has none to show, and stays restricted while names are missing.
   * @throws EMAIL_MISMATCH when the form names another address than the session's
   * @throws WRONG_PASSWORD, PASSWORD_UNCHANGED, TOO_MANY_REQUESTS, VALIDATION_FAILED
   * @throws NOT_SIGNED_IN when the session ended meanwhile
   */
  async change(viewer: Viewer, dto: ChangePasswordDto, origin: SessionOrigin): Promise<ChangedPassword> {
    if (dto.email !== viewer.email) throw authErrors.EMAIL_MISMATCH();
    const confirmed = await this.confirm(viewer, dto.currentPassword);
    const hash = await this.users.hashNew(dto.newPassword, 'newPassword');
    const present = await this.users.findById(viewer.userId);
    await this.credentials.refuseUnchanged(present, dto.newPassword, 'newPassword');
    return inTransaction(this.em, async (em) => {
      const user = await this.users.lock(em, viewer.userId);
      if (!(await this.sessions.isOpen(em, viewer.sessionId))) throw commonErrors.NOT_SIGNED_IN();
      if (confirmed !== null && user.password !== confirmed) throw authErrors.WRONG_PASSWORD();
      await this.credentials.replace(em, user, hash);
      const fact: AuditFact = { type: 'user.password-changed', actorId: user.id, subjectId: user.id };
      await this.audit.record(em, { ...fact, ipAddress: origin.ipAddress });
      await this.jobs.enqueue(em, tellSecurityEvent, { userId: user.id, event: 'password-changed' });
      const restricted = needsProfileCompletion(user);
      return { user, restricted, sid: await this.sessions.open(em, user.id, restricted, origin) };
    });
  }

  /** The hash that the given password fits, or null where none has to be given. */
  private async confirm({ restricted, userId }: Viewer, currentPassword: string | undefined): Promise<string | null> {
    if (restricted) return null;
    if (!currentPassword) {
      throw fieldError('currentPassword', { en: 'All fields are required', tr: 'Tüm alanlar zorunludur' });
    }
    return this.confirmation.confirm(userId, currentPassword);
  }
}
