import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { MINUTE, SECOND } from '../../../platform/clock/clock.js';
import { newToken } from '../../../platform/security/secrets.js';
import { billingErrors } from '../billing.errors.js';
import { BillingAccountRepository } from '../billing-account.repository.js';

/** Longer than all calls of one checkout can take together. */
const LOCK_LIFETIME = 3 * MINUTE;
const ACQUIRE_TIMEOUT = 20 * SECOND;
const RETRY_DELAY = 100;

/** A lock per user for opening a checkout. Works across processes without holding a database connection. */
@Injectable()
export class CheckoutLockService {
  constructor(private readonly accounts: BillingAccountRepository) {}

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
      await this.accounts.releaseCheckoutLock(userId, token);
    }
  }

  private tryAcquire(userId: number, token: string): Promise<boolean> {
    return this.accounts.tryAcquireCheckoutLock(userId, token, LOCK_LIFETIME);
  }
}
