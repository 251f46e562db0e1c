import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { AuditEntrySchema } from '../../../platform/audit/audit-entry.entity.js';
import type { AuditType } from '../../../platform/audit/audit-types.js';
import { query } from '../../../platform/database/query.js';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import { loadAdminPage, streamNewestFirst } from '../../../platform/http/lists/admin-page.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import type { AuditEntryDto } from '../dto/admin-lists.dto.js';
import type { LogQueryDto } from '../dto/list-query.dto.js';
import { matchingUserIds } from '../user-search.sql.js';

type Tables = typeof AuditEntrySchema | typeof UserSchema;
type Filters = Pick<LogQueryDto, 'q' | 'type' | 'from' | 'to' | 'userId'>;

const sorting = { fields: { createdAt: 'l.created_at' }, id: 'l.id' };

/** Read access to the audit log. The database itself rejects changes to it. */
@Injectable()
export class AuditLogRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns one page, newest first; `q` and `userId` match both the actor and the subject. */
  findPage(dto: LogQueryDto): Promise<AdminPage<AuditEntryDto>> {
    const [matching, rows] = [this.filterEntries(dto), this.selectRows({})];
    return loadAdminPage(dto, sorting, { filtered: matching, rows, toRow: (row) => row });
  }

  findEntry(id: number): Promise<AuditEntryDto | undefined> {
    return this.selectRows({}).where('l.id', '=', id).executeTakeFirst();
  }

  /** Streams all matching entries, newest first. */
  streamAll(filters: Filters): AsyncGenerator<AuditEntryDto> {
    return streamNewestFirst(this.selectRows(filters), 'l.id', (row) => row);
  }

  /** Returns each recorded type once. Skips through the index, so the cost does not depend on the length of the log. */
  async findTypes(): Promise<string[]> {
    const { rows } = await sql<{ type: string }>`
      with recursive kinds as (
        (select type from audit_log order by type limit 1)
        union all
        select (select l.type from audit_log l where l.type > k.type order by l.type limit 1)
        from kinds k where k.type is not null
      )
      select type from kinds where type is not null`.execute(query<Tables>(this.em));
    return rows.map(({ type }) => type);
  }

  private selectRows(filters: Filters) {
    return this.filterEntries(filters)
      .leftJoin('users as a', 'a.id', 'l.actor_id')
      .leftJoin('users as s', 's.id', 'l.subject_id')
      .select(['l.id as id', 'l.type as type', 'l.params as params', 'l.ip_address as ipAddress'])
      .select(['l.actor_id as actorId', 'a.email as actorEmail', 'l.created_at as createdAt'])
      .select(['l.subject_id as subjectId', 's.email as subjectEmail']);
  }

  private filterEntries({ q, type, from, to, userId }: Filters) {
    let rows = query<Tables>(this.em).selectFrom('audit_log as l');
    if (type) rows = rows.where('l.type', '=', type as AuditType);
    if (from) rows = rows.where('l.created_at', '>=', from);
    if (to) rows = rows.where('l.created_at', '<', to);
    if (userId) rows = rows.where((or) => or.or([or('l.actor_id', '=', userId), or('l.subject_id', '=', userId)]));
    if (!q?.trim()) return rows;
    // A union, because there is one index per column.
    return rows.where(
      sql<boolean>`l.id in (
        select did.id from audit_log did where did.actor_id in ${matchingUserIds(q)}
        union select had.id from audit_log had where had.subject_id in ${matchingUserIds(q)})`,
    );
  }
}
