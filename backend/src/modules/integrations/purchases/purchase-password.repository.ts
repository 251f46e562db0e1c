import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { query } from '../../../platform/database/query.js';
import type { TemporaryPassword } from '../../auth/passwords/temporary-password.port.js';
import type { PurchasePasswordSchema } from '../entities/entitlement.entity.js';

type Tables = typeof PurchasePasswordSchema;

/** Digests of temporary passwords that were emailed to new customers. Addresses are in lower case. */
@Injectable()
export class PurchasePasswordRepository {
  constructor(private readonly em: EntityManager) {}

  async insertPassword(email: string, password: TemporaryPassword): Promise<void> {
    await query<Tables>(this.em)
      .insertInto('purchase_passwords')
      .values({ email, digest: password.digest, expires_at: password.expiresAt })
      .execute();
  }

  /** Returns the passwords sent to an address, including expired ones. */
  listByEmail(email: string): Promise<TemporaryPassword[]> {
    return query<Tables>(this.em)
      .selectFrom('purchase_passwords')
      .select(['digest', 'expires_at as expiresAt'])
      .where('email', '=', email)
      .execute();
  }

  async deleteByEmail(em: EntityManager, email: string): Promise<void> {
    await query<Tables>(em).deleteFrom('purchase_passwords').where('email', '=', email).execute();
  }

  async deleteExpired(now: Date): Promise<void> {
    await query<Tables>(this.em).deleteFrom('purchase_passwords').where('expires_at', '<=', now).execute();
  }
}
