import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository, type AuditRecord } from '../../../platform/audit/audit.repository.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { AccountDeletionService } from '../../account/deletion/account-deletion.service.js';
import { ApiTokenRepository } from '../../auth/tokens/api-token.repository.js';
import { authErrors } from '../../auth/auth.errors.js';
import { MfaRemovalService } from '../../auth/mfa/mfa-removal.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { EmailChangeService } from '../../auth/email-change/email-change.service.js';
import { PasswordResetService } from '../../auth/passwords/password-reset.service.js';
import { SessionService } from '../../auth/sessions/session.service.js';
import { notifySecurityEvent, sendAddressVerification } from '../../auth/auth.jobs.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { UserService } from '../../auth/users/user.service.js';
import { PlanService } from '../../plans/plan.service.js';
import type { Operator } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import { getUserAbilities, type UserAbilities } from '../admin.policy.js';
import type { ChangeEmailDto, ChangeRoleDto } from '../dto/admin-user.dto.js';

/**
 * Actions of administrators on accounts. Each one checks permissions again inside its transaction, under locks, so that
 * someone who has just lost the right changes nothing, and two super admins who demote each other concurrently can't
 * both succeed.
 */
@Injectable()
export class UserAdminService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly userRepository: UserRepository,
    private readonly sessions: SessionService,
    private readonly tokens: ApiTokenRepository,
    private readonly resets: PasswordResetService,
    private readonly plans: PlanService,
    private readonly audit: AuditRepository,
    private readonly emails: EmailChangeService,
    private readonly mfaRemoval: MfaRemovalService,
    private readonly jobs: JobsService,
    private readonly accountDeletion: AccountDeletionService,
  ) {}

  /** Deactivates an account, see `UserService.deactivate`. @throws USER_NOT_FOUND, OWN_ACCOUNT */
  deactivateUser(userId: number, operator: Operator): Promise<void> {
    return this.runAsSuperAdmin(userId, operator, () =>
      this.users.deactivate(userId, operator.viewer.userId, operator.origin.ipAddress),
    );
  }

  /** Reactivates an account. Never verifies an address. @throws USER_NOT_FOUND, OWN_ACCOUNT */
  activateUser(userId: number, operator: Operator): Promise<void> {
    return this.runAsSuperAdmin(userId, operator, () =>
      this.users.activate(userId, operator.viewer.userId, operator.origin.ipAddress),
    );
  }

  /**
   * Grants or revokes the roles of admin and super admin, from the user's next request on.
   * @throws USER_NOT_FOUND, OWN_ACCOUNT
   */
  changeRole(userId: number, dto: ChangeRoleDto, operator: Operator): Promise<void> {
    return this.runAsSuperAdmin(userId, operator, async (em, user) => {
      const from = { role: user.role, isSuperAdmin: user.isSuperAdmin };
      const to = { role: dto.role ?? from.role, isSuperAdmin: dto.isSuperAdmin ?? from.isSuperAdmin };
      if (from.role === to.role && from.isSuperAdmin === to.isSuperAdmin) return;
      await this.userRepository.updateUser(em, user, to);
      const actorId = operator.viewer.userId;
      const fact: AuditRecord = {
        type: 'user.role-changed',
        actorId,
        subjectId: userId,
        ipAddress: operator.origin.ipAddress,
      };
      await this.audit.record(em, { ...fact, params: { from, to } });
      // Super admins have no limits.
      await this.plans.syncOwnerPlan(em, userId, { why: 'role', actorId });
    });
  }

  /**
   * Changes the address of an account. The new one must be verified; both are notified.
   * @throws USER_NOT_FOUND, OWN_ACCOUNT, EMAIL_TAKEN, EMAIL_UNCHANGED
   */
  changeEmail(userId: number, { email: to, reason }: ChangeEmailDto, operator: Operator): Promise<void> {
    return this.runAsSuperAdmin(userId, operator, async (em, user) => {
      const actorId = operator.viewer.userId;
      await this.emails.changeEmail(em, user, {
        to,
        actorId,
        ipAddress: operator.origin.ipAddress,
        byAdmin: true,
        reason,
      });
      await this.jobs.enqueue(em, sendAddressVerification, { userId });
    });
  }

  /**
   * Removes all second factors of a user who has lost them, ends their sessions, deletes their API tokens and notifies
   * them by email.
   * @throws USER_NOT_FOUND, OWN_ACCOUNT; FACTOR_MISSING if there is none
   */
  resetFactors(userId: number, operator: Operator): Promise<void> {
    return this.runAsSuperAdmin(userId, operator, async (em) => {
      if (!(await this.mfaRemoval.removeAllFactors(em, userId))) throw authErrors.FACTOR_MISSING();
      const sessions = await this.sessions.endAllSessions(em, userId);
      const tokens = await this.tokens.deleteTokensOf(em, userId);
      const fact: AuditRecord = { type: 'user.factors-reset', actorId: operator.viewer.userId, subjectId: userId };
      await this.audit.record(em, { ...fact, ipAddress: operator.origin.ipAddress, params: { sessions, tokens } });
      await this.jobs.enqueue(em, notifySecurityEvent, { userId, event: 'factors-reset' });
    });
  }

  /**
   * Deletes an account at its user's request, exactly as the user could. It can't remove the last super admin, because
   * the viewer is one and can't delete their own account here.
   * @throws USER_NOT_FOUND, OWN_ACCOUNT
   */
  deleteUser(userId: number, operator: Operator): Promise<void> {
    const { viewer, origin } = operator;
    return this.runAsSuperAdmin(userId, operator, (em, user) =>
      this.accountDeletion.deleteAccount(em, user, { actorId: viewer.userId, ipAddress: origin.ipAddress }),
    );
  }

  /**
   * Ends all sessions of a user and deletes their API tokens.
   * @returns the number of sessions ended
   * @throws USER_NOT_FOUND, OWN_ACCOUNT
   */
  endSessions(userId: number, operator: Operator): Promise<number> {
    return inTransaction(this.em, async (em) => {
      await this.lockAndAuthorize(em, userId, operator, 'endSessions');
      const sessions = await this.sessions.endAllSessions(em, userId);
      const tokens = await this.tokens.deleteTokensOf(em, userId);
      const fact: AuditRecord = { type: 'user.sessions-ended', actorId: operator.viewer.userId, subjectId: userId };
      await this.audit.record(em, { ...fact, ipAddress: operator.origin.ipAddress, params: { sessions, tokens } });
      await this.jobs.enqueue(em, notifySecurityEvent, { userId, event: 'sessions-ended-by-admin' });
      return sessions;
    });
  }

  /**
   * Emails a link to set a new password, like "forgot password".
   * @throws USER_NOT_FOUND, OWN_ACCOUNT, ACCOUNT_IS_DEACTIVATED, TOO_MANY_REQUESTS
   */
  async sendPasswordReset(userId: number, operator: Operator): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const user = await this.lockAndAuthorize(em, userId, operator, 'sendReset');
      await this.resets.requestReset(user.email, operator.origin);
      const fact: AuditRecord = { type: 'user.reset-sent', actorId: operator.viewer.userId, subjectId: userId };
      await this.audit.record(em, { ...fact, ipAddress: operator.origin.ipAddress });
    });
  }

  private runAsSuperAdmin(
    userId: number,
    { viewer }: Operator,
    work: (em: EntityManager, user: User) => Promise<void>,
  ): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const superAdminIds = await this.userRepository.lockActiveSuperAdmins(em, userId);
      if (!superAdminIds.includes(viewer.userId)) throw commonErrors.FORBIDDEN();
      const user = await this.lockUser(em, userId);
      if (userId === viewer.userId) throw adminErrors.OWN_ACCOUNT();
      await work(em, user);
    });
  }

  private async lockAndAuthorize(
    em: EntityManager,
    userId: number,
    operator: Operator,
    ability: keyof UserAbilities,
  ): Promise<User> {
    const user = await this.lockUser(em, userId);
    if (userId === operator.viewer.userId) throw adminErrors.OWN_ACCOUNT();
    const account = { ...user, deactivatedAt: user.deactivatedAt ?? null };
    if (getUserAbilities(operator.viewer, account)[ability]) return user;
    const isAllowedWhenActive = getUserAbilities(operator.viewer, { ...account, deactivatedAt: null })[ability];
    throw isAllowedWhenActive ? adminErrors.ACCOUNT_IS_DEACTIVATED() : commonErrors.FORBIDDEN();
  }

  private async lockUser(em: EntityManager, userId: number): Promise<User> {
    if (!(await this.userRepository.findUserIn(em, { id: userId }))) throw adminErrors.USER_NOT_FOUND();
    return this.userRepository.lockUser(em, userId);
  }
}
