import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import type { ZoneRole } from '../../zones/entities/zone-member.entity.js';
import { FileStatsSchema } from '../../activity/entities/file-stats.entity.js';
import { cursorTuple, type CursorType } from '../../../platform/http/lists/cursor.js';
import { isInlineSafe } from '../shared/content-type.js';
import type { FileDto, FileListQueryDto } from '../dto/file.dto.js';
import { FileDocumentSchema } from '../entities/document.entity.js';
import { FileThumbnailSchema, FileSchema } from '../entities/file.entity.js';
import { FolderMirrorSchema } from '../entities/folder-mirror.entity.js';
import type { AccessZone, FolderLocation } from '../access/file-access.service.js';
import { fileAbilities } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';

type Tables =
  | typeof FileSchema
  | typeof FileThumbnailSchema
  | typeof FileDocumentSchema
  | typeof FileStatsSchema
  | typeof FolderMirrorSchema;

interface SortKey {
  readonly field: 'originalName' | 'createdAt' | 'mimeType' | 'size' | 'id';
  readonly column: RawBuilder<unknown>;
  readonly type: CursorType;
}

const byName: SortKey = { field: 'originalName', column: sql`f.original_name`, type: 'varchar' };
const byId: SortKey = { field: 'id', column: sql`f.id`, type: 'bigint' };

/** Sort keys of each order; the last key is unique. Each order has a matching index. */
const sortKeys: Record<'name' | 'date' | 'type' | 'size', readonly SortKey[]> = {
  name: [byName, byId],
  date: [{ field: 'createdAt', column: sql`f.created_at`, type: 'timestamptz' }, byId],
  type: [{ field: 'mimeType', column: sql`f.mime_type`, type: 'varchar' }, byName, byId],
  size: [{ field: 'size', column: sql`f.size`, type: 'bigint' }, byId],
};

/** Lists files for display, with one query per list. */
@Injectable()
export class FileListService {
  constructor(private readonly em: EntityManager) {}

  /** Lists the files at a location, sorted by name unless requested otherwise. */
  listFiles(
    location: FolderLocation,
    { sort = 'name', order = 'asc', ...page }: FileListQueryDto,
  ): Promise<Page<FileDto>> {
    return this.fetchPage(this.locationQuery(location), { keys: sortKeys[sort], order, ...page }, () => location);
  }

  /**
   * Lists all files of a zone regardless of folder, newest first. Mirrored files are left out, because they belong to
   * other zones.
   */
  listAllFiles({ zoneId, role }: Pick<FolderLocation, 'zoneId' | 'role'>, page: ListQueryDto): Promise<Page<FileDto>> {
    const all = this.filesQuery().where('f.zone_id', '=', zoneId).where('f.trashed_at', 'is', null);
    const viewOf = (row: Row) => ({ zoneId, role, folderId: row.folder_id, readOnly: false });
    return this.fetchPage(all, { keys: sortKeys.date, order: 'desc', ...page }, viewOf);
  }

  /** Returns the newest files across several zones regardless of folder, each as seen in its own zone. */
  async findLatest(zones: ReadonlyMap<number, ZoneRole>, count: number): Promise<FileDto[]> {
    if (zones.size === 0) return [];
    // Reads only the first index entries of each zone. A single combined query would make the planner read all files of
    // the zones.
    const newest = sql<number>`(
      select n.id from unnest(${[...zones.keys()]}::bigint[]) as z (id) cross join lateral (
        select x.id, x.created_at from files x where x.zone_id = z.id and x.trashed_at is null
        order by x.created_at desc, x.id desc limit ${count}
      ) n order by n.created_at desc, n.id desc limit ${count})`;
    const files = this.filesQuery().where('f.id', 'in', newest);
    const rows = await this.withCounts(files).orderBy('f.created_at', 'desc').orderBy('f.id', 'desc').execute();
    return rows.map((row) => {
      const { zone_id: zoneId, folder_id: folderId } = row;
      return toFileDto(row, { zoneId, folderId, role: zones.get(zoneId)!, readOnly: false });
    });
  }

  /** Returns files at one location by id, in the order of the ids. */
  async findByIds(location: FolderLocation, ids: readonly number[]): Promise<FileDto[]> {
    const rows = await this.withCounts(this.filesQuery().where('f.id', 'in', ids)).execute();
    const byId = new Map(rows.map((row) => [row.id, toFileDto(row, location)]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Returns files by id, each as seen at the given location; files that no longer exist are left out. */
  async findVisible(views: ReadonlyMap<number, FileView>): Promise<Map<number, FileDto>> {
    if (views.size === 0) return new Map();
    const rows = await this.withCounts(this.filesQuery().where('f.id', 'in', [...views.keys()])).execute();
    return new Map(rows.map((row) => [row.id, toFileDto(row, views.get(row.id)!)]));
  }

  /**
   * Returns a file as seen in the viewer's zone.
   * @throws FILE_NOT_FOUND if the file was deleted in the meantime
   */
  async findOne(id: number, { zoneId, role, mountId }: AccessZone): Promise<FileDto> {
    const row = await this.withCounts(this.filesQuery().where('f.id', '=', id)).executeTakeFirst();
    if (!row) throw fileErrors.FILE_NOT_FOUND();
    const folderId = mountId === null ? row.folder_id : await this.resolveMirrorFolder(row.folder_id, mountId);
    return toFileDto(row, { zoneId, folderId, role, readOnly: mountId !== null });
  }

  /** Resolves the folder as seen through a mirror: the source folder is replaced by the mount folder. */
  private async resolveMirrorFolder(folderId: number | null, mountId: number): Promise<number | null> {
    const mirror = await query<Tables>(this.em)
      .selectFrom('folder_mirrors')
      .select('source_folder_id')
      .where('target_folder_id', '=', mountId)
      .executeTakeFirst();
    return mirror?.source_folder_id === folderId ? mountId : folderId;
  }

  private async fetchPage(
    all: ReturnType<FileListService['filesQuery']>,
    { keys, order, limit = LIST_LIMIT, cursor }: ListQueryDto & { keys: readonly SortKey[]; order: 'asc' | 'desc' },
    viewOf: (row: Row) => FileView,
  ): Promise<Page<FileDto>> {
    const sorted = <Q extends Sortable<Q>>(rows: Q) => keys.reduce((by, { column }) => by.orderBy(column, order), rows);
    const page = all.where(cursor ? afterCursor(keys, cursor, order) : sql<boolean>`true`);
    const found = await sorted(this.withCounts(sorted(page).limit(limit + 1))).execute();
    const total = cursor || found.length > limit ? await this.countOf(all) : found.length;
    const files = found.map((row) => toFileDto(row, viewOf(row)));
    return toPage(files, limit, total, (file) =>
      keys.map(({ field }) => (field === 'createdAt' ? file.createdAt.toISOString() : file[field])),
    );
  }

  private async countOf(files: ReturnType<FileListService['filesQuery']>): Promise<number> {
    const count = files.clearSelect().select(sql<number>`count(*)`.as('total'));
    return Number((await count.executeTakeFirstOrThrow()).total);
  }

  private locationQuery(location: FolderLocation) {
    return this.filesQuery()
      .where('f.zone_id', '=', location.contentZoneId)
      .where(sql<number>`coalesce(f.folder_id, 0)`, '=', location.contentFolderId ?? 0)
      .where('f.trashed_at', 'is', null);
  }

  private filesQuery() {
    return query<Tables>(this.em)
      .selectFrom('files as f')
      .select(['f.object_key', 'f.id', 'f.original_name', 'f.mime_type', 'f.size', 'f.storage_type', 'f.folder_id'])
      .select(['f.zone_id', 'f.uploaded_by_id', 'f.allow_download', 'f.allow_text', 'f.created_at', 'f.updated_at']);
  }

  /** Joins the counts to the rows of one page only. Joined earlier, the planner would read the counts of all files. */
  private withCounts(files: ReturnType<FileListService['filesQuery']>) {
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
    );
  }
}

interface Sortable<Q> {
  orderBy(column: RawBuilder<unknown>, order: 'asc' | 'desc'): Q;
}

/** Builds the condition for rows after the one that the cursor identifies. */
function afterCursor(keys: readonly SortKey[], cursor: string, order: 'asc' | 'desc'): RawBuilder<boolean> {
  const columns = sql.join(keys.map(({ column }) => column));
  const last = cursorTuple(
    cursor,
    keys.map(({ type }) => type),
  );
  return sql<boolean>`(${columns}) ${sql.raw(order === 'asc' ? '>' : '<')} ${last}`;
}

type Row = Awaited<ReturnType<ReturnType<FileListService['withCounts']>['executeTakeFirstOrThrow']>>;

/** The location at which a file is seen. */
export type FileView = Pick<FolderLocation, 'zoneId' | 'folderId' | 'role' | 'readOnly'>;

function toFileDto(row: Row, view: FileView): FileDto {
  const rights = { allowDownload: row.allow_download, allowText: row.allow_text };
  return {
    id: row.id,
    name: row.original_name,
    originalName: row.original_name,
    mimeType: row.mime_type,
    size: row.size,
    publicUrl: null,
    thumbnailUrl: row.thumbnail_of === null ? null : `/api/files/${row.id}/thumbnail`,
    storageType: row.storage_type,
    zoneId: view.zoneId,
    folderId: view.folderId,
    uploadedById: row.uploaded_by_id,
    ...rights,
    viewCount: row.views ?? 0,
    downloadCount: row.downloads ?? 0,
    viewable: isInlineSafe(row.mime_type),
    document: row.state === null ? null : { state: row.state, failure: row.failure },
    readOnly: view.readOnly,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    can: fileAbilities({ ...view, ...rights, mimeType: row.mime_type }),
  };
}
