import { Injectable } from '@nestjs/common';
import { HOUR, MINUTE } from '../../../platform/clock/clock.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { RateLimits, type RateRule } from '../../../platform/http/limits/rate-limits.service.js';
import { DeviceRegistry, type Familiarity } from '../devices/device-registry.service.js';
import type { SessionOrigin } from '../shared/session-origin.js';

/** At one sign-in. */
const BY_ATTEMPT: RateRule = { name: 'factor-attempt', limit: 5, window: 15 * MINUTE };
/** Of a browser that has signed in before: whoever knows the password, but has no factor, does not use these up. */
const BY_DEVICE: RateRule = { name: 'factor-device', limit: 10, window: 15 * MINUTE };
/** Of everybody else at one account, from one network, */
const BY_NETWORK: RateRule = { name: 'factor', limit: 10, window: 15 * MINUTE };
/** and from all networks from which its person has never signed in: a guesser gets 30 tries an hour in a million. */
const BY_ACCOUNT: RateRule = { name: 'factor-account', limit: 30, window: HOUR };
/** In a session that is open. */
const BY_SESSION: RateRule = { name: 'factor-session', limit: 10, window: 15 * MINUTE };

/** A sign-in that tries. */
export interface FactorAttempt {
  readonly name: string;
  readonly userId: number;
  readonly email: string;
}

/** Counts tries at second factors. A try counts before anything is compared, outside any transaction. */
@Injectable()
export class FactorTries {
  constructor(
    private readonly limits: RateLimits,
    private readonly devices: DeviceRegistry,
  ) {}

  /**
   * Counts a try at a sign-in that waits.
   * @returns from where it came, for `forgive`
   * @throws TOO_MANY_REQUESTS
   */
  async count({ name, userId, email }: FactorAttempt, origin: SessionOrigin): Promise<Familiarity> {
    await this.limits.spend(BY_ATTEMPT, name);
    const familiarity = await this.devices.familiarity(email, origin);
    if (familiarity === 'device') {
      await this.limits.spend(BY_DEVICE, `${userId} ${origin.device ?? ''}`);
      return familiarity;
    }
    await this.limits.spend(BY_NETWORK, `${userId} ${networkOf(origin.ipAddress)}`);
    if (familiarity === 'unknown') await this.limits.spend(BY_ACCOUNT, userId);
    return familiarity;
  }

  /** Forgets the tries from here after a right one. */
  async forgive({ userId }: FactorAttempt, origin: SessionOrigin, familiarity: Familiarity): Promise<void> {
    await this.limits.clear(BY_DEVICE, `${userId} ${origin.device ?? ''}`);
    await this.limits.clear(BY_NETWORK, `${userId} ${networkOf(origin.ipAddress)}`);
    if (familiarity === 'unknown') await this.limits.refund(BY_ACCOUNT, userId);
  }

  /** Counts a try in a session that is open. @throws TOO_MANY_REQUESTS */
  countInSession(sessionId: number | null): Promise<void> {
    return this.limits.spend(BY_SESSION, sessionId ?? 0);
  }

  /** Forgets the tries of a session after a right one. */
  forgiveSession(sessionId: number | null): Promise<void> {
    return this.limits.clear(BY_SESSION, sessionId ?? 0);
  }
}
