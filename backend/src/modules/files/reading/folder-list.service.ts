import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { LIST_LIMIT, toPage, type Page } from '../../../platform/http/lists/list.js';
import { ZoneSchema } from '../../zones/entities/zone.entity.js';
import { cursorTuple } from '../../../platform/http/lists/cursor.js';
import type { FolderDetailDto, FolderDto, FolderListQueryDto, FolderPathDto } from '../dto/folder.dto.js';
import { FolderMirrorSchema } from '../entities/folder-mirror.entity.js';
import { FolderSchema } from '../entities/folder.entity.js';
import type { AccessibleFolder, FolderLocation } from '../access/file-access.service.js';
import { folderAbilities, MAX_DEPTH } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';
import { findFolderPaths } from '../shared/file-placement.js';

type Tables = typeof FolderSchema | typeof FolderMirrorSchema | typeof ZoneSchema;

/** Lists folders for display, with one query per list. */
@Injectable()
export class FolderListService {
  constructor(private readonly em: EntityManager) {}

  /** Lists the direct subfolders of a location by name. Mirrors whose source is in the trash are left out. */
  async listFolders(
    location: FolderLocation,
    { limit = LIST_LIMIT, cursor, order = 'asc' }: FolderListQueryDto,
  ): Promise<Page<FolderDto>> {
    let rows = this.foldersQuery()
      .where('f.zone_id', '=', location.contentZoneId)
      .where(sql<number>`coalesce(f.parent_id, 0)`, '=', location.contentFolderId ?? 0);
    if (location.readOnly) rows = rows.where('r.id', 'is', null);
    const found = await fetchByName(rows, { limit, cursor, order });
    const isComplete = !cursor && found.length <= limit;
    const folders = found.map((row) =>
      toFolderDto(row, { ...location, parentId: location.folderId, depth: location.depth + 1 }),
    );
    return toPage(
      folders,
      limit,
      isComplete ? found.length : await this.countFolders(location.contentZoneId, location),
      ({ name, id }) => [name, id],
    );
  }

  /** Lists all folders of a zone by name, each with its parent. Mirrors are included, their content is not. */
  async listAllFolders(
    { zoneId, role }: Pick<FolderLocation, 'zoneId' | 'role'>,
    { limit = LIST_LIMIT, cursor, order = 'asc' }: FolderListQueryDto,
  ): Promise<Page<FolderDto>> {
    const found = await fetchByName(this.foldersQuery().where('f.zone_id', '=', zoneId), { limit, cursor, order });
    const total = cursor || found.length > limit ? await this.countFolders(zoneId) : found.length;
    const page = toPage(found, limit, total, ({ name, id }) => [name, id]);
    const paths = await findFolderPaths(
      this.em,
      page.items.map(({ id }) => id),
    );
    const items = page.items.map((row) =>
      toFolderDto(row, {
        zoneId,
        role,
        readOnly: false,
        parentId: row.parent_id,
        depth: paths.get(row.id)?.length ?? 1,
      }),
    );
    return { ...page, items };
  }

  /** Returns folders by id, each as seen at the given location; folders that no longer exist are left out. */
  async findVisible(views: ReadonlyMap<number, FolderView>): Promise<Map<number, FolderDto>> {
    if (views.size === 0) return new Map();
    const rows = await this.foldersQuery()
      .where('f.id', 'in', [...views.keys()])
      .execute();
    return new Map(rows.map((row) => [row.id, toFolderDto(row, views.get(row.id)!)]));
  }

  /**
   * Returns a folder with its path, as the viewer sees it.
   * @throws FOLDER_NOT_FOUND if it was deleted in the meantime
   */
  async findOne(folder: AccessibleFolder): Promise<FolderDetailDto> {
    const row = await this.foldersQuery().where('f.id', '=', folder.id).executeTakeFirst();
    if (!row) throw fileErrors.FOLDER_NOT_FOUND();
    const path = await this.getPath(folder);
    const readOnly = folder.mountId !== null;
    const at = {
      zoneId: folder.zoneId,
      role: folder.role,
      parentId: path.at(-2)?.id ?? null,
      depth: folder.depth,
      readOnly,
    };
    return { ...toFolderDto(row, at), path };
  }

  /**
   * Returns the path from the root of the zone in which the folder is seen. A mount replaces its source folder and
   * everything above it.
   */
  private async getPath(folder: AccessibleFolder): Promise<FolderPathDto[]> {
    const result = await sql<{ id: number; name: string; source_id: number | null }>`
      with recursive above as (
        select id, name, parent_id, 1 as level from folders where id = ${folder.id}
        union all
        select p.id, p.name, p.parent_id, a.level + 1 from above a join folders p on p.id = a.parent_id
        where a.level < ${MAX_DEPTH}
      )
      select id, name, null::bigint as source_id, level from above
      union all
      select f.id, f.name, r.source_folder_id, 0 from folder_mirrors r join folders f on f.id = r.target_folder_id
      where r.target_folder_id = ${folder.mountId}
      order by level desc`.execute(query<Tables>(this.em));
    const { rows } = result;
    const mount = rows.find((row) => row.source_id !== null);
    if (!mount) return rows.map(({ id, name }) => ({ id, name }));
    const below = rows.slice(rows.findIndex((row) => row.id === mount.source_id) + 1);
    return [mount, ...below.filter((row) => row !== mount)].map(({ id, name }) => ({ id, name }));
  }

  private async countFolders(zoneId: number, location?: FolderLocation): Promise<number> {
    let rows = query<Tables>(this.em)
      .selectFrom('folders as f')
      .select(sql<number>`count(*)`.as('total'))
      .where('f.zone_id', '=', zoneId)
      .where('f.trashed_at', 'is', null);
    if (location) rows = rows.where(sql<number>`coalesce(f.parent_id, 0)`, '=', location.contentFolderId ?? 0);
    return (await rows.executeTakeFirstOrThrow()).total;
  }

  /** A mount is counted with the content of its source. */
  private foldersQuery() {
    return query<Tables>(this.em)
      .selectFrom('folders as f')
      .leftJoin('folder_mirrors as r', 'r.target_folder_id', 'f.id')
      .leftJoin('folders as s', 's.id', 'r.source_folder_id')
      .leftJoin('zones as o', 'o.id', 's.zone_id')
      .select(['f.id', 'f.name', 'f.parent_id', 'f.created_by_id', 'f.created_at', 'f.updated_at'])
      .select(sql<boolean>`r.id is not null`.as('is_mirror'))
      .select(
        sql<number>`(select count(*) from files x where x.zone_id = coalesce(s.zone_id, f.zone_id)
          and coalesce(x.folder_id, 0) = coalesce(s.id, f.id) and x.trashed_at is null)`.as('file_count'),
      )
      .select(
        sql<number>`(select count(*) from folders x where x.zone_id = coalesce(s.zone_id, f.zone_id)
          and coalesce(x.parent_id, 0) = coalesce(s.id, f.id) and x.trashed_at is null)`.as('folder_count'),
      )
      .where('f.trashed_at', 'is', null)
      .where(sql<boolean>`(r.id is null or (r.is_active and s.trashed_at is null and o.deleted_at is null))`);
  }
}

type Row = Awaited<ReturnType<ReturnType<FolderListService['foldersQuery']>['executeTakeFirstOrThrow']>>;

/** The location at which a folder is seen. */
export type FolderView = Pick<FolderLocation, 'zoneId' | 'role' | 'readOnly' | 'depth'> & {
  readonly parentId: number | null;
};

/** Fetches one page of rows by name, plus one extra row if there is a next page. */
function fetchByName(
  rows: ReturnType<FolderListService['foldersQuery']>,
  { limit = LIST_LIMIT, cursor, order = 'asc' }: FolderListQueryDto,
) {
  const last = cursor ? cursorTuple(cursor, ['varchar', 'bigint']) : null;
  const isBeyond = last && sql<boolean>`(f.name, f.id) ${sql.raw(order === 'asc' ? '>' : '<')} ${last}`;
  const page = isBeyond ? rows.where(isBeyond) : rows;
  return page
    .orderBy('f.name', order)
    .orderBy('f.id', order)
    .limit(limit + 1)
    .execute();
}

function toFolderDto(row: Row, view: FolderView): FolderDto {
  const readOnly = view.readOnly || row.is_mirror;
  return {
    id: row.id,
    name: row.name,
    zoneId: view.zoneId,
    parentId: view.parentId,
    createdById: row.created_by_id,
    fileCount: row.file_count,
    folderCount: row.folder_count,
    isMirror: row.is_mirror,
    readOnly,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    can: folderAbilities({ role: view.role, readOnly, isMirror: row.is_mirror && !view.readOnly, depth: view.depth }),
  };
}
