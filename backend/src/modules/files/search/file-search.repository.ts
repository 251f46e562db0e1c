import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { containsPattern, searchPattern } from '../../../platform/http/lists/admin-list.js';
import { cursorTuple } from '../../../platform/http/lists/cursor.js';
import { normaliseForSearch, normaliseForSearchSql } from '../../../platform/text/normalise-for-search.js';
import { isVisibleFileSql } from '../../zones/access/visible-files.sql.js';
import type { ZoneRole } from '../../zones/entities/zone-member.entity.js';
import { MAX_DEPTH } from '../access/file.policy.js';
import type { FileDocumentSchema, FilePageTextSchema } from '../entities/document.entity.js';
import type { FileSchema } from '../entities/file.entity.js';
import { TEXT_TYPES } from '../shared/document-types.js';

type Tables = typeof FileSchema | typeof FileDocumentSchema | typeof FilePageTextSchema;

/** Sort order: folders before files of the same name. */
const FOLDER_KIND = 0;
export const FILE_KIND = 1;

/** A search hit and where the viewer sees it. */
export interface SearchHit {
  readonly kind: typeof FOLDER_KIND | typeof FILE_KIND;
  readonly id: number;
  readonly name: string;
  /** The folder that actually contains the item; null at the root. */
  readonly placeId: number | null;
  readonly zoneId: number;
  readonly zoneName: string;
  readonly role: ZoneRole;
  readonly mountId: number | null;
  readonly mountName: string | null;
  readonly sourceId: number | null;
}

/** A document with a page that contains the phrase. */
export interface TextHit extends SearchHit {
  readonly page: number;
  /** The number of pages with the phrase. */
  readonly pages: string;
  readonly text: string;
}

/** Searches what a user can access: all zones, or one, with the folders that mirrors show in them. */
@Injectable()
export class FileSearchRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns up to `limit` files and folders whose names contain all words, ordered by name, each with the total. An item
   * that is visible in several zones is returned once: in its own zone if the viewer is a member of it, otherwise
   * through a mirror.
   * @param zoneId search only this zone and its mirrors; null for all of the viewer's zones
   * @throws VALIDATION_FAILED for an invalid cursor
   */
  async searchByName(
    userId: number,
    zoneId: number | null,
    { q, limit, cursor }: { q: string; limit: number; cursor?: string | undefined },
  ): Promise<(SearchHit & { total: number })[]> {
    const after = cursor
      ? sql`(n.name, n.kind, n.id) > ${cursorTuple(cursor, ['varchar', 'bigint', 'bigint'])}`
      : sql`true`;
    const { rows } = await sql<SearchHit & { total: number }>`
      with recursive ${reachableZonesSql(userId, zoneId, this.clock.now())}, ${mirroredFoldersSql}, ${matchesSql(q, userId)}, named as (
        select h.*, f.original_name as name, f.folder_id as place_id from found h join files f on f.id = h.id
        where h.kind = ${sql.lit(FILE_KIND)}
        union all
        select h.*, f.name, f.parent_id from found h join folders f on f.id = h.id where h.kind = ${sql.lit(FOLDER_KIND)}
      )
      select n.kind, n.id, n.name, n.place_id as "placeId", n.seen_zone_id as "zoneId", z.name as "zoneName", z.role,
        n.mount_id as "mountId", t.name as "mountName", r.source_folder_id as "sourceId",
        (select count(*) from found) as total
      from (select * from named n where ${after} order by name, kind, id limit ${limit}) n
      join reach z on z.zone_id = n.seen_zone_id
      left join folder_mirrors r on r.target_folder_id = n.mount_id left join folders t on t.id = n.mount_id
      order by n.name, n.kind, n.id`.execute(query<Tables>(this.em));
    return rows;
  }

  /**
   * Returns up to `limit` documents with a page that contains the phrase, last changed first. Leaves out those whose
   * text the viewer may not read. If nothing matches, returns one row without a document that says whether everything
   * was searched.
   * @param phrase as `normaliseQuery` returns it
   * @param maxPages maximum number of pages scanned
   */
  async searchTexts(userId: number, zoneId: number | null, phrase: string, limit: number, maxPages: number) {
    const { rows } = await sql<(TextHit | { id: null }) & { isWhole: boolean; isReading: boolean }>`
      with recursive ${reachableZonesSql(userId, zoneId, this.clock.now())}, ${mirroredFoldersSql}, sights as (
        select f.id, f.zone_id as seen_zone_id, null::bigint as mount_id
        from reach join files f on f.zone_id = reach.zone_id and f.trashed_at is null
        where (f.allow_download or f.allow_text or reach.role in ('owner', 'admin')) and ${isVisibleFileSql('f', userId)}
        union all
        select f.id, m.seen_zone_id, m.mount_id
        from mounted m join reach on reach.zone_id = m.seen_zone_id cross join lateral (
          select f.id, f.allow_download, f.allow_text from files f
          where f.zone_id = m.zone_id and coalesce(f.folder_id, 0) = m.id and f.trashed_at is null
            and ${isVisibleFileSql('f', userId)} offset 0
        ) f
        where f.allow_download or f.allow_text or reach.role = 'owner'
      ), once as (
        select distinct on (id) * from sights order by id, mount_id is not null, seen_zone_id, mount_id
      ), documents as materialized (
        select o.*, f.original_name as name, f.folder_id as place_id, f.updated_at,
          sum(d.page_count) over (order by f.updated_at desc, f.id desc) as through
        from once o join files f on f.id = o.id
        join file_documents d on d.file_id = o.id and d.content_key = f.object_key and d.page_count > 0
        where f.mime_type not like 'image/%'
      ), unread as (
        select exists (
          select from once o join files f on f.id = o.id left join file_documents d on d.file_id = f.id
          where f.mime_type = any(${TEXT_TYPES}::text[]) and f.size > 0 and d.failure is null
            and (d.file_id is null or d.content_key <> f.object_key or d.texts <> 'ready')
        ) as is_reading
      ), held as (
        select d.id, d.name, d.place_id, d.seen_zone_id, d.mount_id, d.updated_at, t.page, t.pages, t.text
        from (select * from documents where through <= ${maxPages} order by updated_at desc, id desc offset 0) d
        cross join lateral (
          select page, text, count(*) over () as pages from file_page_texts
          where file_id = d.id and search_text like ${normaliseForSearchSql(containsPattern(phrase))} order by page limit 1
        ) t limit ${limit}
      )
      select ${sql.lit(FILE_KIND)} as kind, h.id, h.name, h.place_id as "placeId", h.seen_zone_id as "zoneId", z.name as "zoneName",
        z.role, h.mount_id as "mountId", t.name as "mountName", r.source_folder_id as "sourceId", h.page, h.pages, h.text,
        w.is_whole as "isWhole", unread.is_reading as "isReading"
      from (select coalesce(max(through), 0) <= ${maxPages} as is_whole from documents) w cross join unread
      left join held h on true left join reach z on z.zone_id = h.seen_zone_id
      left join folder_mirrors r on r.target_folder_id = h.mount_id left join folders t on t.id = h.mount_id
      order by h.updated_at desc, h.id desc`.execute(query<Tables>(this.em));
    return rows;
  }
}

/**
 * CTE `reach`: the zones that the viewer can access.
 * @param zoneId only this zone; null for all
 */
function reachableZonesSql(userId: number, zoneId: number | null, now: Date): RawBuilder<unknown> {
  return sql`reach as materialized (
    select z.id as zone_id, z.name, m.role from zone_members m
    join zones z on z.id = m.zone_id and z.deleted_at is null
    join users o on o.id = z.owner_id and o.deactivated_at is null
    where m.user_id = ${userId} and (m.expires_at is null or m.expires_at > ${now})
      and (${zoneId}::bigint is null or z.id = ${zoneId}::bigint)
  )`;
}

/**
 * CTE `mounted`: the folders that mirrors show in the zones of `reach`. The lateral joins keep the planner from reading
 * the folders of all zones; mirrors usually show few of them.
 */
const mirroredFoldersSql = sql`mounted as (
  select r.target_zone_id as seen_zone_id, r.target_folder_id as mount_id, s.id, s.zone_id, 1 as level
  from reach join folder_mirrors r on r.target_zone_id = reach.zone_id and r.is_active
  join folders t on t.id = r.target_folder_id and t.trashed_at is null
  join folders s on s.id = r.source_folder_id and s.trashed_at is null
  join zones x on x.id = s.zone_id and x.deleted_at is null
  union all
  select m.seen_zone_id, m.mount_id, f.id, m.zone_id, m.level + 1 from mounted m
  cross join lateral (select id from folders where parent_id = m.id and trashed_at is null offset 0) f
  where m.level < ${sql.lit(MAX_DEPTH)}
)`;

/** Uses a union of a zone's own items and mirrored items, because a condition with OR could not use an index. */
function matchesSql(q: string, userId: number): RawBuilder<unknown> {
  const words = normaliseForSearch(q).split(/\s+/).filter(Boolean);
  const nameMatchesSql = sql.join(
    words.map((word) => sql`f.search_key like ${searchPattern(word)}`),
    sql` and `,
  );
  const hiddenMirrorsSql = sql`select 1 from folder_mirrors r join folders s on s.id = r.source_folder_id
    join zones x on x.id = s.zone_id
    where r.target_folder_id = f.id and (not r.is_active or s.trashed_at is not null or x.deleted_at is not null)`;
  return sql`hits as (
    select ${sql.lit(FILE_KIND)} as kind, f.id, f.zone_id as seen_zone_id, null::bigint as mount_id
    from reach join files f on f.zone_id = reach.zone_id and f.trashed_at is null and ${nameMatchesSql}
    where ${isVisibleFileSql('f', userId)}
    union all
    select ${sql.lit(FOLDER_KIND)}, f.id, f.zone_id, null
    from reach join folders f on f.zone_id = reach.zone_id and f.trashed_at is null and ${nameMatchesSql}
    where not exists (${hiddenMirrorsSql})
    union all
    select ${sql.lit(FILE_KIND)}, f.id, m.seen_zone_id, m.mount_id from mounted m cross join lateral (
      select f.id from files f where f.zone_id = m.zone_id and coalesce(f.folder_id, 0) = m.id and f.trashed_at is null
        and ${nameMatchesSql} and ${isVisibleFileSql('f', userId)} offset 0
    ) f
    union all
    select ${sql.lit(FOLDER_KIND)}, f.id, m.seen_zone_id, m.mount_id
    from mounted m join folders f on f.id = m.id and m.level > 1 and ${nameMatchesSql}
  ), found as materialized (
    select distinct on (kind, id) * from hits order by kind, id, mount_id is not null, seen_zone_id, mount_id
  )`;
}
