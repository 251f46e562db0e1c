import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '../../../platform/errors/app-error.js';
import { recordFailure } from '../../../platform/errors/record-failure.js';
import { SecurityEventLogService } from '../../../platform/security-events/security-event-log.service.js';
import { UserService } from '../users/user.service.js';

/** Where somebody was refused: at signing in, at its second step, by a passkey alone, or while signed in. */
type AuthStep = 'sign-in' | 'factor' | 'passkey' | 'confirmation';

/** What the trail says of a refusal, by its code. */
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

/** What the trail notes of an error; null for other faults, which are left alone. */
function toSecurityEvent(step: AuthStep, error: unknown) {
  if (!(error instanceof AppError)) return null;
  const detail = detailByErrorCode[step][error.code];
  if (detail !== undefined) {
    return { kind: step === 'confirmation' ? 'confirmation-failed' : 'sign-in-failed', detail } as const;
  }
  // Tries at passkeys are limited by the network alone, not at an account that could be locked.
  const isLocked = error.code === 'TOO_MANY_REQUESTS' && step !== 'passkey';
  return isLocked ? ({ kind: 'locked-out', detail: step } as const) : null;
}

/** Notes sign-ins and confirmations that failed. An address that has no account leaves no trace: only the network and a count are kept. */
@Injectable()
export class AuthFailureService {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly users: UserService,
    private readonly securityEvents: SecurityEventLogService,
  ) {}

  /**
   * Notes why somebody was not let in; other faults are left alone, and a fault of the noting is logged: the answer is the
   * refusal in any case. The same queries are made for known and unknown
   * addresses.
   * @param email null when nobody has been named yet, as on the way back from a provider of identities
   * @param ipAddress of the client
   */
  async recordSignInFailure(error: unknown, email: string | null, ipAddress: string | null): Promise<void> {
    const event = toSecurityEvent('sign-in', error);
    if (!event) return;
    await recordFailure(this.logger, 'a refused sign-in', async () => {
      const user = email === null ? null : await this.users.findByEmail(email);
      await this.securityEvents.recordRefusal({ ...event, userId: user?.id ?? null, ipAddress });
    });
  }

  /** Notes why the second step of a sign-in was refused; other faults are left alone. */
  recordMfaFailure(error: unknown, userId: number, ipAddress: string | null): Promise<void> {
    return this.recordFailureAt('factor', error, userId, ipAddress);
  }

  /**
   * Notes why a passkey did not sign in; other faults are left alone.
   * @param userId null when it is nobody's
   */
  recordPasskeyFailure(error: unknown, userId: number | null, ipAddress: string | null): Promise<void> {
    return this.recordFailureAt('passkey', error, userId, ipAddress);
  }

  /** Does what asks somebody signed in who they are, and notes why that was refused; other faults are left alone. */
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
    const record = () => this.securityEvents.recordRefusal({ ...event, userId, ipAddress });
    await recordFailure(this.logger, `a refusal (${step})`, record);
  }
}
