import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { cursorTuple, type CursorType } from '../../../platform/http/lists/cursor.js';
import type { RowWindow } from '../../../platform/http/lists/list.js';
import { normaliseForSearch } from '../../../platform/text/normalise-for-search.js';
import type { MemberDto, MemberQueryDto, MemberUserDto, ZoneMembersDto } from '../dto/member.dto.js';
import type { ZoneMemberSchema } from '../entities/zone-member.entity.js';
import type { ZoneStatsSchema } from '../entities/zone-stats.entity.js';

type Tables = typeof ZoneMemberSchema | typeof ZoneStatsSchema;

/** A member row, with the sort key for the next page's cursor. */
export interface MemberRow extends Omit<MemberDto, 'user' | 'isExpired'>, Omit<MemberUserDto, 'id'> {
  readonly sortKey: string;
}

/** A zone with its newest members, whose timestamps are text. */
export type ZoneMembersRow = Omit<ZoneMembersDto, 'members'> & {
  members: (MemberDto & { expiresAt: string; createdAt: string })[];
};

type MemberSort = 'email' | 'name' | 'joined';

interface Order {
  readonly sort: MemberSort;
  readonly order: 'asc' | 'desc';
}

interface SortKey {
  readonly column: string;
  readonly type: CursorType;
  /** The sort key of a row with alias `m` as text that converts back without loss. */
  readonly text: RawBuilder<string>;
}

/** Sort keys are copied into memberships, so that sorting needs no join with users. */
const sortKeys: Record<MemberSort, SortKey> = {
  email: { column: 'email', type: 'varchar', text: sql`m.email` },
  name: { column: 'name_key', type: 'varchar', text: sql`m.name_key` },
  joined: {
    column: 'created_at',
    type: 'timestamptz',
    text: sql`to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
  },
};

/** Number of members shown per zone in the overview, those who joined last. */
const MAX_MEMBERS_SHOWN = 8;

/** Reads lists of members: one query per page, whose cost does not grow with the zone. */
@Injectable()
export class MemberListRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns a member, expired or not; null also for the owner. */
  async findMember(zoneId: number, userId: number): Promise<MemberRow | null> {
    const which = sql`k.zone_id = ${zoneId} and k.user_id = ${userId} and k.role <> 'owner'`;
    const [row] = await this.queryRows(which, { sort: 'joined', order: 'asc' }, { limit: 1 });
    return row ?? null;
  }

  /**
   * Returns up to `limit` members of a zone without the owner, filtered and sorted as requested.
   * @throws VALIDATION_FAILED for a cursor that does not belong to the order
   */
  listMembers(zoneId: number, params: MemberQueryDto, limit: number): Promise<MemberRow[]> {
    const order = orderOf(params);
    const position = params.cursor ? sql`and ${afterCursor(params.cursor, order)}` : sql``;
    return this.queryRows(sql`${this.memberCondition(zoneId, params)} ${position}`, order, { limit });
  }

  /** Returns the rows of a window of the list that `listMembers` reads from its beginning. */
  async listWindow(zoneId: number, params: MemberQueryDto, { isReversed, ...rows }: RowWindow): Promise<MemberRow[]> {
    const { sort, order } = orderOf(params);
    const direction = isReversed ? (order === 'asc' ? 'desc' : 'asc') : order;
    const members = await this.queryRows(this.memberCondition(zoneId, params), { sort, order: direction }, rows);
    return isReversed ? members.reverse() : members;
  }

  /**
   * Counts the members that `listMembers` returns. Uses the zone's counter where possible: counting 100,000 rows takes
   * longer than reading a page. The counter still includes members whose membership has just expired.
   */
  async countMembers(zoneId: number, params: MemberQueryDto): Promise<number> {
    if (!params.q && params.state !== 'expired') {
      const { rows } = await sql<{ total: number }>`
        select (s.members - (
          select count(*) from zone_members k
          where k.zone_id = s.zone_id and k.role <> 'owner' and k.is_counted and k.expires_at <= ${this.clock.now()}
        ))::int as total from zone_stats s where s.zone_id = ${zoneId}`.execute(query<Tables>(this.em));
      return rows[0]?.total ?? 0;
    }
    const { rows } = await sql<{ total: number }>`
      select count(*) as total from zone_members k where ${this.memberCondition(zoneId, params)}`.execute(
      query<Tables>(this.em),
    );
    return Number(rows[0]!.total);
  }

  /**
   * Returns zones in which the viewer may see the members, newest first, each with its newest members, in one query.
   * @param before only zones with a smaller id
   */
  async listZonesWithMembers(viewerId: number, before: number, limit: number): Promise<ZoneMembersRow[]> {
    const now = this.clock.now();
    const { rows } = await sql<ZoneMembersRow>`
      select z.id as "zoneId", z.name as "zoneName", z.type, s.members as "memberCount",
        coalesce(newest.members, '[]'::json) as members
      from zone_members mine
      join zones z on z.id = mine.zone_id and z.deleted_at is null
      join users o on o.id = z.owner_id and o.deactivated_at is null
      join zone_stats s on s.zone_id = z.id
      left join lateral (
        select json_agg(json_build_object(
          'id', m.id, 'zoneId', m.zone_id, 'userId', m.user_id, 'role', m.role, 'invitedById', m.invited_by_id,
          'joinMethod', m.join_method, 'expiresAt', m.expires_at, 'isExpired', false, 'isFavorite', m.is_favorite,
          'getsMails', c.id is not null and e.id is null, 'createdAt', m.created_at,
          'user', json_build_object('id', u.id, 'email', u.email, 'firstName', u.first_name, 'lastName', u.last_name,
            'username', u.username, 'profileImageUrl', u.profile_image_url)
          ) order by m.created_at desc, m.id desc) as members
        from (
          select k.* from zone_members k
          where k.zone_id = z.id and k.role <> 'owner' and (k.expires_at is null or k.expires_at > ${now})
          order by k.created_at desc, k.id desc limit ${MAX_MEMBERS_SHOWN}
        ) m
        join users u on u.id = m.user_id
        left join email_consents c on c.zone_id = m.zone_id and c.user_id = m.user_id
        left join email_unsubscribes e on e.zone_id = m.zone_id and e.user_id = m.user_id
      ) newest on true
      where mine.user_id = ${viewerId} and mine.role in ('owner', 'admin')
        and (mine.expires_at is null or mine.expires_at > ${now}) and z.id < ${before}
      order by z.id desc limit ${limit}`.execute(query<Tables>(this.em));
    return rows;
  }

  /** Counts the zones that `listZonesWithMembers` returns. */
  async countZonesWithMembers(viewerId: number): Promise<number> {
    const { rows } = await sql<{ total: number }>`
      select count(*) as total from zone_members mine
      join zones z on z.id = mine.zone_id and z.deleted_at is null
      join users o on o.id = z.owner_id and o.deactivated_at is null
      where mine.user_id = ${viewerId} and mine.role in ('owner', 'admin')
        and (mine.expires_at is null or mine.expires_at > ${this.clock.now()})
    `.execute(query<Tables>(this.em));
    return Number(rows[0]!.total);
  }

  /** Selects the page by an index on memberships alone; only its rows are joined with users and consents. */
  private async queryRows(
    condition: RawBuilder<unknown>,
    { sort, order }: Order,
    { skip = 0, limit }: { skip?: number; limit: number },
  ): Promise<MemberRow[]> {
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
        order by k.${key} ${direction}, k.id ${direction} limit ${limit} offset ${skip}
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
}

const orderOf = ({ sort = 'joined', order = sort === 'joined' ? 'desc' : 'asc' }: MemberQueryDto): Order => ({
  sort,
  order,
});

/**
 * Builds the condition for rows after the cursor, for the alias `k`.
 * @throws VALIDATION_FAILED for a cursor that does not belong to this order
 */
function afterCursor(cursor: string, { sort, order }: Order): RawBuilder<boolean> {
  const { column, type } = sortKeys[sort];
  const side = sql.raw(order === 'asc' ? '>' : '<');
  return sql<boolean>`(k.${sql.ref(column)}, k.id) ${side} ${cursorTuple(cursor, [type, 'bigint'])}`;
}
