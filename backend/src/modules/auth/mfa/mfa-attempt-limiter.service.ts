import { Injectable } from '@nestjs/common';
import { HOUR, MINUTE } from '../../../platform/clock/clock.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { KnownDeviceService, type DeviceTrust } from '../devices/known-device.service.js';
import type { SessionOrigin } from '../shared/session-origin.js';

/** At one sign-in. */
const LIMIT_PER_SIGN_IN: RateRule = { name: 'factor-attempt', limit: 5, window: 15 * MINUTE };
/** Of a browser that has signed in before: whoever knows the password, but has no factor, does not use these up. */
const LIMIT_PER_DEVICE: RateRule = { name: 'factor-device', limit: 10, window: 15 * MINUTE };
/** Of everybody else at one account, from one network, */
const LIMIT_PER_NETWORK: RateRule = { name: 'factor', limit: 10, window: 15 * MINUTE };
/** and from all networks from which its person has never signed in: a guesser gets 30 tries an hour in a million. */
const LIMIT_PER_ACCOUNT: RateRule = { name: 'factor-account', limit: 30, window: HOUR };
/** In a session that is open. */
const LIMIT_PER_SESSION: RateRule = { name: 'factor-session', limit: 10, window: 15 * MINUTE };

/** A sign-in that tries. */
export interface MfaAttempt {
  readonly name: string;
  readonly userId: number;
  readonly email: string;
}

/** Counts tries at second factors. A try counts before anything is compared, outside any transaction. */
@Injectable()
export class MfaAttemptLimiterService {
  constructor(
    private readonly limits: RateLimitService,
    private readonly devices: KnownDeviceService,
  ) {}

  /**
   * Counts a try at a sign-in that waits.
   * @returns from where it came, for `forgive`
   * @throws TOO_MANY_REQUESTS
   */
  async countAttempt({ name, userId, email }: MfaAttempt, origin: SessionOrigin): Promise<DeviceTrust> {
    await this.limits.consume(LIMIT_PER_SIGN_IN, name);
    const deviceTrust = await this.devices.getDeviceTrust(email, origin);
    if (deviceTrust === 'device') {
      await this.limits.consume(LIMIT_PER_DEVICE, `${userId} ${origin.device ?? ''}`);
      return deviceTrust;
    }
    await this.limits.consume(LIMIT_PER_NETWORK, `${userId} ${networkOf(origin.ipAddress)}`);
    if (deviceTrust === 'unknown') await this.limits.consume(LIMIT_PER_ACCOUNT, userId);
    return deviceTrust;
  }

  /** Forgets the tries from here after a right one. */
  async resetAttempts({ userId }: MfaAttempt, origin: SessionOrigin, deviceTrust: DeviceTrust): Promise<void> {
    await this.limits.reset(LIMIT_PER_DEVICE, `${userId} ${origin.device ?? ''}`);
    await this.limits.reset(LIMIT_PER_NETWORK, `${userId} ${networkOf(origin.ipAddress)}`);
    if (deviceTrust === 'unknown') await this.limits.refund(LIMIT_PER_ACCOUNT, userId);
  }

  /** Counts a try in a session that is open. @throws TOO_MANY_REQUESTS */
  countSessionAttempt(sessionId: number | null): Promise<void> {
    return this.limits.consume(LIMIT_PER_SESSION, sessionId ?? 0);
  }

  /** Forgets the tries of a session after a right one. */
  resetSessionAttempts(sessionId: number | null): Promise<void> {
    return this.limits.reset(LIMIT_PER_SESSION, sessionId ?? 0);
  }
}
