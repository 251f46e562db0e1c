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
 * Manages super admins. At startup it grants the flag to the address in SUPER_ADMIN_EMAIL if that was verified before
 * the variable was set.
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
   * Serialises, until the commit, the ways to become the first super admin: two setup keys at once, or a key and the
   * command. Must be called before anything is locked.
   * @returns whether there is a super admin who can sign in, read under the lock
   */
  async lockSuperAdminCreation(em: EntityManager): Promise<boolean> {
    await acquireAdvisoryLock(em, 'super-admin');
    return (await this.listActiveSuperAdmins(em)).length > 0;
  }

  /**
   * Creates an account that is a super admin from the start, in the caller's transaction, which must hold the lock and
   * record who made it a super admin. Its address is unverified: the operator named it, and no email has proved that it
   * is theirs.
   * @param email in lower case
   * @returns null if the address already has an account
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
    return em.findOneOrFail(User, { id: created.id }, { refresh: true });
  }

  /** Returns true if no other account exists; with null, if there is no account at all. */
  async isOnlyAccount(em: EntityManager, userId: number | null): Promise<boolean> {
    const other = await query<typeof UserSchema>(em)
      .selectFrom('users')
      .select('id')
      .where('id', 'is distinct from', userId)
      .limit(1)
      .executeTakeFirst();
    return other === undefined;
  }

  /** Returns the super admins who can sign in, with what is needed to email them. */
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
   * Locks all super admins who can sign in, until the commit. This serialises changes, so that the last ones can't all
   * be removed at once. Must be called before any other user is locked.
   * @param userId another user to be locked too; all are locked in id order to prevent deadlocks
   * @returns the ids of the super admins, read under the lock
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
