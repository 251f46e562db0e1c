import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../platform/clock/clock.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { authErrors } from '../auth.errors.js';
import { PasswordHashService } from './password-hash.service.js';
import { AuthFailureService } from '../security-events/auth-failure.service.js';
import { UserService } from '../users/user.service.js';

const LIMIT_PER_ACCOUNT: RateRule = { name: 'confirm', limit: 10, window: 15 * MINUTE };

/** Asks a signed-in person for their password once more, before what a stolen session must not do. */
@Injectable()
export class PasswordConfirmationService {
  constructor(
    private readonly users: UserService,
    private readonly passwords: PasswordHashService,
    private readonly limits: RateLimitService,
    private readonly authFailures: AuthFailureService,
  ) {}

  /**
   * Checks the password; a try counts before it is compared.
   * @returns the hash that was right, to be compared again under the lock of the person's row
   * @throws WRONG_PASSWORD, TOO_MANY_REQUESTS
   */
  async verifyPassword(userId: number, password: string): Promise<string> {
    await this.limits.consume(LIMIT_PER_ACCOUNT, userId);
    const { password: stored } = await this.users.findById(userId);
    if (!(await this.passwords.verify(stored ?? null, password)) || stored == null) throw authErrors.WRONG_PASSWORD();
    await this.limits.reset(LIMIT_PER_ACCOUNT, userId);
    return stored;
  }

  /**
   * Asks for the password where it comes with the request, and otherwise for a confirmation of the last ten minutes: so
   * people without a password can do it as well.
   * A wrong password is noted in the security trail.
   * @returns the hash that was right, to be compared again under the lock of the person's row; null without a password
   * @throws WRONG_PASSWORD, TOO_MANY_REQUESTS, CONFIRMATION_REQUIRED
   */
  async requireConfirmation(
    { userId, isReauthenticated }: Viewer,
    password: string | undefined,
    ipAddress: string | null,
  ): Promise<string | null> {
    if (password !== undefined) {
      return this.authFailures.withConfirmationFailureRecording(userId, ipAddress, () =>
        this.verifyPassword(userId, password),
      );
    }
    if (!isReauthenticated) throw commonErrors.CONFIRMATION_REQUIRED();
    return null;
  }
}
