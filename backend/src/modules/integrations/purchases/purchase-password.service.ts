import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { digestOf, newToken } from '../../../platform/security/secrets.js';
import {
  TemporaryPasswordPort,
  type TemporaryPassword,
  type TemporaryPasswordSource,
} from '../../auth/passwords/temporary-password.port.js';
import { PurchasePasswordSchema } from '../entities/entitlement.entity.js';
import { purgePurchasePasswords } from '../integrations.jobs.js';

const PASSWORD_LIFETIME = 7 * DAY;
/** Letters of a password that somebody may have to type: 96 bits. */
const PASSWORD_LENGTH = 16;

/**
 * Temporary passwords of new customers. Each mail carries one of its own, and all of them work until the person sets a
 * password: none is void because another purchase, or a second try of the same mail, made another one.
 */
@Injectable()
export class PurchasePasswordService implements TemporaryPasswordSource, OnModuleInit {
  /** The purchase creates the account before its email is sent. */
  readonly provesUnusedAccounts = true;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly port: TemporaryPasswordPort,
  ) {}

  onModuleInit(): void {
    this.port.registerSource(this);
  }

  /**
   * Makes a temporary password for a mail that is about to go out.
   * @param email in lower case
   * @returns the password; only its digest is kept, for 7 days
   */
  async issuePassword(email: string): Promise<string> {
    const password = newToken().slice(0, PASSWORD_LENGTH);
    await query<typeof PurchasePasswordSchema>(this.em)
      .insertInto('purchase_passwords')
      .values({ email, digest: digestOf(password), expires_at: addMilliseconds(this.clock.now(), PASSWORD_LIFETIME) })
      .execute();
    return password;
  }

  /** Digests of the temporary passwords that went to an address; expired ones too. @param email in lower case */
  listByEmail(email: string): Promise<TemporaryPassword[]> {
    return query<typeof PurchasePasswordSchema>(this.em)
      .selectFrom('purchase_passwords')
      .select(['digest', 'expires_at as expiresAt'])
      .where('email', '=', email)
      .execute();
  }

  /** Ends them, in the caller's transaction: the person has set a password of their own. */
  async revokeAll(em: EntityManager, email: string): Promise<void> {
    await query<typeof PurchasePasswordSchema>(em)
      .deleteFrom('purchase_passwords')
      .where('email', '=', email)
      .execute();
  }

  @OnJob(purgePurchasePasswords)
  async purgeExpired(): Promise<void> {
    await query<typeof PurchasePasswordSchema>(this.em)
      .deleteFrom('purchase_passwords')
      .where('expires_at', '<=', this.clock.now())
      .execute();
  }
}
