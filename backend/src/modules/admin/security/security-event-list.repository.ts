import { isIP } from 'node:net';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import { loadAdminPage } from '../../../platform/http/lists/admin-page.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import type { SecurityEventSchema } from '../../../platform/security-events/security-event.entity.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import type { SecurityEventDto, SecurityQueryDto } from '../dto/admin-lists.dto.js';
import { matchingUserIds } from '../user-search.sql.js';

type Tables = typeof SecurityEventSchema | typeof UserSchema;

const sorting = { fields: { lastAt: 'e.last_at', firstAt: 'e.first_at', count: 'e.count' }, id: 'e.id' };

/** Read access to the installation's security events. */
@Injectable()
export class SecurityEventListRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns one page, latest first; `q` is part of a user's name or address, or a client's IP address. */
  findPage(dto: SecurityQueryDto): Promise<AdminPage<SecurityEventDto>> {
    const rows = query<Tables>(this.em)
      .selectFrom('security_events as e')
      .leftJoin('users as u', 'u.id', 'e.user_id')
      .select(['e.id as id', 'e.kind as kind', 'e.detail as detail', 'e.count as count', 'u.email as userEmail'])
      .select(['e.first_at as firstAt', 'e.last_at as lastAt'])
      .select([
        sql<number | null>`nullif(e.user_id, 0)`.as('userId'),
        sql<string | null>`nullif(e.network, '')`.as('network'),
      ]);
    return loadAdminPage(dto, sorting, { filtered: this.filterEvents(dto), rows, toRow: (row) => row });
  }

  /**
   * Counts the events by day and kind; days without events are left out.
   * @param since the first day, "2026-11-22", UTC
   */
  countByDay(since: string) {
    return query<Tables>(this.em)
      .selectFrom('security_events')
      .select([sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'), 'kind', sql<number>`sum(count)::int`.as('count')])
      .where('day', '>=', since)
      .groupBy(['day', 'kind'])
      .execute();
  }

  private filterEvents({ kind, q = '' }: SecurityQueryDto) {
    let rows = query<Tables>(this.em).selectFrom('security_events as e');
    if (kind) rows = rows.where('e.kind', '=', kind);
    const requested = q.trim();
    if (!requested) return rows;
    const address = requested.replace(/\/64$/, '');
    if (isIP(address)) return rows.where('e.network', '=', networkOf(address));
    return rows.where('e.user_id', 'in', matchingUserIds(requested));
  }
}
