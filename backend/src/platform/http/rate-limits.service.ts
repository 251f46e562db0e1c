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

/** What a rule allows of a list. */
export interface Allowance {
  readonly granted: number;
  readonly retryAfter: number;
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
    const { counted, retryAfter } = await this.count(rule, subject, amount);
    if (counted > rule.limit) throw commonErrors.TOO_MANY_REQUESTS({}, { retryAfter });
  }

  /**
   * Counts a list of tries, of which the first may be allowed and the rest not; none of the rest is refused by an error.
   * @returns how many are allowed, and the seconds until more are
   */
  async takeUpTo(rule: RateRule, subject: string | number, amount: number): Promise<Allowance> {
    if (amount <= 0) return { granted: 0, retryAfter: 0 };
    const { counted, retryAfter } = await this.count(rule, subject, amount);
    const before = counted - amount;
    return { granted: Math.max(0, Math.min(amount, rule.limit - before)), retryAfter };
  }

  /**
   * Counts one try of each subject, for lists whose rows are limited one by one.
   * @param subjects without doubles
   * @returns those that are allowed
   */
  async takeEach(rule: RateRule, subjects: readonly string[]): Promise<Set<string>> {
    if (!this.config.rateLimited || subjects.length === 0) return new Set(subjects);
    const byKey = new Map(subjects.map((subject) => [this.keyOf(rule, subject), subject]));
    const now = this.clock.now();
    const { rows } = await sql<{ key: string }>`
      with counted as (
        insert into rate_limits as r (key, count, ends_at)
        select key, 1, ${new Date(now.getTime() + rule.window)}::timestamptz
        from unnest(${[...byKey.keys()].sort()}::text[]) as wanted(key)
        on conflict (key) do update set
          count = case when r.ends_at <= ${now} then 1 else r.count + 1 end,
          ends_at = case when r.ends_at <= ${now} then excluded.ends_at else r.ends_at end
        returning r.key, r.count
      )
      select key from counted where count <= ${rule.limit}
    `.execute(query<typeof RateLimitSchema>(this.em.fork()));
    return new Set(rows.map(({ key }) => byKey.get(key)!));
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

  private async count(rule: RateRule, subject: string | number, amount: number) {
    if (!this.config.rateLimited) return { counted: Number.NEGATIVE_INFINITY, retryAfter: 0 };
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
    const wait = Math.ceil((new Date(row.endsAt).getTime() - now.getTime()) / 1000);
    return { counted: row.count, retryAfter: Math.max(1, wait) };
  }

  private keyOf(rule: RateRule, subject: string | number): string {
    const digest = createHmac('sha256', this.config.appSecret).update(`${rule.name}\n${subject}`).digest('hex');
    return `${rule.name}:${digest.slice(0, 40)}`;
  }
}
