import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../../../platform/audit/audit.service.js';
import { Clock, HOUR } from '../../../../platform/clock/clock.js';
import { AppConfig } from '../../../../platform/config/app-config.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import { StartRefusal } from '../../../../platform/errors/start-refusal.js';
import { User } from '../../../auth/entities/user.entity.js';
import { SingleUseTokenService } from '../../../auth/tokens/single-use-token.service.js';
import { SuperAdminService } from '../../../auth/users/super-admin.service.js';
import { UserService } from '../../../auth/users/user.service.js';
import { PlanService } from '../../../plans/plan.service.js';

/** Links that are printed take no place of those that were mailed. */
const ASKED_BY = 'command';

/**
 * What `npm run admin` does with accounts: who may run it may read and write the database anyway, so nobody is asked for a
 * right here. What is refused is told in a sentence for the terminal.
 */
@Injectable()
export class AppointmentService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly users: UserService,
    private readonly superAdmins: SuperAdminService,
    private readonly tokens: SingleUseTokenService,
    private readonly plans: PlanService,
    private readonly audit: Audit,
  ) {}

  /**
   * Makes the account of a new super admin.
   * @param email in lower case
   * @returns the address at which its person sets a password, within an hour
   * @throws StartRefusal when the address has an account
   */
  create(email: string): Promise<string> {
    return inTransaction(this.em, async (em) => {
      await this.superAdmins.inTurn(em);
      const user = await this.superAdmins.make(em, email, 'en');
      if (!user) {
        throw new StartRefusal(
          `${email} already has an account. To make it a super admin, run npm run admin -- promote ${email}`,
        );
      }
      return this.link(em, email);
    });
  }

  /**
   * Makes an account super admin; it counts from its person's next request on, and verifies nothing.
   * @throws StartRefusal when there is no such account, it is deactivated, or is super admin already
   */
  promote(email: string): Promise<void> {
    return inTransaction(this.em, async (em) => {
      await this.superAdmins.inTurn(em);
      const { id } = await this.find(em, email);
      await this.superAdmins.lockActive(em, id);
      const user = await this.users.lock(em, id);
      this.refuseDeactivated(user);
      if (user.isSuperAdmin) throw new StartRefusal(`${email} is already a super admin.`);
      em.assign(user, { isSuperAdmin: true, updatedAt: this.clock.now() });
      await em.flush();
      await this.audit.record(em, { type: 'user.super-admin-granted', subjectId: id });
      // Super admins have no limits.
      await this.plans.follow(em, id, { why: 'role' });
    });
  }

  /**
   * A link by which the person of an account sets a new password; nothing of the account changes before it is used.
   * @returns its address, good for an hour
   * @throws StartRefusal when there is no such account, or it is deactivated
   */
  reset(email: string): Promise<string> {
    return inTransaction(this.em, async (em) => {
      const user = await this.find(em, email);
      this.refuseDeactivated(user);
      await this.audit.record(em, { type: 'user.reset-sent', subjectId: user.id, params: { printed: true } });
      return this.link(em, email);
    });
  }

  private async find(em: EntityManager, email: string): Promise<User> {
    const user = await em.findOne(User, { email, erasedAt: null });
    if (!user) throw new StartRefusal(`${email} has no account. To create one, run npm run admin -- create ${email}`);
    return user;
  }

  private refuseDeactivated({ email, deactivatedAt }: User): void {
    if (deactivatedAt) {
      throw new StartRefusal(
        `The account of ${email} is deactivated. A super admin can activate it under Super Admin → Users.`,
      );
    }
  }

  private async link(em: EntityManager, email: string): Promise<string> {
    const token = await this.tokens.issue(em, { email, purpose: 'reset-password', askedBy: ASKED_BY }, HOUR);
    return `${this.config.appUrl}/reset-password?token=${token}`;
  }
}
