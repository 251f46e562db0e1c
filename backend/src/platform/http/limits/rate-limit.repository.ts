import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../database/query.js';
import type { RateLimitSchema } from './rate-limit.entity.js';

/** Counts of attempts within a window. They are written outside of the caller's transaction. */
@Injectable()
export class RateLimitRepository {
  constructor(private readonly em: EntityManager) {}

  /**
   * Adds attempts to a count, which starts again when its window has ended.
   * @param olderKeys keys whose counts are included in the result
   * @param end end of a window that starts now
   * @returns the count, and when its window ends
   */
  async incrementCount(
    key: string,
    olderKeys: readonly string[],
    amount: number,
    now: Date,
    end: Date,
  ): Promise<{ count: number; endsAt: Date }> {
    const before = sql<number>`(
      select coalesce(sum(b.count), 0)::int from rate_limits b where b.key = any(${olderKeys}::text[]) and b.ends_at > ${now}
    )`;
    const row = await query<typeof RateLimitSchema>(this.em.fork())
      .insertInto('rate_limits')
      .values({ key, count: amount, ends_at: end })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          count: sql<number>`case when rate_limits.ends_at <= ${now} then ${amount} else rate_limits.count + ${amount} end`,
          ends_at: sql<Date>`case when rate_limits.ends_at <= ${now} then ${end} else rate_limits.ends_at end`,
        }),
      )
      .returning(['count', 'ends_at as endsAt', before.as('before')])
      .executeTakeFirstOrThrow();
    return { count: row.count + row.before, endsAt: new Date(row.endsAt) };
  }

  /** Removes an attempt from a count. */
  async decrementCount(key: string): Promise<void> {
    await query<typeof RateLimitSchema>(this.em.fork())
      .updateTable('rate_limits')
      .set({ count: sql<number>`greatest(count - 1, 0)` })
      .where('key', '=', key)
      .execute();
  }

  async deleteCounts(keys: readonly string[]): Promise<void> {
    await query<typeof RateLimitSchema>(this.em.fork()).deleteFrom('rate_limits').where('key', 'in', keys).execute();
  }

  /** Deletes the counts of windows that have ended. */
  async deleteEndedWindows(now: Date): Promise<void> {
    await query<typeof RateLimitSchema>(this.em).deleteFrom('rate_limits').where('ends_at', '<=', now).execute();
  }
}
