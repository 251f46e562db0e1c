import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '../../../platform/errors/app-error.js';
import { recordFailure } from '../../../platform/errors/record-failure.js';
import { SecurityEventLogService } from '../../../platform/security-events/security-event-log.service.js';
import { UserRepository } from '../users/user.repository.js';

/** The step that failed: sign-in, its second step, a passkey alone, or a confirmation while signed in. */
type AuthStep = 'sign-in' | 'factor' | 'passkey' | 'confirmation';

/** Details in the security event log, by error code. */
const detailByErrorCode: Readonly<Record<AuthStep, Readonly<Record<string, string>>>> = {
  'sign-in': {
    INVALID_CREDENTIALS: 'password',
    ACCOUNT_DEACTIVATED: 'deactivated',
    WRONG_PASSWORD: 'password',
    CODE_INVALID: 'code',
    SSO_REFUSED: 'provider',
    SSO_EXPIRED: 'provider',
    SSO_EMAIL_UNVERIFIED: 'provider',
  },
  factor: { CODE_INVALID: 'factor', PASSKEY_INVALID: 'passkey' },
  passkey: { PASSKEY_INVALID: 'passkey', ACCOUNT_DEACTIVATED: 'deactivated' },
  confirmation: { WRONG_PASSWORD: 'password', CODE_INVALID: 'code', PASSKEY_INVALID: 'passkey' },
};

/** Returns the security event for an error; null for unrelated errors, which are not logged here. */
function toSecurityEvent(step: AuthStep, error: unknown) {
  if (!(error instanceof AppError)) return null;
  const detail = detailByErrorCode[step][error.code];
  if (detail !== undefined) {
    return { kind: step === 'confirmation' ? 'confirmation-failed' : 'sign-in-failed', detail } as const;
  }
  // Passkey attempts are limited by network only, not per account, so no account is locked out.
  const isLocked = error.code === 'TOO_MANY_REQUESTS' && step !== 'passkey';
  return isLocked ? ({ kind: 'locked-out', detail: step } as const) : null;
}

/**
 * Logs failed sign-ins and confirmations. For an address without an account, only the network and a count are stored.
 */
@Injectable()
export class AuthFailureService {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly users: UserRepository,
    private readonly securityEvents: SecurityEventLogService,
  ) {}

  /**
   * Logs why a sign-in was rejected. Unrelated errors are ignored, and errors of the logging itself are only written to
   * the log, so that the response is the rejection in any case. Runs the same queries for known and unknown addresses.
   * @param email null if no address is known yet, as in the callback of an identity provider
   * @param ipAddress of the client
   */
  async recordSignInFailure(error: unknown, email: string | null, ipAddress: string | null): Promise<void> {
    const event = toSecurityEvent('sign-in', error);
    if (!event) return;
    await recordFailure(this.logger, 'a rejected sign-in', async () => {
      const user = email === null ? null : await this.users.findUserByEmail(email);
      await this.securityEvents.recordRejection({ ...event, userId: user?.id ?? null, ipAddress });
    });
  }

  /** Logs why the second step of a sign-in was rejected; ignores unrelated errors. */
  recordMfaFailure(error: unknown, userId: number, ipAddress: string | null): Promise<void> {
    return this.recordFailureAt('factor', error, userId, ipAddress);
  }

  /**
   * Logs why a passkey sign-in was rejected; ignores unrelated errors.
   * @param userId null if the passkey belongs to no account
   */
  recordPasskeyFailure(error: unknown, userId: number | null, ipAddress: string | null): Promise<void> {
    return this.recordFailureAt('passkey', error, userId, ipAddress);
  }

  /** Runs a reauthentication and logs why it was rejected; ignores unrelated errors. */
  async withConfirmationFailureRecording<T>(
    userId: number,
    ipAddress: string | null,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.recordFailureAt('confirmation', error, userId, ipAddress);
      throw error;
    }
  }

  private async recordFailureAt(
    step: AuthStep,
    error: unknown,
    userId: number | null,
    ipAddress: string | null,
  ): Promise<void> {
    const event = toSecurityEvent(step, error);
    if (!event) return;
    const record = () => this.securityEvents.recordRejection({ ...event, userId, ipAddress });
    await recordFailure(this.logger, `a rejection (${step})`, record);
  }
}
