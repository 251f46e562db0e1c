import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { User } from '../entities/user.entity.js';
import { UserRepository } from './user.repository.js';

/**
 * Manages super admins. At startup it grants the flag to the address in SUPER_ADMIN_EMAIL if that was verified before
 * the variable was set.
 */
@Injectable()
export class SuperAdminService implements OnApplicationBootstrap {
  constructor(
    private readonly orm: MikroORM,
    private readonly config: AppConfig,
    private readonly users: UserRepository,
    private readonly audit: AuditRepository,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const email = this.config.superAdminEmail;
    if (email === null) return;
    await inTransaction(this.orm.em.fork() as EntityManager, async (em) => {
      const id = await this.users.grantSuperAdmin(em, email);
      if (id !== null) await this.audit.record(em, { type: 'user.super-admin-granted', subjectId: id });
    });
  }

  /**
   * Creates an account that is a super admin from the start, in the caller's transaction, which must hold the lock of
   * `UserRepository.lockSuperAdminCreation` and record who made it a super admin. Its address is unverified: the operator named it, and no email has proved
   * that it is theirs.
   * @param email in lower case
   * @returns null if the address already has an account
   */
  async createSuperAdmin(em: EntityManager, email: string, language: Language): Promise<User | null> {
    const id = await this.users.insertUser(em, email, language, { isSuperAdmin: true });
    return id === null ? null : this.users.reloadUser(em, { id });
  }
}
