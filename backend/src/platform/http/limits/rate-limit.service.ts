import { Injectable } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { AppConfig } from '../../config/app-config.js';
import { tooManyRequests } from '../../errors/common.errors.js';
import type { DerivedKey } from '../../security/derived-keys.js';
import { RateLimitRepository } from './rate-limit.repository.js';

/** At most `limit` attempts within `window` milliseconds, starting with the first. */
export interface RateRule {
  readonly name: string;
  readonly limit: number;
  readonly window: number;
}

/** How many attempts of a batch a rule allows. */
export interface RateAllowance {
  readonly granted: number;
  readonly retryAfter: number;
}

/** Rate limits of sensitive actions, stored in PostgreSQL so that they apply across processes and restarts. */
@Injectable()
export class RateLimitService {
  private readonly key: DerivedKey;

  constructor(
    private readonly rateLimits: RateLimitRepository,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {
    this.key = config.keys.forPurpose('rate-limit');
  }

  /**
   * Counts an attempt before it is checked. Runs outside of any transaction, so that rejected attempts stay counted.
   * @param subject what the rule counts by (an email address, an account, an IP address); only a keyed digest is stored
   * @param amount number of attempts to count
   * @throws TOO_MANY_REQUESTS with the seconds to wait
   */
  async consume(rule: RateRule, subject: string | number, amount = 1): Promise<void> {
    const { counted, retryAfter } = await this.increment(rule, subject, amount);
    if (counted > rule.limit) throw tooManyRequests(retryAfter);
  }

  /**
   * Counts a batch of attempts, of which only the first may be allowed. Doesn't throw for the rest.
   * @returns how many are allowed, and the seconds until more are
   */
  async consumeUpTo(rule: RateRule, subject: string | number, amount: number): Promise<RateAllowance> {
    if (amount <= 0) return { granted: 0, retryAfter: 0 };
    const { counted, retryAfter } = await this.increment(rule, subject, amount);
    const before = counted - amount;
    return { granted: Math.max(0, Math.min(amount, rule.limit - before)), retryAfter };
  }

  /** Removes an attempt from the count because it was successful. */
  async refund(rule: RateRule, subject: string | number): Promise<void> {
    await this.rateLimits.decrementCount(this.keysOf(rule, subject)[0]!);
  }

  /** Resets the count after a success that proves the user's identity. */
  async reset(rule: RateRule, subject: string | number): Promise<void> {
    await this.rateLimits.deleteCounts(this.keysOf(rule, subject));
  }

  private async increment(rule: RateRule, subject: string | number, amount: number) {
    if (!this.config.isRateLimited) return { counted: Number.NEGATIVE_INFINITY, retryAfter: 0 };
    const now = this.clock.now();
    const end = new Date(now.getTime() + rule.window);
    const [key, ...older] = this.keysOf(rule, subject);
    const { count, endsAt } = await this.rateLimits.incrementCount(key!, older, amount, now, end);
    const wait = Math.ceil((endsAt.getTime() - now.getTime()) / 1000);
    return { counted: count, retryAfter: Math.max(1, wait) };
  }

  /** Includes digests under older secrets: a new `APP_SECRET` doesn't reset any limit. */
  private keysOf(rule: RateRule, subject: string | number): string[] {
    return this.key.digests(rule.name, String(subject)).map((digest) => `${rule.name}:${digest.slice(0, 40)}`);
  }
}
