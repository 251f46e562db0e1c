import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { SendRateSchema } from '../entities/send-rate.entity.js';

const BUCKET = 'campaigns';

/** How many mails all workers together may send: a bucket in the database that fills with time, up to one second's worth. */
@Injectable()
export class SendRateService {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
  ) {}

  /** Takes up to `wanted` from the bucket. @returns how many may be sent; all of them without a limit */
  async take(wanted: number): Promise<number> {
    const rate = this.config.mailRate;
    if (rate === null || wanted <= 0) return wanted;
    const { rows } = await sql<{ taken: number }>`
      with bucket as (
        select name, least(${rate}::float8, tokens
          + extract(epoch from clock_timestamp() - updated_at)::float8 * ${rate}::float8) as available
        from send_rates where name = ${BUCKET} for update
      )
      update send_rates s set updated_at = clock_timestamp(),
        tokens = b.available - greatest(0, least(${wanted}::float8, floor(b.available)))
      from bucket b where s.name = b.name
      returning greatest(0, least(${wanted}::float8, floor(b.available)))::int as taken`.execute(this.db());
    if (rows[0]) return rows[0].taken;
    await sql`
      insert into send_rates (name, tokens, updated_at) values (${BUCKET}, ${rate}, clock_timestamp())
      on conflict (name) do nothing`.execute(this.db());
    return this.take(wanted);
  }

  /** Puts back what was taken and not used. */
  async giveBack(amount: number): Promise<void> {
    if (this.config.mailRate === null || amount <= 0) return;
    await sql`update send_rates set tokens = tokens + ${amount} where name = ${BUCKET}`.execute(this.db());
  }

  private db() {
    return query<typeof SendRateSchema>(this.em.fork());
  }
}
