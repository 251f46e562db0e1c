import { createHmac } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import { commonErrors } from '../errors/common.errors.js';
import { query } from '../database/query.js';
import { RateLimitSchema } from './rate-limit.entity.js';

/** At most `limit` takes within `window` milliseconds, counted from the first. */
export interface RateRule {
  readonly name: string;
  readonly limit: number;
  readonly window: number;
}

/** Limits of sensitive actions, counted in PostgreSQL so that they hold over processes and restarts. */
@Injectable()
export class RateLimits {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /**
   * Counts one try, before it is judged. Runs outside any transaction, so that a refused try stays counted.
   * @param subject whom the rule counts (an address, an account, an IP); only a keyed digest is stored
   * @param amount tries that this call is worth
   * @throws TOO_MANY_REQUESTS with the seconds to wait
   */
  async take(rule: RateRule, subject: string | number, amount = 1): Promise<void> {
    if (!this.config.rateLimited) return;
    const now = this.clock.now();
    const end = new Date(now.getTime() + rule.window);
    const row = await query<typeof RateLimitSchema>(this.em.fork())
      .insertInto('rate_limits')
      .values({ key: this.keyOf(rule, subject), count: amount, ends_at: end })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          count: sql<number>`case when rate_limits.ends_at <= ${now} then ${amount} else rate_limits.count + ${amount} end`,
          ends_at: sql<Date>`case when rate_limits.ends_at <= ${now} then ${end} else rate_limits.ends_at end`,
        }),
      )
      .returning(['count', 'ends_at as endsAt'])
      .executeTakeFirstOrThrow();
    if (row.count <= rule.limit) return;
    const retryAfter = Math.max(1, Math.ceil((new Date(row.endsAt).getTime() - now.getTime()) / 1000));
    throw commonErrors.TOO_MANY_REQUESTS({}, { retryAfter });
  }

  /** Takes one try out of the count again: it turned out to be a right one. */
  async giveBack(rule: RateRule, subject: string | number): Promise<void> {
    await query<typeof RateLimitSchema>(this.em.fork())
      .updateTable('rate_limits')
      .set({ count: sql<number>`greatest(count - 1, 0)` })
      .where('key', '=', this.keyOf(rule, subject))
      .execute();
  }

  /** Forgets what was counted, after a success that proves the person. */
  async clear(rule: RateRule, subject: string | number): Promise<void> {
    await query<typeof RateLimitSchema>(this.em.fork())
      .deleteFrom('rate_limits')
      .where('key', '=', this.keyOf(rule, subject))
      .execute();
  }

  private keyOf(rule: RateRule, subject: string | number): string {
    const digest = createHmac('sha256', this.config.appSecret).update(`${rule.name}\n${subject}`).digest('hex');
    return `${rule.name}:${digest.slice(0, 40)}`;
  }
}
