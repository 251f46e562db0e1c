import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { HOUR, MINUTE, SECOND } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { SendRateSchema } from '../entities/delivery.entity.js';

/** Timing of sending, in milliseconds. */
@Injectable()
export class DeliveryConfig {
  /** A worker without a heartbeat for this long loses its claimed deliveries. */
  readonly leaseDuration: number = 14 * SECOND;
  readonly heartbeatInterval: number = 3 * SECOND;
  /** How often an idle worker polls for due emails; until then another worker sends them alone. */
  readonly pollInterval: number = SECOND / 4;
  /** How far ahead a worker claims work; at the end of a campaign, other workers may be idle for that long. */
  readonly claimAhead: number = SECOND / 4;
  /** How long a stopping worker waits for emails in progress. */
  readonly shutdownGrace: number = 8 * SECOND;
  /** Initial and maximum delay after the mail server is considered down. */
  readonly initialServerBackoff: number = SECOND;
  readonly maxServerBackoff: number = 30 * SECOND;
  /** Initial and maximum delay before an email is retried; doubled each time. */
  readonly initialRetryDelay: number = MINUTE;
  readonly maxRetryDelay: number = HOUR;
  /** Attempts per email; with the delays they span about eight hours. */
  readonly maxAttempts: number = 14;

  /** Returns the delay after the given attempt (starting at 1), with 25 per cent jitter. */
  retryDelay(attempt: number, random = Math.random()): number {
    const plain = Math.min(this.maxRetryDelay, this.initialRetryDelay * 2 ** (attempt - 1));
    return Math.round(plain * (0.75 + random / 2));
  }
}

const BUCKET_NAME = 'campaigns';

/**
 * Limits the sending rate. All workers share a token bucket in the database that holds up to one second's worth of
 * emails.
 */
@Injectable()
export class SendRateLimiterService {
  constructor(
    readonly deliveryConfig: DeliveryConfig,
    private readonly em: EntityManager,
    private readonly config: AppConfig,
  ) {}

  /**
   * Takes up to `wanted` tokens.
   * @returns how many emails may be sent; all of them if no rate is configured
   */
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

  /** Returns unused tokens. */
  async refund(amount: number): Promise<void> {
    if (this.config.mailRate === null || amount <= 0) return;
    await sql`update send_rates set tokens = tokens + ${amount} where name = ${BUCKET_NAME}`.execute(this.db());
  }

  private db() {
    return query<typeof SendRateSchema>(this.em.fork());
  }
}
