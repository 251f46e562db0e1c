import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../platform/database/query.js';
import type { LinkFunnelDto } from './dto/link-funnel.dto.js';

/** Counts how far people get who joined by a link. The caller must have checked that the viewer may see it. */
@Injectable()
export class LinkFunnelRepository {
  constructor(private readonly em: EntityManager) {}

  /**
   * Returns null if the zone has no such link.
   * @param linkId null for the public link
   */
  async findFunnel(zoneId: number, linkId: number | null): Promise<LinkFunnelDto | null> {
    const isLink = linkId === null ? sql`link_id is null` : sql`link_id = ${linkId}`;
    const { rows } = await sql<LinkFunnelDto>`
      with joined as (
        select user_id, min(joined_at) as joined_at from link_usages
        where zone_id = ${zoneId} and ${isLink} and joined_at is not null and user_id is not null group by user_id
      ), opened as (
        select o.user_id, sum(o.downloads) as downloads
        from joined j join file_openings o on o.user_id = j.user_id and o.last_at >= j.joined_at
        join files f on f.id = o.file_id and f.zone_id = ${zoneId}
        group by o.user_id
      ), read as (
        select distinct r.user_id
        from joined j join file_readers r on r.user_id = j.user_id and r.last_at >= j.joined_at
        where r.zone_id = ${zoneId} and r.pages_read > 0
      )
      select count(*)::int as joined, count(o.user_id)::int as opened, count(r.user_id)::int as read,
        count(*) filter (where o.downloads > 0)::int as downloaded
      from joined j left join opened o on o.user_id = j.user_id left join read r on r.user_id = j.user_id
      having ${linkId}::bigint is null
        or exists (select from temporary_links where id = ${linkId}::bigint and zone_id = ${zoneId})`.execute(
      query(this.em),
    );
    return rows[0] ?? null;
  }
}
