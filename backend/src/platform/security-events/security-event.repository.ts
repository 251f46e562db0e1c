import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { AuditEntrySchema } from '../audit/audit-entry.entity.js';
import type { AuditType } from '../audit/audit-types.js';
import { query } from '../database/query.js';
import type { SecurityEventSchema } from './security-event.entity.js';
import type { SecurityEventKind } from './security-event-kinds.js';

/** Maximum series per kind and day; further events are counted in a single row without user and network. */
export const MAX_SERIES_PER_DAY = 5000;
/** Maximum series per kind and day that are also recorded in the audit log, which is kept forever. */
export const MAX_AUDITED_PER_DAY = 200;

interface NewSecurityEvent {
  readonly kind: SecurityEventKind;
  readonly detail: string;
  /** The affected user; null for none or unknown. */
  readonly userId: number | null;
  /** Empty when unknown. */
  readonly network: string;
  readonly at: Date;
  /** Type of the audit entry of a new series. */
  readonly auditType: AuditType;
}

/** Security events: series with counts. The first event of a series is recorded in the audit log, too. */
@Injectable()
export class SecurityEventRepository {
  constructor(private readonly em: EntityManager) {}

  /**
   * Counts an event in its series, with an audit entry for a new series. A single statement whether the user is known
   * or not, so that its timing reveals nothing.
   */
  async upsertSeries(
    em: EntityManager,
    { kind, detail, userId, network, at, auditType }: NewSecurityEvent,
  ): Promise<void> {
    const day = at.toISOString().slice(0, 10);
    const person = userId ?? 0;
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
          ${at}::timestamptz, ${at}::timestamptz
        from slot
        on conflict (kind, day, user_id, network, detail)
          do update set count = e.count + 1, last_at = greatest(e.last_at, excluded.last_at)
        returning (xmax = 0) as is_new
      )
      insert into audit_log (type, actor_id, subject_id, params, ip_address, created_at)
      select ${auditType}, null, ${userId}::bigint, ${JSON.stringify({ reason: detail })}::jsonb,
        ${network || null}::varchar, ${at}::timestamptz
      from series, slot where series.is_new and not slot.many
    `.execute(query<typeof SecurityEventSchema | typeof AuditEntrySchema>(em));
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

  /**
   * Deletes up to `limit` events of the days before `day`.
   * @param day as YYYY-MM-DD
   * @returns the number of deleted rows
   */
  async deleteEventsBefore(day: string, limit: number): Promise<number> {
    const events = query<typeof SecurityEventSchema>(this.em);
    const old = events.selectFrom('security_events').select('id').where('day', '<', day).limit(limit);
    const deleted = await events.deleteFrom('security_events').where('id', 'in', old).executeTakeFirst();
    return Number(deleted.numDeletedRows);
  }
}
