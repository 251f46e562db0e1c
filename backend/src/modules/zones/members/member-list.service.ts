import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { LIST_LIMIT, toPage, type Page } from '../../../platform/http/lists/list.js';
import { normaliseForSearch } from '../../../platform/text/normalise-for-search.js';
import type { MemberDto, MemberQueryDto, MemberUserDto } from '../dto/member.dto.js';
import { ZoneMemberSchema } from '../entities/zone-member.entity.js';
import { ZoneStatsSchema } from '../entities/zone-stats.entity.js';
import { zoneErrors } from '../zones.errors.js';
import { cursorTuple, type CursorType } from '../../../platform/http/lists/cursor.js';

type Tables = typeof ZoneMemberSchema | typeof ZoneStatsSchema;

/** A member row, with the sort key for the next page's cursor. */
export interface MemberRow extends Omit<MemberDto, 'user' | 'isExpired'>, Omit<MemberUserDto, 'id'> {
  readonly sortKey: string;
}

interface Order {
  readonly sort: MemberSort;
  readonly order: 'asc' | 'desc';
}

/** Lists members: one query per page, whose cost does not grow with the zone. */
@Injectable()
export class MemberListService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Lists the members of a zone without the owner, filtered and sorted as requested. */
  async listMembers(zoneId: number, params: MemberQueryDto): Promise<Page<MemberDto>> {
    const { limit = LIST_LIMIT } = params;
    const rows = await this.fetchRows(zoneId, params, limit + 1);
    const page = toPage(rows, limit, await this.countMembers(zoneId, params), ({ sortKey, id }) => [sortKey, id]);
    return { ...page, items: page.items.map((row) => this.toDto(row)) };
  }

  /**
   * Returns a member, expired or not.
   * @throws MEMBER_NOT_FOUND also for the owner
   */
  async findOne(zoneId: number, userId: number): Promise<MemberDto> {
    const which = sql`k.zone_id = ${zoneId} and k.user_id = ${userId} and k.role <> 'owner'`;
    const [row] = await this.queryRows(which, { sort: 'joined', order: 'asc' }, 1);
    if (!row) throw zoneErrors.MEMBER_NOT_FOUND();
    return this.toDto(row);
  }

  /** Fetches up to `limit` rows, for lists and exports. */
  fetchRows(zoneId: number, params: MemberQueryDto, limit: number): Promise<MemberRow[]> {
    const { sort = 'joined', order = sort === 'joined' ? 'desc' : 'asc', cursor } = params;
    const position = cursor ? sql`and ${afterCursor(cursor, sort, order)}` : sql``;
    return this.queryRows(sql`${this.memberCondition(zoneId, params)} ${position}`, { sort, order }, limit);
  }

  /** Selects the page by an index on memberships alone; only its rows are joined with users and consents. */
  private async queryRows(condition: RawBuilder<unknown>, { sort, order }: Order, limit: number): Promise<MemberRow[]> {
    const direction = sql.raw(order);
    const key = sql.ref(sortKeys[sort].column);
    const { rows } = await sql<MemberRow>`
      select m.id, m.zone_id as "zoneId", m.user_id as "userId", m.role, m.invited_by_id as "invitedById",
        m.join_method as "joinMethod", m.expires_at as "expiresAt", m.is_favorite as "isFavorite",
        m.created_at as "createdAt", ${sortKeys[sort].text} as "sortKey",
        c.id is not null and e.id is null as "getsMails",
        u.email, u.first_name as "firstName", u.last_name as "lastName", u.username,
        u.profile_image_url as "profileImageUrl"
      from (
        select k.* from zone_members k where ${condition}
        order by k.${key} ${direction}, k.id ${direction} limit ${limit}
      ) m
      join users u on u.id = m.user_id
      left join email_consents c on c.zone_id = m.zone_id and c.user_id = m.user_id
      left join email_unsubscribes e on e.zone_id = m.zone_id and e.user_id = m.user_id
      order by m.${key} ${direction}, m.id ${direction}`.execute(query<Tables>(this.em));
    return rows;
  }

  private memberCondition(zoneId: number, { q, state = 'active' }: MemberQueryDto): RawBuilder<unknown> {
    const now = this.clock.now();
    const when =
      state === 'active' ? sql`(k.expires_at is null or k.expires_at > ${now})` : sql`k.expires_at <= ${now}`;
    const words = normaliseForSearch(q ?? '')
      .split(/\s+/)
      .filter(Boolean)
      .map((word) => sql` and k.search_key like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`);
    return sql`k.zone_id = ${zoneId} and k.role <> 'owner' and ${when} ${sql.join(words, sql``)}`;
  }

  /** Uses the zone's counter where possible; counting 100,000 rows would take longer than reading a page. */
  private async countMembers(zoneId: number, params: MemberQueryDto): Promise<number> {
    if (!params.q && params.state !== 'expired') {
      const stats = await query<Tables>(this.em)
        .selectFrom('zone_stats')
        .select('members')
        .where('zone_id', '=', zoneId)
        .executeTakeFirst();
      return stats?.members ?? 0;
    }
    const { rows } = await sql<{ total: number }>`
      select count(*) as total from zone_members k where ${this.memberCondition(zoneId, params)}`.execute(
      query<Tables>(this.em),
    );
    return Number(rows[0]!.total);
  }

  private toDto({
    sortKey: _,
    email,
    firstName,
    lastName,
    username,
    profileImageUrl,
    ...member
  }: MemberRow): MemberDto {
    const isExpired = member.expiresAt !== null && member.expiresAt <= this.clock.now();
    const user = { id: member.userId, email, firstName, lastName, username, profileImageUrl };
    return { ...member, isExpired, user };
  }
}

export type MemberSort = 'email' | 'name' | 'joined';

interface SortKey {
  readonly column: string;
  readonly type: CursorType;
  /** The sort key of a row with alias `m` as text that converts back without loss. */
  readonly text: RawBuilder<string>;
}

/** Sort keys are copied into memberships, so that sorting needs no join with users. */
export const sortKeys: Record<MemberSort, SortKey> = {
  email: { column: 'email', type: 'varchar', text: sql`m.email` },
  name: { column: 'name_key', type: 'varchar', text: sql`m.name_key` },
  joined: {
    column: 'created_at',
    type: 'timestamptz',
    text: sql`to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
  },
};

/**
 * Builds the condition for rows after the cursor, for the alias `k`.
 * @throws VALIDATION_FAILED for a cursor that does not belong to this order
 */
export function afterCursor(cursor: string, sort: MemberSort, order: 'asc' | 'desc'): RawBuilder<boolean> {
  const { column, type } = sortKeys[sort];
  const side = sql.raw(order === 'asc' ? '>' : '<');
  return sql<boolean>`(k.${sql.ref(column)}, k.id) ${side} ${cursorTuple(cursor, [type, 'bigint'])}`;
}
