import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Audit } from '../../../platform/audit/audit.service.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { UserSchema } from '../entities/user.entity.js';

/**
 * Who the super admins are. Gives the flag to the address named by SUPER_ADMIN_EMAIL when it was verified before the
 * variable was set.
 */
@Injectable()
export class SuperAdminService implements OnApplicationBootstrap {
  constructor(
    private readonly orm: MikroORM,
    private readonly config: AppConfig,
    private readonly audit: Audit,
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

  /** The super admins who can sign in, as they are written to. */
  active(em: EntityManager) {
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
  async lockActive(em: EntityManager, userId = 0): Promise<number[]> {
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
