import { isIP } from 'node:net';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import { loadAdminPage } from '../../../platform/http/lists/admin-page.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { SecurityEventSchema } from '../../../platform/security-events/security-event.entity.js';
import type { SecurityEventKind } from '../../../platform/security-events/security-event-kinds.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import type { SecurityDayDto, SecurityEventDto, SecurityQueryDto } from '../dto/admin-lists.dto.js';
import { matchingUserIds } from '../user-search.js';

type Tables = typeof SecurityEventSchema | typeof UserSchema;

const DAYS_SHOWN = 30;

const sorting = { fields: { lastAt: 'e.last_at', firstAt: 'e.first_at', count: 'e.count' }, id: 'e.id' };

/** Read access to the installation's security events. */
@Injectable()
export class SecurityEventListService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns one page, latest first; `q` is part of a user's name or address, or a client's IP address. */
  listPage(dto: SecurityQueryDto): Promise<AdminPage<SecurityEventDto>> {
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

  /** Returns counts of the last 30 days (UTC), today last, including days without events. */
  async countByDay(): Promise<SecurityDayDto[]> {
    const today = this.clock.now();
    const days = Array.from({ length: DAYS_SHOWN }, (_, index) =>
      toDay(addMilliseconds(today, (index - DAYS_SHOWN + 1) * DAY)),
    );
    const rows = await query<Tables>(this.em)
      .selectFrom('security_events')
      .select([sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'), 'kind', sql<number>`sum(count)::int`.as('count')])
      .where('day', '>=', days[0]!)
      .groupBy(['day', 'kind'])
      .execute();
    const found = new Map(rows.map((row) => [`${row.day} ${row.kind}`, row.count]));
    const countOf = (day: string, kind: SecurityEventKind) => found.get(`${day} ${kind}`) ?? 0;
    return days.map((day) => ({
      day,
      failedSignIns: countOf(day, 'sign-in-failed'),
      lockOuts: countOf(day, 'locked-out'),
      refusedWebhooks: countOf(day, 'webhook-refused'),
      newDevices: countOf(day, 'new-device'),
    }));
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

const toDay = (at: Date) => at.toISOString().slice(0, 10);
