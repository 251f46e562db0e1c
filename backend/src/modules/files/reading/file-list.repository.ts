import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { cursorTuple, encodeCursor, type CursorType } from '../../../platform/http/lists/cursor.js';
import type { RowWindow } from '../../../platform/http/lists/list.js';
import { isVisibleFileSql, isVisibleInFolderSql, type ItemViewer } from '../../zones/access/visible-files.sql.js';
import type { FileStatsSchema } from '../../activity/entities/file-stats.entity.js';
import type { FileDocumentSchema } from '../entities/document.entity.js';
import type { FileSchema, FileThumbnailSchema } from '../entities/file.entity.js';
import type { FolderMirrorSchema } from '../entities/folder-mirror.entity.js';
import { isWithdrawableSql } from '../requests/file-request.sql.js';

type Tables =
  | typeof FileSchema
  | typeof FileThumbnailSchema
  | typeof FileDocumentSchema
  | typeof FileStatsSchema
  | typeof FolderMirrorSchema;

/** A file with its counts and the state of its document. */
export type FileRow = Awaited<ReturnType<ReturnType<FileListRepository['withCounts']>['executeTakeFirstOrThrow']>>;

export type FileSort = 'name' | 'date' | 'type' | 'size';

export interface FileOrder {
  readonly sort: FileSort;
  readonly order: 'asc' | 'desc';
}

export interface FilePageQuery extends FileOrder {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** All files of a zone, or those directly in one folder (null: the root). */
export interface FileScope {
  readonly viewer: ItemViewer;
  readonly zoneId: number;
  readonly folderId?: number | null;
}

interface SortKey {
  readonly field: 'original_name' | 'created_at' | 'mime_type' | 'size' | 'id';
  readonly column: RawBuilder<unknown>;
  readonly type: CursorType;
}

const byName: SortKey = { field: 'original_name', column: sql`f.original_name`, type: 'varchar' };
const byId: SortKey = { field: 'id', column: sql`f.id`, type: 'bigint' };

/** Sort keys of each order; the last key is unique. Each order has a matching index. */
const sortKeys: Record<FileSort, readonly SortKey[]> = {
  name: [byName, byId],
  date: [{ field: 'created_at', column: sql`f.created_at`, type: 'timestamptz' }, byId],
  type: [{ field: 'mime_type', column: sql`f.mime_type`, type: 'varchar' }, byName, byId],
  size: [{ field: 'size', column: sql`f.size`, type: 'bigint' }, byId],
};

/** Reads files for display, with one query per list. Files in the trash are left out of lists. */
@Injectable()
export class FileListRepository {
  constructor(private readonly em: EntityManager) {}

  /**
   * Returns up to `limit` files in the given order.
   * @throws VALIDATION_FAILED for a cursor that does not belong to the order
   */
  listFiles(scope: FileScope, { limit, cursor, ...order }: FilePageQuery): Promise<FileRow[]> {
    const files = this.scopeQuery(scope);
    const page = cursor ? files.where(afterCursor(cursor, order)) : files;
    return this.readSorted(page.limit(limit), scope.viewer, order);
  }

  async listWindow(scope: FileScope, order: FileOrder, { skip, limit, isReversed }: RowWindow): Promise<FileRow[]> {
    const page = this.scopeQuery(scope).offset(skip).limit(limit);
    const rows = await this.readSorted(page, scope.viewer, isReversed ? reverse(order) : order);
    return isReversed ? rows.reverse() : rows;
  }

  /** Returns the number of files before a file, or null if it isn't one of the files. */
  async findPosition(scope: FileScope, order: FileOrder, fileId: number): Promise<number | null> {
    const file = await this.scopeQuery(scope).where('f.id', '=', fileId).executeTakeFirst();
    if (!file) return null;
    // The files before it are those after it in the opposite order.
    return this.countFiles(scope, afterCursor(encodeCursor(cursorKeys(file, order.sort)), reverse(order)));
  }

  async countFiles(scope: FileScope, condition: RawBuilder<boolean> = sql<boolean>`true`): Promise<number> {
    const count = this.scopeQuery(scope)
      .where(condition)
      .clearSelect()
      .select(sql<number>`count(*)`.as('total'));
    return Number((await count.executeTakeFirstOrThrow()).total);
  }

  /** Returns the newest files of several zones that the viewer may see. */
  findLatest(zoneIds: readonly number[], viewer: number, limit: number): Promise<FileRow[]> {
    // Reads only the first index entries of each zone. A single combined query would make the planner read all files of
    // the zones.
    const newest = sql<number>`(
      select n.id from unnest(${[...zoneIds]}::bigint[]) as z (id) cross join lateral (
        select x.id, x.created_at from files x where x.zone_id = z.id and x.trashed_at is null
          and ${isVisibleFileSql('x', viewer)}
        order by x.created_at desc, x.id desc limit ${limit}
      ) n order by n.created_at desc, n.id desc limit ${limit})`;
    const files = this.filesQuery().where('f.id', 'in', newest);
    return this.withCounts(files, viewer).orderBy('f.created_at', 'desc').orderBy('f.id', 'desc').execute();
  }

  /** Returns files that the viewer may see; the caller has checked it. */
  findByIds(ids: readonly number[], viewer: ItemViewer): Promise<FileRow[]> {
    return this.withCounts(this.filesQuery().where('f.id', 'in', ids), viewer).execute();
  }

  /** Returns a file that the viewer may see; the caller has checked it. */
  async findFile(id: number, viewer: ItemViewer): Promise<FileRow | null> {
    return (await this.findByIds([id], viewer))[0] ?? null;
  }

  /** Returns the source folder of a mirror by its mount folder. */
  async findMirrorSource(mountId: number): Promise<number | null> {
    const mirror = await query<Tables>(this.em)
      .selectFrom('folder_mirrors')
      .select('source_folder_id')
      .where('target_folder_id', '=', mountId)
      .executeTakeFirst();
    return mirror?.source_folder_id ?? null;
  }

  private readSorted(
    page: ReturnType<FileListRepository['filesQuery']>,
    viewer: ItemViewer,
    { sort, order }: FileOrder,
  ): Promise<FileRow[]> {
    const sorted = <Q extends Sortable<Q>>(rows: Q) =>
      sortKeys[sort].reduce((by, { column }) => by.orderBy(column, order), rows);
    return sorted(this.withCounts(sorted(page), viewer)).execute();
  }

  private scopeQuery({ zoneId, folderId, viewer }: FileScope) {
    const files = this.filesQuery().where('f.zone_id', '=', zoneId).where('f.trashed_at', 'is', null);
    if (folderId === undefined) return files.where(isVisibleFileSql('f', viewer));
    return files
      .where(sql<number>`coalesce(f.folder_id, 0)`, '=', folderId ?? 0)
      .where(isVisibleInFolderSql('f', { zoneId, folderId }, viewer));
  }

  private filesQuery() {
    return query<Tables>(this.em)
      .selectFrom('files as f')
      .select(['f.object_key', 'f.id', 'f.original_name', 'f.mime_type', 'f.size', 'f.storage_type', 'f.folder_id'])
      .select(['f.zone_id', 'f.uploaded_by_id', 'f.allow_download', 'f.allow_text', 'f.created_at', 'f.updated_at'])
      .select(['f.version', 'f.replaced_at']);
  }

  /** Joins the counts to the rows of one page only. Joined earlier, the planner would read the counts of all files. */
  private withCounts(files: ReturnType<FileListRepository['filesQuery']>, viewer: ItemViewer) {
    return (
      query<Tables>(this.em)
        .selectFrom(files.as('f'))
        .leftJoin('file_stats as s', 's.file_id', 'f.id')
        .leftJoin('file_thumbnails as t', 't.file_id', 'f.id')
        // Ignores the state of documents rendered from previous contents.
        .leftJoin('file_documents as d', (on) =>
          on.onRef('d.file_id', '=', 'f.id').onRef('d.content_key', '=', 'f.object_key'),
        )
        .selectAll('f')
        .select(['s.views', 's.downloads', 't.file_id as thumbnail_of', 'd.state', 'd.failure'])
        .select(isWithdrawableSql('f', viewer).as('is_withdrawable'))
    );
  }
}

/** The keys of a file in an order, for a cursor. */
export function cursorKeys(row: Pick<FileRow, SortKey['field']>, sort: FileSort): (string | number)[] {
  return sortKeys[sort].map(({ field }) => (field === 'created_at' ? row.created_at.toISOString() : row[field]));
}

interface Sortable<Q> {
  orderBy(column: RawBuilder<unknown>, order: 'asc' | 'desc'): Q;
}

const reverse = ({ sort, order }: FileOrder): FileOrder => ({ sort, order: order === 'asc' ? 'desc' : 'asc' });

/** Builds the condition for rows after the one that the cursor identifies. */
function afterCursor(cursor: string, { sort, order }: FileOrder): RawBuilder<boolean> {
  const keys = sortKeys[sort];
  const columns = sql.join(keys.map(({ column }) => column));
  const last = cursorTuple(
    cursor,
    keys.map(({ type }) => type),
  );
  return sql<boolean>`(${columns}) ${sql.raw(order === 'asc' ? '>' : '<')} ${last}`;
}
