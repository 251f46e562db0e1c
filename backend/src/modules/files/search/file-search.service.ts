import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { searchPattern } from '../../../platform/http/lists/admin-list.js';
import { LIST_LIMIT, toPage, type Page } from '../../../platform/http/lists/list.js';
import type { ZoneRole } from '../../zones/entities/zone-member.entity.js';
import { cursorTuple } from '../../../platform/http/lists/cursor.js';
import { normaliseForSearch } from '../../../platform/text/normalise-for-search.js';
import type { FolderPathDto } from '../dto/folder.dto.js';
import type { SearchHitDto, SearchQueryDto } from '../dto/search.dto.js';
import { FileSchema } from '../entities/file.entity.js';
import { FileListService } from '../reading/file-list.service.js';
import { MAX_DEPTH } from '../access/file.policy.js';
import { FolderListService } from '../reading/folder-list.service.js';
import { findFolderPaths } from '../shared/file-placement.js';

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

/** Finds files and folders by name wherever the viewer has access. */
@Injectable()
export class FileSearchService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly fileList: FileListService,
    private readonly folderList: FolderListService,
  ) {}

  /**
   * Finds files and folders whose names contain all words, ordered by name. An item that is visible in several zones is
   * returned once: in its own zone if the viewer is a member of it, otherwise through a mirror.
   * @param zoneId search only this zone and its mirrors; null for all of the viewer's zones
   */
  async searchByName(
    userId: number,
    zoneId: number | null,
    { q, limit = LIST_LIMIT, cursor }: SearchQueryDto,
  ): Promise<Page<SearchHitDto>> {
    const after = cursor
      ? sql`(n.name, n.kind, n.id) > ${cursorTuple(cursor, ['varchar', 'bigint', 'bigint'])}`
      : sql`true`;
    const { rows } = await sql<SearchHit & { total: number }>`
      with recursive ${reachableZonesSql(userId, zoneId, this.clock.now())}, ${mirroredFoldersSql}, ${matchesSql(q)}, named as (
        select h.*, f.original_name as name, f.folder_id as place_id from found h join files f on f.id = h.id
        where h.kind = ${sql.lit(FILE_KIND)}
        union all
        select h.*, f.name, f.parent_id from found h join folders f on f.id = h.id where h.kind = ${sql.lit(FOLDER_KIND)}
      )
      select n.kind, n.id, n.name, n.place_id as "placeId", n.seen_zone_id as "zoneId", z.name as "zoneName", z.role,
        n.mount_id as "mountId", t.name as "mountName", r.source_folder_id as "sourceId",
        (select count(*) from found) as total
      from (select * from named n where ${after} order by name, kind, id limit ${limit + 1}) n
      join reach z on z.zone_id = n.seen_zone_id
      left join folder_mirrors r on r.target_folder_id = n.mount_id left join folders t on t.id = n.mount_id
      order by n.name, n.kind, n.id`.execute(query<typeof FileSchema>(this.em));
    const total = rows[0]?.total ?? 0;
    const page = toPage(rows, limit, total, ({ name, kind, id }) => [name, kind, id]);
    return { ...page, items: await this.toDtos(page.items) };
  }

  /** Converts hits to DTOs with their current state; items that no longer exist are left out. */
  async toDtos(hits: readonly SearchHit[]): Promise<SearchHitDto[]> {
    const paths = await findFolderPaths(
      this.em,
      hits.flatMap(({ placeId }) => placeId ?? []),
    );
    const views = hits.map((hit) => {
      const path = visiblePath(hit, paths);
      const at = { zoneId: hit.zoneId, role: hit.role, readOnly: hit.mountId !== null };
      return { ...at, hit, path, inside: path.at(-1)?.id ?? null, depth: path.length + 1 };
    });
    const viewsOfKind = (kind: number) => views.filter(({ hit }) => hit.kind === kind);
    const files = await this.fileList.findVisible(
      new Map(viewsOfKind(FILE_KIND).map((at) => [at.hit.id, { ...at, folderId: at.inside }])),
    );
    const folders = await this.folderList.findVisible(
      new Map(viewsOfKind(FOLDER_KIND).map((at) => [at.hit.id, { ...at, parentId: at.inside }])),
    );
    return views.flatMap(({ hit: { kind, id, name, zoneId, zoneName }, path }): SearchHitDto[] => {
      const [file, folder] = kind === FILE_KIND ? [files.get(id) ?? null, null] : [null, folders.get(id) ?? null];
      if (!file && !folder) return [];
      return [{ kind: kind === FILE_KIND ? 'file' : 'folder', id, name, zoneId, zoneName, path, file, folder }];
    });
  }
}

/** Hides the folders above the source of a mirror from the viewer; the mount folder takes the source's place. */
function visiblePath(
  { placeId, mountId, mountName, sourceId }: SearchHit,
  paths: ReadonlyMap<number, FolderPathDto[]>,
): FolderPathDto[] {
  const path = placeId === null ? [] : (paths.get(placeId) ?? []);
  if (mountId === null) return path;
  return [{ id: mountId, name: mountName! }, ...path.slice(path.findIndex(({ id }) => id === sourceId) + 1)];
}

/**
 * CTE `reach`: the zones that the viewer can access.
 * @param zoneId only this zone; null for all
 */
export function reachableZonesSql(userId: number, zoneId: number | null, now: Date): RawBuilder<unknown> {
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
export const mirroredFoldersSql = sql`mounted as (
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
function matchesSql(q: string): RawBuilder<unknown> {
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
    union all
    select ${sql.lit(FOLDER_KIND)}, f.id, f.zone_id, null
    from reach join folders f on f.zone_id = reach.zone_id and f.trashed_at is null and ${nameMatchesSql}
    where not exists (${hiddenMirrorsSql})
    union all
    select ${sql.lit(FILE_KIND)}, f.id, m.seen_zone_id, m.mount_id from mounted m cross join lateral (
      select f.id from files f where f.zone_id = m.zone_id and coalesce(f.folder_id, 0) = m.id and f.trashed_at is null
        and ${nameMatchesSql} offset 0
    ) f
    union all
    select ${sql.lit(FOLDER_KIND)}, f.id, m.seen_zone_id, m.mount_id
    from mounted m join folders f on f.id = m.id and m.level > 1 and ${nameMatchesSql}
  ), found as materialized (
    select distinct on (kind, id) * from hits order by kind, id, mount_id is not null, seen_zone_id, mount_id
  )`;
}
