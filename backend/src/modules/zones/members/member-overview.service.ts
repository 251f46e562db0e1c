import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { decodeCursor } from '../../../platform/http/lists/cursor.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import type { MemberDto, ZoneMembersDto } from '../dto/member.dto.js';
import { ZoneMemberSchema } from '../entities/zone-member.entity.js';

/** Number of members shown per zone, those who joined last. */
const MAX_MEMBERS_SHOWN = 8;

type Row = Omit<ZoneMembersDto, 'members'> & { members: (MemberDto & { expiresAt: string; createdAt: string })[] };

/** Provides an overview of members across all zones in which the viewer may see them. */
@Injectable()
export class MemberOverviewService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Lists zones, newest first, each with its newest members, in one query. */
  async listZones(viewerId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<ZoneMembersDto>> {
    const rows = await this.fetchRows(
      viewerId,
      cursor ? decodeCursor(cursor, ['bigint'])[0] : Number.MAX_SAFE_INTEGER,
      limit + 1,
    );
    const total = await this.countZones(viewerId);
    const page = toPage(rows, limit, total, ({ zoneId }) => [zoneId]);
    return { ...page, items: page.items.map(withDates) };
  }

  private async fetchRows(viewerId: number, before: number, limit: number): Promise<Row[]> {
    const now = this.clock.now();
    const { rows } = await sql<Row>`
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
      order by z.id desc limit ${limit}`.execute(query<typeof ZoneMemberSchema>(this.em));
    return rows;
  }

  private async countZones(viewerId: number): Promise<number> {
    const { rows } = await sql<{ total: number }>`
      select count(*) as total from zone_members mine
      join zones z on z.id = mine.zone_id and z.deleted_at is null
      join users o on o.id = z.owner_id and o.deactivated_at is null
      where mine.user_id = ${viewerId} and mine.role in ('owner', 'admin')
        and (mine.expires_at is null or mine.expires_at > ${this.clock.now()})
    `.execute(query<typeof ZoneMemberSchema>(this.em));
    return Number(rows[0]!.total);
  }
}

/** Converts the timestamps, which JSON returns as text. */
function withDates(row: Row): ZoneMembersDto {
  const members = row.members.map((member) => ({
    ...member,
    createdAt: new Date(member.createdAt),
    expiresAt: member.expiresAt === null ? null : new Date(member.expiresAt),
  }));
  return { ...row, members };
}
