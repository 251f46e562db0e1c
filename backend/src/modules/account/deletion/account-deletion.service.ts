import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { Clock } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { authErrors } from '../../auth/auth.errors.js';
import type { User } from '../../auth/entities/user.entity.js';
import { MfaRemovalService } from '../../auth/mfa/mfa-removal.service.js';
import { PasswordConfirmationService } from '../../auth/passwords/password-confirmation.service.js';
import { VerificationCodeRepository } from '../../auth/registration/verification-code.repository.js';
import { SessionService } from '../../auth/sessions/session.service.js';
import { SingleSignOnRepository } from '../../auth/single-sign-on/single-sign-on.repository.js';
import { SingleUseTokenRepository } from '../../auth/tokens/single-use-token.repository.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { UserService } from '../../auth/users/user.service.js';
import { accountErrors } from '../account.errors.js';
import { eraseAccount } from '../account.jobs.js';
import { PictureService } from '../pictures/picture.service.js';
import { ErasureRepository } from './erasure.repository.js';

/** Deletes accounts: anonymised at once for everyone else; a job erases what belongs to the account. */
@Injectable()
export class AccountDeletionService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly erasures: ErasureRepository,
    private readonly users: UserService,
    private readonly userRepository: UserRepository,
    private readonly sessions: SessionService,
    private readonly passwordConfirmation: PasswordConfirmationService,
    private readonly mfaRemoval: MfaRemovalService,
    private readonly tokens: SingleUseTokenRepository,
    private readonly codes: VerificationCodeRepository,
    private readonly singleSignOn: SingleSignOnRepository,
    private readonly pictures: PictureService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Deletes the viewer's account permanently. Address and username become available at once.
   * @param password instead of a confirmation within the last ten minutes
   * @throws WRONG_PASSWORD, CONFIRMATION_REQUIRED, TOO_MANY_REQUESTS, LAST_SUPER_ADMIN
   * @throws NOT_SIGNED_IN if the account was deleted or the session ended in the meantime
   */
  async deleteOwnAccount(viewer: Viewer, password: string | undefined, ipAddress: string | null): Promise<void> {
    const hash = await this.passwordConfirmation.requireConfirmation(viewer, password, ipAddress);
    await inTransaction(this.em, async (em) => {
      if (viewer.isSuperAdmin) await this.assertNotLastSuperAdmin(em);
      const user = await this.sessions.lockUserOfSession(em, viewer);
      if (hash !== null && user.password !== hash) throw authErrors.WRONG_PASSWORD();
      await this.deleteAccount(em, user, { actorId: user.id, ipAddress });
    });
  }

  /**
   * Deletes an account in the caller's transaction, which has checked permission and must hold the lock of the user's
   * row.
   */
  async deleteAccount(
    em: EntityManager,
    user: User,
    actor: { actorId: number; ipAddress: string | null },
  ): Promise<void> {
    await this.audit.record(em, { type: 'user.deleted', subjectId: user.id, ...actor });
    await this.anonymizeUser(em, user);
    await this.jobs.enqueue(em, eraseAccount, { userId: user.id });
  }

  /** Removes everything from the row that would allow signing in or finding the user. The job erases the rest. */
  private async anonymizeUser(em: EntityManager, user: User): Promise<void> {
    const now = this.clock.now();
    const { id, email, profileImageUrl } = user;
    await this.erasures.insertErasure(em, user, now);
    await this.users.deactivateInTransaction(em, user);
    await this.mfaRemoval.removeAllFactors(em, id);
    await this.tokens.deleteTokensOf(em, email);
    await this.codes.deleteCodesOf(em, email);
    await this.singleSignOn.deleteIdentitiesOf(em, id);
    await this.erasures.anonymizeUser(em, user, now);
    await this.pictures.enqueueRemoval(em, id, profileImageUrl);
  }

  private async assertNotLastSuperAdmin(em: EntityManager): Promise<void> {
    const active = await this.userRepository.lockActiveSuperAdmins(em);
    if (active.length <= 1) throw accountErrors.LAST_SUPER_ADMIN();
  }
}
