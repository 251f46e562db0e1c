import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config.js';
import { query } from '../../platform/database/query.js';
import { UserSchema } from './entities/user.entity.js';

/** Gives the flag to the address named by SUPER_ADMIN_EMAIL when it was verified before the variable was set. */
@Injectable()
export class SuperAdminService implements OnApplicationBootstrap {
  constructor(
    private readonly orm: MikroORM,
    private readonly config: AppConfig,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.superAdminEmail === null) return;
    await query<typeof UserSchema>(this.orm.em.fork() as EntityManager)
      .updateTable('users')
      .set({ is_super_admin: true })
      .where('email', '=', this.config.superAdminEmail)
      .where('email_verified', '=', true)
      .where('is_super_admin', '=', false)
      .execute();
  }
}
