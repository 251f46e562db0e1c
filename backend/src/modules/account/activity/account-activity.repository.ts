import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { AuditEntrySchema } from '../../../platform/audit/audit-entry.entity.js';
import { query } from '../../../platform/database/query.js';
import { SecurityEventSchema } from '../../../platform/security-events/security-event.entity.js';
import { visibleAuditTypes, type AccountActivityDto } from './account-activity.dto.js';

const MAX_EVENTS = 20;

type Tables = typeof AuditEntrySchema | typeof SecurityEventSchema;

/** Security-related events of an account, for its user: entries of the audit log and security events. */
@Injectable()
export class AccountActivityRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns the last 20 events, newest first. For actions of an administrator the network is withheld. */
  async findRecentEvents(userId: number): Promise<AccountActivityDto[]> {
    const { rows } = await sql<AccountActivityDto>`
      select id, kind, count, network, at from (
        (select 'a' || id as id, type as kind, 1 as count,
            case when actor_id = subject_id then ip_address end as network, created_at as at
          from audit_log where subject_id = ${userId} and type = any(${[...visibleAuditTypes]}::text[])
          order by audit_log.id desc limit ${MAX_EVENTS})
        union all
        (select 's' || id, kind, count, nullif(network, ''), last_at
          from security_events where user_id = ${userId} order by last_at desc limit ${MAX_EVENTS})
      ) found order by at desc, id desc limit ${MAX_EVENTS}
    `.execute(query<Tables>(this.em));
    return rows.map((row) => ({ ...row, at: new Date(row.at) }));
  }
}
