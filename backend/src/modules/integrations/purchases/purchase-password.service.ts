import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { digestOf, newToken } from '../../../platform/security/secrets.js';
import {
  TemporaryPasswordPort,
  type TemporaryPassword,
  type TemporaryPasswordSource,
} from '../../auth/passwords/temporary-password.port.js';
import { purgePurchasePasswords } from '../integrations.jobs.js';
import { PurchasePasswordRepository } from './purchase-password.repository.js';

const PASSWORD_LIFETIME = 7 * DAY;
/** Characters of a password that may have to be typed: 96 bits. */
const PASSWORD_LENGTH = 16;

/**
 * Temporary passwords of new customers. Each email has its own, and all of them are valid until the customer sets a
 * password: another purchase, or a retry of the same email, doesn't invalidate earlier ones.
 */
@Injectable()
export class PurchasePasswordService implements TemporaryPasswordSource, OnModuleInit {
  /** The purchase creates the account before its email is sent. */
  readonly provesUnusedAccounts = true;

  constructor(
    private readonly passwords: PurchasePasswordRepository,
    private readonly clock: Clock,
    private readonly port: TemporaryPasswordPort,
  ) {}

  onModuleInit(): void {
    this.port.registerSource(this);
  }

  /**
   * Creates a temporary password for an email that is about to be sent.
   * @param email in lower case
   * @returns the password; only its digest is stored, for 7 days
   */
  async issuePassword(email: string): Promise<string> {
    const password = newToken().slice(0, PASSWORD_LENGTH);
    const expiresAt = addMilliseconds(this.clock.now(), PASSWORD_LIFETIME);
    await this.passwords.insertPassword(email, { digest: digestOf(password), expiresAt });
    return password;
  }

  /**
   * Returns the digests of temporary passwords sent to an address, including expired ones.
   * @param email in lower case
   */
  listByEmail(email: string): Promise<TemporaryPassword[]> {
    return this.passwords.listByEmail(email);
  }

  /** Deletes the temporary passwords in the caller's transaction, because the customer has set a password. */
  revokeAll(em: EntityManager, email: string): Promise<void> {
    return this.passwords.deleteByEmail(em, email);
  }

  @OnJob(purgePurchasePasswords)
  purgeExpired(): Promise<void> {
    return this.passwords.deleteExpired(this.clock.now());
  }
}
