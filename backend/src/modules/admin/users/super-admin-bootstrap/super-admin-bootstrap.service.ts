import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../../platform/audit/audit.repository.js';
import { HOUR } from '../../../../platform/clock/clock.js';
import { AppConfig } from '../../../../platform/config/app-config.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import { StartupError } from '../../../../platform/errors/startup-error.js';
import type { User } from '../../../auth/entities/user.entity.js';
import { SingleUseTokenRepository } from '../../../auth/tokens/single-use-token.repository.js';
import { SuperAdminService } from '../../../auth/users/super-admin.service.js';
import { UserRepository } from '../../../auth/users/user.repository.js';
import { PlanService } from '../../../plans/plan.service.js';

/** A separate requester, so that printed links don't displace emailed ones. */
const COMMAND_REQUESTER = 'command';

/**
 * The account commands of `npm run admin`. People who can run them have access to the database anyway, so permissions are
 * not checked. Errors are sentences for the terminal.
 */
@Injectable()
export class SuperAdminBootstrapService {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly users: UserRepository,
    private readonly superAdmins: SuperAdminService,
    private readonly tokens: SingleUseTokenRepository,
    private readonly plans: PlanService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Creates the account of a new super admin.
   * @param email in lower case
   * @returns the URL to set a password, valid for one hour
   * @throws StartupError if the address already has an account
   */
  createSuperAdmin(email: string): Promise<string> {
    return inTransaction(this.em, async (em) => {
      await this.users.lockSuperAdminCreation(em);
      const user = await this.superAdmins.createSuperAdmin(em, email, 'en');
      if (!user) {
        throw new StartupError(
          `${email} already has an account. To make it a super admin, run npm run admin -- promote ${email}`,
        );
      }
      await this.audit.record(em, { type: 'user.super-admin-granted', subjectId: user.id });
      return this.createResetUrl(em, email);
    });
  }

  /**
   * Makes an account a super admin from its next request on. Does not verify the address.
   * @throws StartupError if there is no such account, or it is deactivated or a super admin already
   */
  promoteToSuperAdmin(email: string): Promise<void> {
    return inTransaction(this.em, async (em) => {
      await this.users.lockSuperAdminCreation(em);
      const { id } = await this.findUser(em, email);
      await this.users.lockActiveSuperAdmins(em, id);
      const user = await this.users.lockUser(em, id);
      this.assertActive(user);
      if (user.isSuperAdmin) throw new StartupError(`${email} is already a super admin.`);
      await this.users.updateUser(em, user, { isSuperAdmin: true });
      await this.audit.record(em, { type: 'user.super-admin-granted', subjectId: id });
      // Super admins have no limits.
      await this.plans.syncOwnerPlan(em, id, { why: 'role' });
    });
  }

  /**
   * Creates a link to set a new password. The account does not change until the link is used.
   * @returns the URL, valid for one hour
   * @throws StartupError if there is no such account or it is deactivated
   */
  createPasswordResetLink(email: string): Promise<string> {
    return inTransaction(this.em, async (em) => {
      const user = await this.findUser(em, email);
      this.assertActive(user);
      await this.audit.record(em, { type: 'user.reset-sent', subjectId: user.id, params: { printed: true } });
      return this.createResetUrl(em, email);
    });
  }

  private async findUser(em: EntityManager, email: string): Promise<User> {
    const user = await this.users.findUserIn(em, { email });
    if (!user) throw new StartupError(`${email} has no account. To create one, run npm run admin -- create ${email}`);
    return user;
  }

  private assertActive({ email, deactivatedAt }: User): void {
    if (deactivatedAt) {
      throw new StartupError(
        `The account of ${email} is deactivated. A super admin can activate it under Super Admin → Users.`,
      );
    }
  }

  private async createResetUrl(em: EntityManager, email: string): Promise<string> {
    const token = await this.tokens.issueToken(
      em,
      { email, purpose: 'reset-password', askedBy: COMMAND_REQUESTER },
      HOUR,
    );
    return `${this.config.appUrl}/reset-password?token=${token}`;
  }
}
