import { setTimeout as sleep } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, MINUTE, SECOND } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { newToken } from '../../../platform/security/secrets.js';
import { billingErrors } from '../billing.errors.js';
import { BillingAccountSchema } from '../entities/billing-account.entity.js';

/** Longer than all calls of one checkout can take together. */
const LOCK_LIFETIME = 3 * MINUTE;
const ACQUIRE_TIMEOUT = 20 * SECOND;
const RETRY_DELAY = 100;

/** A lock per user for opening a checkout. Works across processes without holding a database connection. */
@Injectable()
export class CheckoutLockService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs the work while holding the lock.
   * @param userId a user with a billing account row
   * @throws CHECKOUT_BUSY if another window holds the lock for more than 20 seconds
   */
  async withLock<T>(userId: number, work: (token: string) => Promise<T>): Promise<T> {
    const token = newToken();
    for (const startedAt = performance.now(); !(await this.tryAcquire(userId, token)); await sleep(RETRY_DELAY)) {
      if (performance.now() - startedAt > ACQUIRE_TIMEOUT) throw billingErrors.CHECKOUT_BUSY();
    }
    try {
      return await work(token);
    } finally {
      await this.release(userId, token);
    }
  }

  private async tryAcquire(userId: number, token: string): Promise<boolean> {
    const now = this.clock.now();
    const updated = await query<typeof BillingAccountSchema>(this.em)
      .updateTable('billing_accounts')
      .set({ checkout_until: addMilliseconds(now, LOCK_LIFETIME), checkout_token: token })
      .where('user_id', '=', userId)
      .where((where) => where.or([where('checkout_until', 'is', null), where('checkout_until', '<=', now)]))
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  }

  private async release(userId: number, token: string): Promise<void> {
    await query<typeof BillingAccountSchema>(this.em)
      .updateTable('billing_accounts')
      .set({ checkout_until: null, checkout_token: null })
      .where('user_id', '=', userId)
      .where('checkout_token', '=', token)
      .execute();
  }
}
