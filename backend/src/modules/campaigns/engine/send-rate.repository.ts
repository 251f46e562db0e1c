import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { SendRateSchema } from '../entities/delivery.entity.js';

const BUCKET_NAME = 'campaigns';

/** The token bucket that all workers share. It holds up to one second's worth of emails. */
@Injectable()
export class SendRateRepository {
  constructor(private readonly em: EntityManager) {}

  /**
   * Takes up to `wanted` tokens; the first call creates the bucket.
   * @param rate emails per second
   * @returns how many
   */
  async takeTokens(rate: number, wanted: number): Promise<number> {
    const { rows } = await sql<{ taken: number }>`
      with bucket as (
        select name, least(${rate}::float8, tokens
          + extract(epoch from clock_timestamp() - updated_at)::float8 * ${rate}::float8) as available
        from send_rates where name = ${BUCKET_NAME} for update
      )
      update send_rates s set updated_at = clock_timestamp(),
        tokens = b.available - greatest(0, least(${wanted}::float8, floor(b.available)))
      from bucket b where s.name = b.name
      returning greatest(0, least(${wanted}::float8, floor(b.available)))::int as taken`.execute(this.db());
    if (rows[0]) return rows[0].taken;
    await sql`
      insert into send_rates (name, tokens, updated_at) values (${BUCKET_NAME}, ${rate}, clock_timestamp())
      on conflict (name) do nothing`.execute(this.db());
    return this.takeTokens(rate, wanted);
  }

  /** Returns unused tokens. */
  async addTokens(amount: number): Promise<void> {
    await sql`update send_rates set tokens = tokens + ${amount} where name = ${BUCKET_NAME}`.execute(this.db());
  }

  private db() {
    return query<typeof SendRateSchema>(this.em.fork());
  }
}
