import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit, type AuditFact } from '../../../platform/audit/audit.service.js';
import { Clock } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { DeletionService } from '../../account/erasure/deletion.service.js';
import { ApiTokenService } from '../../auth/tokens/api-token.service.js';
import { authErrors } from '../../auth/auth.errors.js';
import { FactorRemover } from '../../auth/factors/factor-remover.service.js';
import { User } from '../../auth/entities/user.entity.js';
import { EmailChangeService } from '../../auth/email-change/email-change.service.js';
import { PasswordResetService } from '../../auth/passwords/password-reset.service.js';
import { SessionService } from '../../auth/sessions/session.service.js';
import { SuperAdminService } from '../../auth/users/super-admin.service.js';
import { tellSecurityEvent, sendAddressVerification } from '../../auth/auth.jobs.js';
import { UserService } from '../../auth/users/user.service.js';
import { PlanService } from '../../plans/plan.service.js';
import type { Operator } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import { userAbilities, type UserAbilities } from '../admin.policy.js';
import type { ChangeEmailDto, ChangeRoleDto } from '../dto/admin-user.dto.js';

/**
 * What administrators do with accounts. Each change is judged again inside its transaction, under locks: whoever lost
 * the right a moment ago changes nothing, so that two super admins who take the flag from each other at once do not
 * both succeed.
 */
@Injectable()
export class UserChangesService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly users: UserService,
    private readonly superAdmins: SuperAdminService,
    private readonly sessions: SessionService,
    private readonly tokens: ApiTokenService,
    private readonly resets: PasswordResetService,
    private readonly plans: PlanService,
    private readonly audit: Audit,
    private readonly emails: EmailChangeService,
    private readonly factors: FactorRemover,
    private readonly jobs: Jobs,
    private readonly deletion: DeletionService,
  ) {}

  /** Shuts somebody out; what that ends is told at `UserService.deactivate`. @throws USER_NOT_FOUND, OWN_ACCOUNT */
  deactivate(userId: number, by: Operator): Promise<void> {
    return this.asSuperAdmin(userId, by, () => this.users.deactivate(userId, by.viewer.userId, by.origin.ipAddress));
  }

  /** Lets somebody in again; it never verifies an address. @throws USER_NOT_FOUND, OWN_ACCOUNT */
  activate(userId: number, by: Operator): Promise<void> {
    return this.asSuperAdmin(userId, by, () => this.users.activate(userId, by.viewer.userId, by.origin.ipAddress));
  }

  /**
   * Makes somebody an admin or a super admin, or takes that back; it counts from their next request on.
   * @throws USER_NOT_FOUND, OWN_ACCOUNT
   */
  changeRole(userId: number, dto: ChangeRoleDto, by: Operator): Promise<void> {
    return this.asSuperAdmin(userId, by, async (em, user) => {
      const from = { role: user.role, isSuperAdmin: user.isSuperAdmin };
      const to = { role: dto.role ?? from.role, isSuperAdmin: dto.isSuperAdmin ?? from.isSuperAdmin };
      if (from.role === to.role && from.isSuperAdmin === to.isSuperAdmin) return;
      em.assign(user, { ...to, updatedAt: this.clock.now() });
      await em.flush();
      const actorId = by.viewer.userId;
      const fact: AuditFact = { type: 'user.role-changed', actorId, subjectId: userId, ipAddress: by.origin.ipAddress };
      await this.audit.record(em, { ...fact, params: { from, to } });
      // Super admins have no limits.
      await this.plans.follow(em, userId, { why: 'role', actorId });
    });
  }

  /**
   * Gives an account another address, which has to be verified; both addresses are told.
   * @throws USER_NOT_FOUND, OWN_ACCOUNT, EMAIL_TAKEN, EMAIL_UNCHANGED
   */
  changeEmail(userId: number, { email: to, reason }: ChangeEmailDto, by: Operator): Promise<void> {
    return this.asSuperAdmin(userId, by, async (em, user) => {
      const actorId = by.viewer.userId;
      await this.emails.change(em, user, { to, actorId, ipAddress: by.origin.ipAddress, byAdmin: true, reason });
      await this.jobs.enqueue(em, sendAddressVerification, { userId });
    });
  }

  /**
   * Takes all second factors from somebody who has lost them, ends their sessions and deletes their API tokens; they are
   * told by mail.
   * @throws USER_NOT_FOUND, OWN_ACCOUNT; FACTOR_MISSING when there is none
   */
  resetFactors(userId: number, by: Operator): Promise<void> {
    return this.asSuperAdmin(userId, by, async (em) => {
      if (!(await this.factors.removeAll(em, userId))) throw authErrors.FACTOR_MISSING();
      const sessions = await this.sessions.closeAll(em, userId);
      const tokens = await this.tokens.revokeAll(em, userId);
      const fact: AuditFact = { type: 'user.factors-reset', actorId: by.viewer.userId, subjectId: userId };
      await this.audit.record(em, { ...fact, ipAddress: by.origin.ipAddress, params: { sessions, tokens } });
      await this.jobs.enqueue(em, tellSecurityEvent, { userId, event: 'factors-reset' });
    });
  }

  /**
   * Erases an account at its person's request, exactly as the person could. The last super admin cannot go by it: who asks
   * is one, and stays.
   * @throws USER_NOT_FOUND, OWN_ACCOUNT
   */
  delete(userId: number, by: Operator): Promise<void> {
    const { viewer, origin } = by;
    return this.asSuperAdmin(userId, by, (em, user) =>
      this.deletion.erase(em, user, { actorId: viewer.userId, ipAddress: origin.ipAddress }),
    );
  }

  /** Signs somebody out everywhere and deletes their API tokens. @returns how many sessions ended @throws USER_NOT_FOUND, OWN_ACCOUNT */
  endSessions(userId: number, by: Operator): Promise<number> {
    return inTransaction(this.em, async (em) => {
      await this.allowed(em, userId, by, 'endSessions');
      const sessions = await this.sessions.closeAll(em, userId);
      const tokens = await this.tokens.revokeAll(em, userId);
      const fact: AuditFact = { type: 'user.sessions-ended', actorId: by.viewer.userId, subjectId: userId };
      await this.audit.record(em, { ...fact, ipAddress: by.origin.ipAddress, params: { sessions, tokens } });
      await this.jobs.enqueue(em, tellSecurityEvent, { userId, event: 'sessions-ended-by-admin' });
      return sessions;
    });
  }

  /**
   * Mails somebody a link by which they set a new password, as "forgot password" does.
   * @throws USER_NOT_FOUND, OWN_ACCOUNT, ACCOUNT_IS_DEACTIVATED, TOO_MANY_REQUESTS
   */
  async sendReset(userId: number, by: Operator): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const user = await this.allowed(em, userId, by, 'sendReset');
      await this.resets.ask(user.email, by.origin);
      const fact: AuditFact = { type: 'user.reset-sent', actorId: by.viewer.userId, subjectId: userId };
      await this.audit.record(em, { ...fact, ipAddress: by.origin.ipAddress });
    });
  }

  private asSuperAdmin(
    userId: number,
    { viewer }: Operator,
    work: (em: EntityManager, user: User) => Promise<void>,
  ): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const ruling = await this.superAdmins.lockActive(em, userId);
      if (!ruling.includes(viewer.userId)) throw commonErrors.FORBIDDEN();
      const user = await this.find(em, userId);
      if (userId === viewer.userId) throw adminErrors.OWN_ACCOUNT();
      await work(em, user);
    });
  }

  private async allowed(em: EntityManager, userId: number, by: Operator, ability: keyof UserAbilities): Promise<User> {
    const user = await this.find(em, userId);
    if (userId === by.viewer.userId) throw adminErrors.OWN_ACCOUNT();
    const account = { ...user, deactivatedAt: user.deactivatedAt ?? null };
    if (userAbilities(by.viewer, account)[ability]) return user;
    const shutOut = userAbilities(by.viewer, { ...account, deactivatedAt: null })[ability];
    throw shutOut ? adminErrors.ACCOUNT_IS_DEACTIVATED() : commonErrors.FORBIDDEN();
  }

  private async find(em: EntityManager, userId: number): Promise<User> {
    const user = await em.findOne(User, { id: userId, erasedAt: null });
    if (!user) throw adminErrors.USER_NOT_FOUND();
    return this.users.lock(em, userId);
  }
}
