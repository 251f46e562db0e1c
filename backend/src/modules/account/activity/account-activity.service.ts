import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { AuditEntrySchema } from '../../../platform/audit/audit-entry.entity.js';
import { query } from '../../../platform/database/query.js';
import { SecurityEventSchema } from '../../../platform/trail/security-event.entity.js';
import { shownAudit, type AccountActivityDto } from './account-activity.dto.js';

/** So many are shown. */
const SHOWN = 20;

type Tables = typeof AuditEntrySchema | typeof SecurityEventSchema;

/** What concerned the security of an account, for its person. */
@Injectable()
export class AccountActivity {
  constructor(private readonly em: EntityManager) {}

  /** The last twenty, the latest first. Where an administrator did something, from where stays theirs. */
  async last(userId: number): Promise<AccountActivityDto[]> {
    const { rows } = await sql<AccountActivityDto>`
      select id, kind, count, network, at from (
        (select 'a' || id as id, type as kind, 1 as count,
            case when actor_id = subject_id then ip_address end as network, created_at as at
          from audit_log where subject_id = ${userId} and type = any(${[...shownAudit]}::text[])
          order by audit_log.id desc limit ${SHOWN})
        union all
        (select 's' || id, kind, count, nullif(network, ''), last_at
          from security_events where user_id = ${userId} order by last_at desc limit ${SHOWN})
      ) found order by at desc, id desc limit ${SHOWN}
    `.execute(query<Tables>(this.em));
    return rows.map((row) => ({ ...row, at: new Date(row.at) }));
  }
}
