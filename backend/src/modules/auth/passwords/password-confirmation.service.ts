import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../platform/clock/clock.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { RateLimits, type RateRule } from '../../../platform/http/limits/rate-limits.service.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { authErrors } from '../auth.errors.js';
import { PasswordService } from './password.service.js';
import { SignInFailures } from '../trail/sign-in-failures.service.js';
import { UserService } from '../users/user.service.js';

const BY_ACCOUNT: RateRule = { name: 'confirm', limit: 10, window: 15 * MINUTE };

/** Asks a signed-in person for their password once more, before what a stolen session must not do. */
@Injectable()
export class PasswordConfirmation {
  constructor(
    private readonly users: UserService,
    private readonly passwords: PasswordService,
    private readonly limits: RateLimits,
    private readonly failures: SignInFailures,
  ) {}

  /**
   * Checks the password; a try counts before it is compared.
   * @returns the hash that was right, to be compared again under the lock of the person's row
   * @throws WRONG_PASSWORD, TOO_MANY_REQUESTS
   */
  async confirm(userId: number, password: string): Promise<string> {
    await this.limits.spend(BY_ACCOUNT, userId);
    const { password: stored } = await this.users.findById(userId);
    if (!(await this.passwords.verify(stored ?? null, password)) || stored == null) throw authErrors.WRONG_PASSWORD();
    await this.limits.clear(BY_ACCOUNT, userId);
    return stored;
  }

  /**
   * Asks for the password where it comes with the request, and otherwise for a confirmation of the last ten minutes: so
   * people without a password can do it as well.
   * A wrong password is noted in the security trail.
   * @returns the hash that was right, to be compared again under the lock of the person's row; null without a password
   * @throws WRONG_PASSWORD, TOO_MANY_REQUESTS, CONFIRMATION_REQUIRED
   */
  async require(
    { userId, confirmed }: Viewer,
    password: string | undefined,
    ipAddress: string | null,
  ): Promise<string | null> {
    if (password !== undefined) {
      return this.failures.notingConfirmation(userId, ipAddress, () => this.confirm(userId, password));
    }
    if (!confirmed) throw commonErrors.CONFIRMATION_REQUIRED();
    return null;
  }
}
