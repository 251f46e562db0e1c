import { isIP } from 'node:net';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, DAY } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import { adminPage } from '../../../platform/http/lists/admin-page.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { SecurityEventSchema } from '../../../platform/trail/security-event.entity.js';
import type { SecurityKind } from '../../../platform/trail/security-kinds.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import type { SecurityDayDto, SecurityEventDto, SecurityQueryDto } from '../dto/admin-lists.dto.js';
import { peopleLike } from '../people-search.js';

type Tables = typeof SecurityEventSchema | typeof UserSchema;

/** Days that are shown. */
const DAYS = 30;

const sorting = { fields: { lastAt: 'e.last_at', firstAt: 'e.first_at', count: 'e.count' }, id: 'e.id' };

/** What happened at the doors of the installation, for reading. */
@Injectable()
export class SecurityEvents {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** One page, the latest first; `q` is a part of a person's name or address, or the address of a client. */
  page(asked: SecurityQueryDto): Promise<AdminPage<SecurityEventDto>> {
    const rows = query<Tables>(this.em)
      .selectFrom('security_events as e')
      .leftJoin('users as u', 'u.id', 'e.user_id')
      .select(['e.id as id', 'e.kind as kind', 'e.detail as detail', 'e.count as count', 'u.email as userEmail'])
      .select(['e.first_at as firstAt', 'e.last_at as lastAt'])
      .select([
        sql<number | null>`nullif(e.user_id, 0)`.as('userId'),
        sql<string | null>`nullif(e.network, '')`.as('network'),
      ]);
    return adminPage(asked, sorting, { matching: this.matching(asked), rows, shown: (row) => row });
  }

  /** The last thirty days (UTC), today last; days without anything are there too. */
  async days(): Promise<SecurityDayDto[]> {
    const today = this.clock.now();
    const days = Array.from({ length: DAYS }, (_, at) => dayOf(after(today, (at - DAYS + 1) * DAY)));
    const rows = await query<Tables>(this.em)
      .selectFrom('security_events')
      .select([sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'), 'kind', sql<number>`sum(count)::int`.as('count')])
      .where('day', '>=', days[0]!)
      .groupBy(['day', 'kind'])
      .execute();
    const found = new Map(rows.map((row) => [`${row.day} ${row.kind}`, row.count]));
    const of = (day: string, kind: SecurityKind) => found.get(`${day} ${kind}`) ?? 0;
    return days.map((day) => ({
      day,
      failedSignIns: of(day, 'sign-in-failed'),
      lockOuts: of(day, 'locked-out'),
      refusedWebhooks: of(day, 'webhook-refused'),
      newDevices: of(day, 'new-device'),
    }));
  }

  private matching({ kind, q = '' }: SecurityQueryDto) {
    let rows = query<Tables>(this.em).selectFrom('security_events as e');
    if (kind) rows = rows.where('e.kind', '=', kind);
    const wanted = q.trim();
    if (!wanted) return rows;
    const address = wanted.replace(/\/64$/, '');
    if (isIP(address)) return rows.where('e.network', '=', networkOf(address));
    return rows.where('e.user_id', 'in', peopleLike(wanted));
  }
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10);
