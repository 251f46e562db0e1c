import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { HOUR, MINUTE, SECOND } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { SendRateSchema } from '../entities/delivery.entity.js';

/** How sending is paced, in milliseconds. */
@Injectable()
export class DeliveryConfig {
  /** A worker that has not been seen for this long loses what it holds. */
  readonly leaseDuration: number = 14 * SECOND;
  readonly heartbeatInterval: number = 3 * SECOND;
  /** How often an idle worker looks for mails that are due: until then another sends them alone. */
  readonly pollInterval: number = SECOND / 4;
  /** How much work a worker claims ahead: at the end of a campaign another has nothing left to do for that long. */
  readonly claimAhead: number = SECOND / 4;
  /** How long a stopping worker waits for the mails under way. */
  readonly shutdownGrace: number = 8 * SECOND;
  /** First and longest wait after a mail server failed altogether. */
  readonly initialServerBackoff: number = SECOND;
  readonly maxServerBackoff: number = 30 * SECOND;
  /** First and longest wait before a mail is tried again; doubled in between. */
  readonly initialRetryDelay: number = MINUTE;
  readonly maxRetryDelay: number = HOUR;
  /** Tries of one mail: with the waits they span about eight hours. */
  readonly maxAttempts: number = 14;

  /** The wait after the try of that number (1 is the first), a quarter more or less by chance. */
  retryDelay(attempt: number, random = Math.random()): number {
    const plain = Math.min(this.maxRetryDelay, this.initialRetryDelay * 2 ** (attempt - 1));
    return Math.round(plain * (0.75 + random / 2));
  }
}

const BUCKET_NAME = 'campaigns';

/**
 * How fast mails are sent. How many all workers together may send is a bucket in the database that fills with time, up to
 * one second's worth.
 */
@Injectable()
export class SendRateLimiterService {
  constructor(
    readonly deliveryConfig: DeliveryConfig,
    private readonly em: EntityManager,
    private readonly config: AppConfig,
  ) {}

  /** Takes up to `wanted` from the bucket. @returns how many may be sent; all of them without a limit */
  async reserve(wanted: number): Promise<number> {
    const rate = this.config.mailRate;
    if (rate === null || wanted <= 0) return wanted;
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
    return this.reserve(wanted);
  }

  /** Puts back what was taken and not used. */
  async refund(amount: number): Promise<void> {
    if (this.config.mailRate === null || amount <= 0) return;
    await sql`update send_rates set tokens = tokens + ${amount} where name = ${BUCKET_NAME}`.execute(this.db());
  }

  private db() {
    return query<typeof SendRateSchema>(this.em.fork());
  }
}
