import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { acquireAdvisoryLock } from '../../../platform/database/advisory-lock.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { User, UserSchema } from '../entities/user.entity.js';

/**
 * Who the super admins are. Gives the flag to the address named by SUPER_ADMIN_EMAIL when it was verified before the
 * variable was set.
 */
@Injectable()
export class SuperAdminService implements OnApplicationBootstrap {
  constructor(
    private readonly orm: MikroORM,
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly audit: AuditService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.superAdminEmail === null) return;
    await inTransaction(this.orm.em.fork() as EntityManager, async (em) => {
      const granted = await query<typeof UserSchema>(em)
        .updateTable('users')
        .set({ is_super_admin: true })
        .where('email', '=', this.config.superAdminEmail)
        .where('email_verified', '=', true)
        .where('is_super_admin', '=', false)
        .returning('id')
        .executeTakeFirst();
      if (granted) await this.audit.record(em, { type: 'user.super-admin-granted', subjectId: granted.id });
    });
  }

  /**
   * Lets those who make a super admin without being one come one after the other, until the commit: two keys of the setup
   * at once, or a key and the command. Before anything is locked.
   * @returns whether there is one who can sign in, once the turn has come
   */
  async lockSuperAdminCreation(em: EntityManager): Promise<boolean> {
    await acquireAdvisoryLock(em, 'super-admin');
    return (await this.listActiveSuperAdmins(em)).length > 0;
  }

  /**
   * A new account that is super admin from the start, in the caller's transaction, whose turn it is. Its address is not
   * verified: whoever runs the installation has named it, and no mail has shown that it is theirs.
   * @param email in lower case
   * @returns null when the address has an account already
   */
  async createSuperAdmin(em: EntityManager, email: string, language: Language): Promise<User | null> {
    const now = this.clock.now();
    const created = await query<typeof UserSchema>(em)
      .insertInto('users')
      .values({ email, language, is_super_admin: true, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!created) return null;
    await this.audit.record(em, { type: 'user.super-admin-granted', subjectId: created.id });
    return em.findOneOrFail(User, { id: created.id }, { refresh: true });
  }

  /** Whether nobody else has an account; asked for nobody, whether there is none at all. */
  async isOnlyAccount(em: EntityManager, userId: number | null): Promise<boolean> {
    const other = await query<typeof UserSchema>(em)
      .selectFrom('users')
      .select('id')
      .where('id', 'is distinct from', userId)
      .limit(1)
      .executeTakeFirst();
    return other === undefined;
  }

  /** The super admins who can sign in, as they are written to. */
  listActiveSuperAdmins(em: EntityManager) {
    return query<typeof UserSchema>(em)
      .selectFrom('users')
      .select(['id', 'email', 'language'])
      .where('is_super_admin', '=', true)
      .where('deactivated_at', 'is', null)
      .orderBy('id')
      .execute();
  }

  /**
   * Locks all super admins who can sign in, until the commit: changes of who they are come one after the other, so that
   * the last ones cannot all go at once. Before any other person is locked.
   * @param userId somebody else to be locked with them; in one order with all, so that nobody waits in a circle
   * @returns the ids of the super admins, as they are once the lock is held
   */
  async lockActiveSuperAdmins(em: EntityManager, userId = 0): Promise<number[]> {
    const rows = await query<typeof UserSchema>(em)
      .selectFrom('users')
      .select(['id', 'is_super_admin as isSuperAdmin', 'deactivated_at as deactivatedAt'])
      .where((row) =>
        row.or([
          row('id', '=', userId),
          row.and([row('is_super_admin', '=', true), row('deactivated_at', 'is', null)]),
        ]),
      )
      .orderBy('id')
      .forUpdate()
      .execute();
    return rows.filter((row) => row.isSuperAdmin && row.deactivatedAt === null).map(({ id }) => id);
  }
}
