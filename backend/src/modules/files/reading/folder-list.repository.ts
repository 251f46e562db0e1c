import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { cursorTuple, encodeCursor } from '../../../platform/http/lists/cursor.js';
import type { RowWindow } from '../../../platform/http/lists/list.js';
import { isVisibleFileSql, type ItemViewer } from '../../zones/access/visible-files.sql.js';
import type { ZoneSchema } from '../../zones/entities/zone.entity.js';
import { MAX_DEPTH } from '../access/file.policy.js';
import type { FolderMirrorSchema } from '../entities/folder-mirror.entity.js';
import type { FileRequestSchema } from '../entities/file-request.entity.js';
import type { FolderSchema } from '../entities/folder.entity.js';
import { sentFilesSql } from '../requests/file-request.sql.js';

type Tables = typeof FolderSchema | typeof FolderMirrorSchema | typeof FileRequestSchema | typeof ZoneSchema;

/** A folder with the numbers of the items that the viewer may see, and its file request. */
export type FolderRow = Awaited<
  ReturnType<ReturnType<FolderListRepository['foldersQuery']>['executeTakeFirstOrThrow']>
>;

/** All folders of a zone, or those directly in one folder (null: the root). */
export interface FolderScope {
  readonly viewer: ItemViewer;
  readonly zoneId: number;
  readonly parentId?: number | null;
  readonly withoutMirrors?: boolean;
}

type Order = 'asc' | 'desc';

export interface FolderPageQuery {
  readonly order: Order;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Reads folders for display, with one query per list. Folders in the trash, and mirrors whose source is in the trash,
 * are left out.
 */
@Injectable()
export class FolderListRepository {
  constructor(private readonly em: EntityManager) {}

  /**
   * Returns up to `limit` folders by name.
   * @throws VALIDATION_FAILED for an invalid cursor
   */
  listFolders(scope: FolderScope, { order, limit, cursor }: FolderPageQuery): Promise<FolderRow[]> {
    const folders = this.foldersQuery(scope.viewer).where(isInScope(scope));
    const page = cursor ? folders.where(afterCursor(cursor, order)) : folders;
    return page.orderBy('f.name', order).orderBy('f.id', order).limit(limit).execute();
  }

  async listWindow(scope: FolderScope, order: Order, { skip, limit, isReversed }: RowWindow): Promise<FolderRow[]> {
    const direction = isReversed ? reverse(order) : order;
    // Finds the ids first, because the content of skipped folders would be counted, too.
    const ids = this.visibleFolders()
      .where(isInScope(scope))
      .select('f.id')
      .orderBy('f.name', direction)
      .orderBy('f.id', direction)
      .offset(skip)
      .limit(limit);
    const folders = this.foldersQuery(scope.viewer).where('f.id', 'in', ids);
    return folders.orderBy('f.name', order).orderBy('f.id', order).execute();
  }

  /** Returns the number of folders before a folder by name, or null if it isn't one of the folders. */
  async findPosition(scope: FolderScope, order: Order, folderId: number): Promise<number | null> {
    const folders = this.visibleFolders().where(isInScope(scope)).select(['f.name', 'f.id']);
    const folder = await folders.where('f.id', '=', folderId).executeTakeFirst();
    // The folders before it are those after it in the opposite order.
    return folder
      ? this.countFolders(scope, afterCursor(encodeCursor([folder.name, folder.id]), reverse(order)))
      : null;
  }

  async countFolders(
    scope: Omit<FolderScope, 'viewer'>,
    condition: RawBuilder<boolean> = sql<boolean>`true`,
  ): Promise<number> {
    const folders = this.visibleFolders().where(isInScope(scope)).where(condition);
    return (await folders.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()).total;
  }

  findByIds(ids: readonly number[], viewer: ItemViewer): Promise<FolderRow[]> {
    return this.foldersQuery(viewer).where('f.id', 'in', ids).execute();
  }

  async findFolder(id: number, viewer: ItemViewer): Promise<FolderRow | null> {
    return (await this.foldersQuery(viewer).where('f.id', '=', id).executeTakeFirst()) ?? null;
  }

  /**
   * Returns a folder and those above it, highest first; then the mount folder with its source, if `mountId` is given.
   */
  async findAncestors(id: number, mountId: number | null) {
    const result = await sql<{ id: number; name: string; source_id: number | null }>`
      with recursive above as (
        select id, name, parent_id, 1 as level from folders where id = ${id}
        union all
        select p.id, p.name, p.parent_id, a.level + 1 from above a join folders p on p.id = a.parent_id
        where a.level < ${MAX_DEPTH}
      )
      select id, name, null::bigint as source_id, level from above
      union all
      select f.id, f.name, r.source_folder_id, 0 from folder_mirrors r join folders f on f.id = r.target_folder_id
      where r.target_folder_id = ${mountId}
      order by level desc`.execute(query<Tables>(this.em));
    return result.rows;
  }

  private visibleFolders() {
    return query<Tables>(this.em)
      .selectFrom('folders as f')
      .leftJoin('folder_mirrors as r', 'r.target_folder_id', 'f.id')
      .leftJoin('folders as s', 's.id', 'r.source_folder_id')
      .leftJoin('zones as o', 'o.id', 's.zone_id')
      .where('f.trashed_at', 'is', null)
      .where(sql<boolean>`(r.id is null or (r.is_active and s.trashed_at is null and o.deleted_at is null))`);
  }

  /** A mount is counted with the content of its source. */
  private foldersQuery(viewer: ItemViewer) {
    return this.visibleFolders()
      .leftJoin('file_requests as q', 'q.folder_id', 'f.id')
      .select(['f.id', 'f.name', 'f.parent_id', 'f.created_by_id', 'f.created_at', 'f.updated_at'])
      .select(sql<boolean>`r.id is not null`.as('is_mirror'))
      .select(['q.is_private', 'q.instructions', 'q.closes_at', 'q.max_files_per_person', 'q.max_file_bytes'])
      .select(sql<boolean>`q.closes_at is null or q.closes_at > now()`.as('is_open'))
      .select(
        sql<number>`case when q.folder_id is null then 0 else ${sentFilesSql(sql`q.folder_id`, viewer)} end`.as(
          'sent_files',
        ),
      )
      .select(
        sql<number>`(select count(*) from files x where x.zone_id = coalesce(s.zone_id, f.zone_id)
          and coalesce(x.folder_id, 0) = coalesce(s.id, f.id) and x.trashed_at is null
          and ${isVisibleFileSql('x', viewer)})`.as('file_count'),
      )
      .select(
        sql<number>`(select count(*) from folders x where x.zone_id = coalesce(s.zone_id, f.zone_id)
          and coalesce(x.parent_id, 0) = coalesce(s.id, f.id) and x.trashed_at is null)`.as('folder_count'),
      );
  }
}

const reverse = (order: Order): Order => (order === 'asc' ? 'desc' : 'asc');

function isInScope({ zoneId, parentId, withoutMirrors }: Omit<FolderScope, 'viewer'>): RawBuilder<boolean> {
  const inFolder = parentId === undefined ? sql`` : sql`and coalesce(f.parent_id, 0) = ${parentId ?? 0}`;
  return sql<boolean>`(f.zone_id = ${zoneId} ${inFolder} ${withoutMirrors ? sql`and r.id is null` : sql``})`;
}

/** Builds the condition for folders after the one that the cursor identifies. */
function afterCursor(cursor: string, order: Order): RawBuilder<boolean> {
  const last = cursorTuple(cursor, ['varchar', 'bigint']);
  return sql<boolean>`(f.name, f.id) ${sql.raw(order === 'asc' ? '>' : '<')} ${last}`;
}
