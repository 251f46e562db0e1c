import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { isVisibleFileSql } from '../../zones/access/visible-files.sql.js';
import type { ZoneMemberSchema } from '../../zones/entities/zone-member.entity.js';
import type { HomeZoneDto } from './home.dto.js';

export interface HomeZoneRow extends Omit<HomeZoneDto, 'owner'> {
  readonly ownerFirstName: string | null;
  readonly ownerLastName: string | null;
  readonly ownerImage: string | null;
}

/** The zones of the home page. */
@Injectable()
export class HomeRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns up to `limit` zones that the user is an active member of, those with the newest files first. Files that the
   * user uploaded themselves don't count as new. New files are counted only for the zones returned.
   * @param maxNewFiles the highest count of new files per zone
   */
  async findZones(userId: number, limit: number, maxNewFiles: number): Promise<HomeZoneRow[]> {
    const { rows } = await sql<HomeZoneRow>`
      with shown as (
        select z.id, z.name, z.description, m.role, m.expires_at, coalesce(m.visited_at, m.created_at) as seen_at,
          l.created_at as last_file_at, o.first_name, o.last_name, o.profile_image_url
        from zone_members m join zones z on z.id = m.zone_id and z.deleted_at is null
        join users o on o.id = z.owner_id and o.deactivated_at is null
        left join lateral (
          select f.created_at from files f where f.zone_id = z.id and f.trashed_at is null
            and ${isVisibleFileSql('f', userId)}
          order by f.created_at desc, f.id desc limit 1
        ) l on true
        where m.user_id = ${userId} and m.role <> 'owner'
          and (m.expires_at is null or m.expires_at > ${this.clock.now()})
        order by l.created_at desc nulls last, z.id desc limit ${limit}
      )
      select s.id, s.name, s.description, s.role as "memberRole", s.expires_at as "memberExpiresAt",
        s.last_file_at as "lastFileAt", n.count as "newFiles", s.first_name as "ownerFirstName",
        s.last_name as "ownerLastName", s.profile_image_url as "ownerImage"
      from shown s cross join lateral (
        select count(*) filter (where f.uploaded_by_id is distinct from ${userId})::int as count from (
          select f.uploaded_by_id from files f
          where f.zone_id = s.id and f.trashed_at is null and f.created_at > s.seen_at
            and ${isVisibleFileSql('f', userId)}
          order by f.created_at desc, f.id desc limit ${maxNewFiles}
        ) f
      ) n order by s.last_file_at desc nulls last, s.id desc`.execute(query<typeof ZoneMemberSchema>(this.em));
    return rows;
  }
}
