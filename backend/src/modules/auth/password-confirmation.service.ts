import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../platform/clock/clock.js';
import { RateLimits, type RateRule } from '../../platform/http/rate-limits.service.js';
import { authErrors } from './auth.errors.js';
import { PasswordService } from './password.service.js';
import { UserService } from './user.service.js';

const BY_ACCOUNT: RateRule = { name: 'confirm', limit: 10, window: 15 * MINUTE };

/** Asks a signed-in person for their password once more, before what a stolen session must not do. */
@Injectable()
export class PasswordConfirmation {
  constructor(
    private readonly users: UserService,
    private readonly passwords: PasswordService,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Checks the password; a try counts before it is compared.
   * @returns the hash that was right, to be compared again under the lock of the person's row
   * @throws WRONG_PASSWORD, TOO_MANY_REQUESTS
   */
  async confirm(userId: number, password: string): Promise<string> {
    await this.limits.take(BY_ACCOUNT, userId);
    const { password: stored } = await this.users.findById(userId);
    if (!(await this.passwords.verify(stored ?? null, password)) || stored == null) throw authErrors.WRONG_PASSWORD();
    await this.limits.clear(BY_ACCOUNT, userId);
    return stored;
  }
}
