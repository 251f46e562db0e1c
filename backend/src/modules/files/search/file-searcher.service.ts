import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { foundBy } from '../../../platform/http/lists/admin-list.js';
import { LIST_LIMIT, pageOf, type Page } from '../../../platform/http/lists/list.js';
import type { ZoneRole } from '../../zones/entities/zone-member.entity.js';
import { cursorTuple } from '../../../platform/http/lists/cursor.js';
import { foldForSearch } from '../../../platform/text/fold.js';
import type { FolderPathDto } from '../dto/folder.dto.js';
import type { SearchHitDto, SearchQueryDto } from '../dto/search.dto.js';
import { FileSchema } from '../entities/file.entity.js';
import { FileLister } from '../reading/file-lister.service.js';
import { MAX_DEPTH } from '../access/file.policy.js';
import { FolderLister } from '../reading/folder-lister.service.js';
import { pathsTo } from '../shared/file-placement.js';

/** Folders before files of one name. */
const FOLDER = 0;
export const FILE = 1;

/** Something that was found, and where the viewer sees it. */
export interface Hit {
  readonly kind: typeof FOLDER | typeof FILE;
  readonly id: number;
  readonly name: string;
  /** The folder in which it really lies; null at the root. */
  readonly placeId: number | null;
  readonly zoneId: number;
  readonly zoneName: string;
  readonly role: ZoneRole;
  readonly mountId: number | null;
  readonly mountName: string | null;
  readonly sourceId: number | null;
}

/** Finding files and folders by their names, wherever the viewer reaches them. */
@Injectable()
export class FileSearcher {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly files: FileLister,
    private readonly folders: FolderLister,
  ) {}

  /**
   * Files and folders whose names hold all words, by name. What lies in a zone of the viewer and is also shown there
   * by a mirror, or in several zones, is found once: in its own zone if the viewer is in it.
   * @param zoneId only in this zone, with the mirrors in it; null for all zones that the viewer is in
   */
  async search(
    userId: number,
    zoneId: number | null,
    { q, limit = LIST_LIMIT, cursor }: SearchQueryDto,
  ): Promise<Page<SearchHitDto>> {
    const after = cursor
      ? sql`(n.name, n.kind, n.id) > ${cursorTuple(cursor, ['varchar', 'bigint', 'bigint'])}`
      : sql`true`;
    const { rows } = await sql<Hit & { total: number }>`
      with recursive ${reach(userId, zoneId, this.clock.now())}, ${mounted}, ${found(q)}, named as (
        select h.*, f.original_name as name, f.folder_id as place_id from found h join files f on f.id = h.id
        where h.kind = ${sql.lit(FILE)}
        union all
        select h.*, f.name, f.parent_id from found h join folders f on f.id = h.id where h.kind = ${sql.lit(FOLDER)}
      )
      select n.kind, n.id, n.name, n.place_id as "placeId", n.seen_zone_id as "zoneId", z.name as "zoneName", z.role,
        n.mount_id as "mountId", t.name as "mountName", r.source_folder_id as "sourceId",
        (select count(*) from found) as total
      from (select * from named n where ${after} order by name, kind, id limit ${limit + 1}) n
      join reach z on z.zone_id = n.seen_zone_id
      left join folder_mirrors r on r.target_folder_id = n.mount_id left join folders t on t.id = n.mount_id
      order by n.name, n.kind, n.id`.execute(query<typeof FileSchema>(this.em));
    const total = rows[0]?.total ?? 0;
    const page = pageOf(rows, limit, total, ({ name, kind, id }) => [name, kind, id]);
    return { ...page, items: await this.shown(page.items) };
  }

  /** As the viewer sees them now; what is gone meanwhile is left out. */
  async shown(hits: readonly Hit[]): Promise<SearchHitDto[]> {
    const paths = await pathsTo(
      this.em,
      hits.flatMap(({ placeId }) => placeId ?? []),
    );
    const sights = hits.map((hit) => {
      const path = pathOf(hit, paths);
      const at = { zoneId: hit.zoneId, role: hit.role, readOnly: hit.mountId !== null };
      return { ...at, hit, path, inside: path.at(-1)?.id ?? null, depth: path.length + 1 };
    });
    const of = (kind: number) => sights.filter(({ hit }) => hit.kind === kind);
    const files = await this.files.visible(new Map(of(FILE).map((at) => [at.hit.id, { ...at, folderId: at.inside }])));
    const folders = await this.folders.visible(
      new Map(of(FOLDER).map((at) => [at.hit.id, { ...at, parentId: at.inside }])),
    );
    return sights.flatMap(({ hit: { kind, id, name, zoneId, zoneName }, path }): SearchHitDto[] => {
      const [file, folder] = kind === FILE ? [files.get(id) ?? null, null] : [null, folders.get(id) ?? null];
      if (!file && !folder) return [];
      return [{ kind: kind === FILE ? 'file' : 'folder', id, name, zoneId, zoneName, path, file, folder }];
    });
  }
}

/** What lies above the source of a mirror is not the viewer's business: the mirror's own folder stands for it. */
function pathOf(
  { placeId, mountId, mountName, sourceId }: Hit,
  paths: ReadonlyMap<number, FolderPathDto[]>,
): FolderPathDto[] {
  const path = placeId === null ? [] : (paths.get(placeId) ?? []);
  if (mountId === null) return path;
  return [{ id: mountId, name: mountName! }, ...path.slice(path.findIndex(({ id }) => id === sourceId) + 1)];
}

/**
 * The zones that the viewer is in.
 * @param zoneId only this one; null for all
 */
export function reach(userId: number, zoneId: number | null, now: Date): RawBuilder<unknown> {
  return sql`reach as materialized (
    select z.id as zone_id, z.name, m.role from zone_members m
    join zones z on z.id = m.zone_id and z.deleted_at is null
    join users o on o.id = z.owner_id and o.deactivated_at is null
    where m.user_id = ${userId} and (m.expires_at is null or m.expires_at > ${now})
      and (${zoneId}::bigint is null or z.id = ${zoneId}::bigint)
  )`;
}

/**
 * The folders that mirrors show in those zones. The lateral steps keep the planner from reading the folders of all
 * zones: what a mirror shows is small beside them.
 */
export const mounted = sql`mounted as (
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

/** A union of what lies in the zones and what mirrors show in them: with OR no index would serve. */
function found(q: string): RawBuilder<unknown> {
  const words = foldForSearch(q).split(/\s+/).filter(Boolean);
  const named = sql.join(
    words.map((word) => sql`f.search_key like ${foundBy(word)}`),
    sql` and `,
  );
  const hidden = sql`select 1 from folder_mirrors r join folders s on s.id = r.source_folder_id
    join zones x on x.id = s.zone_id
    where r.target_folder_id = f.id and (not r.is_active or s.trashed_at is not null or x.deleted_at is not null)`;
  return sql`hits as (
    select ${sql.lit(FILE)} as kind, f.id, f.zone_id as seen_zone_id, null::bigint as mount_id
    from reach join files f on f.zone_id = reach.zone_id and f.trashed_at is null and ${named}
    union all
    select ${sql.lit(FOLDER)}, f.id, f.zone_id, null
    from reach join folders f on f.zone_id = reach.zone_id and f.trashed_at is null and ${named}
    where not exists (${hidden})
    union all
    select ${sql.lit(FILE)}, f.id, m.seen_zone_id, m.mount_id from mounted m cross join lateral (
      select f.id from files f where f.zone_id = m.zone_id and coalesce(f.folder_id, 0) = m.id and f.trashed_at is null
        and ${named} offset 0
    ) f
    union all
    select ${sql.lit(FOLDER)}, f.id, m.seen_zone_id, m.mount_id
    from mounted m join folders f on f.id = m.id and m.level > 1 and ${named}
  ), found as materialized (
    select distinct on (kind, id) * from hits order by kind, id, mount_id is not null, seen_zone_id, mount_id
  )`;
}
