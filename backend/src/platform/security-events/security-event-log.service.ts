import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { AuditEntrySchema } from '../audit/audit-entry.entity.js';
import type { AuditType } from '../audit/audit-types.js';
import { addMilliseconds, Clock, DAY } from '../clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import { query } from '../database/query.js';
import { networkOf } from '../http/networks/client-network.js';
import { defineJob, LONG_STATEMENT_LIMIT } from '../jobs/job-definition.js';
import { OnJob } from '../jobs/on-job.decorator.js';
import { SecurityEventSchema } from './security-event.entity.js';
import type { SecurityEventKind } from './security-event-kinds.js';
import { SecurityMetrics } from './security-metrics.js';

/** Deletes security events, including their networks, after the retention period (90 days by default). */
export const purgeSecurityEvents = defineJob('security-events.purge-security-events', {
  queue: 'maintenance',
  cron: '41 3 * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Rows deleted per statement, which keeps locks short. */
const BATCH_SIZE = 5000;
/** Maximum series per kind and day; further events are counted in a single row without user and network. */
export const MAX_SERIES_PER_DAY = 5000;
/** Maximum series per kind and day that are also recorded in the audit log, which is kept forever. */
export const MAX_AUDITED_PER_DAY = 200;

export interface SecurityEventInput {
  readonly kind: SecurityEventKind;
  /** The reason or subject: one of our own keywords, never user input. */
  readonly detail: string;
  /** The affected user, if known. */
  readonly userId?: number | null;
  /** The client's IP address; only its network is stored. */
  readonly ipAddress?: string | null;
}

const auditTypeByKind = {
  'sign-in-failed': 'security.sign-in-failed',
  'confirmation-failed': 'security.confirmation-failed',
  'locked-out': 'security.locked-out',
  'webhook-refused': 'security.webhook-refused',
  'token-network': 'security.token-network',
  'new-device': 'security.new-device',
} satisfies Record<SecurityEventKind, AuditType>;

/**
 * Records security events: series with counts in `security_events`, the first event of each also in the audit log, and
 * metrics. Storage is bounded whatever attackers send, see `MAX_SERIES_PER_DAY` and `MAX_AUDITED_PER_DAY`.
 */
@Injectable()
export class SecurityEventLogService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly metrics: SecurityMetrics,
  ) {}

  /**
   * Records a rejection outside of the caller's transaction, because the rejection rolls that back. Runs a single
   * statement whether the user is known or not, so that its timing reveals nothing.
   */
  async recordRejection(event: SecurityEventInput): Promise<void> {
    this.metrics.increment(event.kind, event.detail);
    await this.upsertSeries(this.em.fork(), event);
  }

  /** Records an event in the transaction of `em`. */
  async recordEvent(em: EntityManager, event: SecurityEventInput): Promise<void> {
    await this.upsertSeries(em, event);
  }

  /** Counts a rejected API token in the metrics; nothing is stored. */
  countRejectedToken(reason: 'unknown' | 'scope'): void {
    this.metrics.increment('token-refused', reason);
  }

  /**
   * Returns how many events of a kind and detail were recorded since a time, and when the last was.
   * @param detail as recorded
   */
  async countEvents(
    kind: SecurityEventKind,
    detail: string,
    since: Date,
  ): Promise<{ count: number; lastAt: Date | null }> {
    return query<typeof SecurityEventSchema>(this.em)
      .selectFrom('security_events')
      .select([sql<number>`coalesce(sum("count"), 0)::int`.as('count'), sql<Date | null>`max(last_at)`.as('lastAt')])
      .where('kind', '=', kind)
      .where('detail', '=', detail)
      .where('last_at', '>=', since)
      .executeTakeFirstOrThrow();
  }

  /** Deletes a user's events, in the transaction of `em`. */
  async deleteUserEvents(em: EntityManager, userId: number): Promise<void> {
    await query<typeof SecurityEventSchema>(em).deleteFrom('security_events').where('user_id', '=', userId).execute();
  }

  /**
   * Deletes events when the audit log loses its IP addresses, because an event is of little use without its network.
   */
  @OnJob(purgeSecurityEvents)
  async purgeOldEvents(): Promise<void> {
    const days = this.config.retention.ips;
    if (days === 0) return;
    const before = addMilliseconds(this.clock.now(), -days * DAY)
      .toISOString()
      .slice(0, 10);
    for (let deletedCount = BATCH_SIZE; deletedCount === BATCH_SIZE;) {
      const events = query<typeof SecurityEventSchema>(this.em);
      const old = events.selectFrom('security_events').select('id').where('day', '<', before).limit(BATCH_SIZE);
      const deleted = await events.deleteFrom('security_events').where('id', 'in', old).executeTakeFirst();
      deletedCount = Number(deleted.numDeletedRows);
    }
  }

  private async upsertSeries(
    em: EntityManager,
    { kind, detail, userId, ipAddress }: SecurityEventInput,
  ): Promise<void> {
    const now = this.clock.now();
    const day = now.toISOString().slice(0, 10);
    const [person, network] = [userId ?? 0, networkOf(ipAddress).slice(0, 64)];
    const beyond = (count: number) =>
      sql<boolean>`exists (select from security_events where kind = ${kind} and day = ${day}::date offset ${count - 1})`;
    await sql`
      with slot as (
        select exists (
          select from security_events where kind = ${kind} and day = ${day}::date
            and user_id = ${person} and network = ${network} and detail = ${detail}
        ) or not ${beyond(MAX_SERIES_PER_DAY)} as own, ${beyond(MAX_AUDITED_PER_DAY)} as many
      ), series as (
        insert into security_events as e (kind, day, user_id, network, detail, count, first_at, last_at)
        select ${kind}, ${day}::date, case when own then ${person}::bigint else 0 end,
          case when own then ${network} else '' end, case when own then ${detail} else '' end, 1,
          ${now}::timestamptz, ${now}::timestamptz
        from slot
        on conflict (kind, day, user_id, network, detail)
          do update set count = e.count + 1, last_at = greatest(e.last_at, excluded.last_at)
        returning (xmax = 0) as is_new
      )
      insert into audit_log (type, actor_id, subject_id, params, ip_address, created_at)
      select ${auditTypeByKind[kind]}, null, ${userId ?? null}::bigint, ${JSON.stringify({ reason: detail })}::jsonb,
        ${network || null}::varchar, ${now}::timestamptz
      from series, slot where series.is_new and not slot.many
    `.execute(query<typeof SecurityEventSchema | typeof AuditEntrySchema>(em));
  }
}
