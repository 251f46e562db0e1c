import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../platform/clock/clock.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { authErrors } from '../auth.errors.js';
import { PasswordHashService } from './password-hash.service.js';
import { AuthFailureService } from '../security-events/auth-failure.service.js';
import { UserRepository } from '../users/user.repository.js';

const LIMIT_PER_ACCOUNT: RateRule = { name: 'confirm', limit: 10, window: 15 * MINUTE };

/** Asks signed-in users for their password again, before actions that a stolen session must not be able to perform. */
@Injectable()
export class PasswordConfirmationService {
  constructor(
    private readonly users: UserRepository,
    private readonly passwords: PasswordHashService,
    private readonly limits: RateLimitService,
    private readonly authFailures: AuthFailureService,
  ) {}

  /**
   * Verifies the password. The attempt is counted before the comparison.
   * @returns the matching hash, to be compared again under the lock of the user's row
   * @throws WRONG_PASSWORD, TOO_MANY_REQUESTS
   */
  async verifyPassword(userId: number, password: string): Promise<string> {
    await this.limits.consume(LIMIT_PER_ACCOUNT, userId);
    const { password: stored } = await this.users.getManagedUser(userId);
    if (!(await this.passwords.verify(stored ?? null, password)) || stored == null) throw authErrors.WRONG_PASSWORD();
    await this.limits.reset(LIMIT_PER_ACCOUNT, userId);
    return stored;
  }

  /**
   * Requires the password if the request contains one, otherwise a confirmation within the last ten minutes, so that
   * users without a password can proceed too. A wrong password is logged as a security event.
   * @returns the matching hash, to be compared again under the lock of the user's row; null without a password
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
