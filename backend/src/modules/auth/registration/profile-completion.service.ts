import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { authErrors } from '../auth.errors.js';
import { CredentialService } from '../passwords/credential.service.js';
import type { CompleteProfileDto } from '../dto/register.dto.js';
import { SessionService, type SessionOrigin } from '../sessions/session.service.js';
import { SessionIssuerService, type SignInResult } from '../sign-in/session-issuer.service.js';
import { UserRepository } from '../users/user.repository.js';
import { UserService, type ProfileNames } from '../users/user.service.js';
import { needsProfileCompletion } from '../access/user.policy.js';

/** Completes an account that was created by joining: names, username and a password. */
@Injectable()
export class ProfileCompletionService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly userRepository: UserRepository,
    private readonly credentials: CredentialService,
    private readonly sessions: SessionService,
    private readonly sessionIssuer: SessionIssuerService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Completes the profile of the session's user, ends all their sessions and creates a full one. Because it sets a
   * password, the session must be confirmed: one opened by a forwarded invitation must not take over the account. A
   * restricted session was opened with one factor, so a second factor is required if the user has one.
   * @throws EMAIL_MISMATCH if the form names a different address than the session's
   * @throws PROFILE_COMPLETE if there is nothing to complete
   * @throws USERNAME_TAKEN, USERNAME_RESERVED, PASSWORD_UNCHANGED, CONFIRMATION_REQUIRED
   * @throws NOT_SIGNED_IN if the session has since ended
   */
  async completeProfile(viewer: Viewer, dto: CompleteProfileDto, origin: SessionOrigin): Promise<SignInResult> {
    if (dto.email !== viewer.email) throw authErrors.EMAIL_MISMATCH();
    if (!needsProfileCompletion(await this.userRepository.getManagedUser(viewer.userId)))
      throw authErrors.PROFILE_COMPLETE();
    if (!viewer.isReauthenticated) throw commonErrors.CONFIRMATION_REQUIRED();
    await this.credentials.assertPasswordChanged({ email: dto.email, password: null }, dto.newPassword, 'newPassword');
    const passwordHash = await this.users.validateAndHashPassword(dto.newPassword, 'newPassword', dto);
    return inTransaction(this.em, async (em) => {
      await this.sessions.lockUserOfSession(em, viewer);
      return this.completeProfileInTransaction(em, viewer.userId, { ...dto, passwordHash }, origin);
    });
  }

  /**
   * Does the same in the caller's transaction, for a user who has proved that the account is theirs.
   * @param profile with the hash from `UserService.validateAndHashPassword`
   * @throws PROFILE_COMPLETE, USERNAME_TAKEN, USERNAME_RESERVED; the transaction is then aborted
   */
  async completeProfileInTransaction(
    em: EntityManager,
    userId: number,
    profile: ProfileNames & { readonly passwordHash: string },
    origin: SessionOrigin,
  ): Promise<SignInResult> {
    const user = await this.userRepository.lockUser(em, userId);
    if (!needsProfileCompletion(user)) throw authErrors.PROFILE_COMPLETE();
    await this.users.completeProfile(em, user, profile, profile.passwordHash);
    await this.credentials.revokeOtherAccess(em, user);
    await this.audit.record(em, { type: 'user.profile-completed', actorId: user.id, subjectId: user.id });
    return this.sessionIssuer.createSession(em, user, { origin, restricted: false, confirmed: true });
  }
}
