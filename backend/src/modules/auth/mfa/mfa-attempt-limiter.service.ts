import { Injectable } from '@nestjs/common';
import { HOUR, MINUTE } from '../../../platform/clock/clock.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { KnownDeviceService, type DeviceTrust } from '../devices/known-device.service.js';
import type { SessionOrigin } from '../shared/session-origin.js';

/** Per pending sign-in. */
const LIMIT_PER_SIGN_IN: RateRule = { name: 'factor-attempt', limit: 5, window: 15 * MINUTE };
/** Per known browser, so that someone who knows the password but has no factor can't use up the owner's attempts. */
const LIMIT_PER_DEVICE: RateRule = { name: 'factor-device', limit: 10, window: 15 * MINUTE };
/** Per account and network, for unknown browsers. */
const LIMIT_PER_NETWORK: RateRule = { name: 'factor', limit: 10, window: 15 * MINUTE };
/** Per account, for all networks the user has never signed in from: 30 guesses per hour among a million codes. */
const LIMIT_PER_ACCOUNT: RateRule = { name: 'factor-account', limit: 30, window: HOUR };
/** Per open session. */
const LIMIT_PER_SESSION: RateRule = { name: 'factor-session', limit: 10, window: 15 * MINUTE };

/** The pending sign-in being attempted. */
export interface MfaAttempt {
  readonly name: string;
  readonly userId: number;
  readonly email: string;
}

/** Counts attempts at second factors. Each is counted before any comparison, outside any transaction. */
@Injectable()
export class MfaAttemptLimiterService {
  constructor(
    private readonly limits: RateLimitService,
    private readonly devices: KnownDeviceService,
  ) {}

  /**
   * Counts an attempt at a pending sign-in.
   * @returns the device trust, to be passed to `resetAttempts`
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

  /** Resets the attempts from this origin after a successful one. */
  async resetAttempts({ userId }: MfaAttempt, origin: SessionOrigin, deviceTrust: DeviceTrust): Promise<void> {
    await this.limits.reset(LIMIT_PER_DEVICE, `${userId} ${origin.device ?? ''}`);
    await this.limits.reset(LIMIT_PER_NETWORK, `${userId} ${networkOf(origin.ipAddress)}`);
    if (deviceTrust === 'unknown') await this.limits.refund(LIMIT_PER_ACCOUNT, userId);
  }

  /** Counts an attempt in an open session. @throws TOO_MANY_REQUESTS */
  countSessionAttempt(sessionId: number | null): Promise<void> {
    return this.limits.consume(LIMIT_PER_SESSION, sessionId ?? 0);
  }

  /** Resets the attempts of a session after a successful one. */
  resetSessionAttempts(sessionId: number | null): Promise<void> {
    return this.limits.reset(LIMIT_PER_SESSION, sessionId ?? 0);
  }
}
