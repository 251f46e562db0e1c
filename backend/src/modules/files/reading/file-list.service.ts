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
import type { ViewingZone, FolderLocation } from '../access/file-access.service.js';
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

/** Sort keys, the last one unique; each list has its index. */
const sortKeys: Record<'name' | 'date' | 'type' | 'size', readonly SortKey[]> = {
  name: [byName, byId],
  date: [{ field: 'createdAt', column: sql`f.created_at`, type: 'timestamptz' }, byId],
  type: [{ field: 'mimeType', column: sql`f.mime_type`, type: 'varchar' }, byName, byId],
  size: [{ field: 'size', column: sql`f.size`, type: 'bigint' }, byId],
};

/** Files as they are shown, one query a list. */
@Injectable()
export class FileListService {
  constructor(private readonly em: EntityManager) {}

  /** The files of a place, sorted; by name when nothing else is asked. */
  listFiles(
    location: FolderLocation,
    { sort = 'name', order = 'asc', ...page }: FileListQueryDto,
  ): Promise<Page<FileDto>> {
    return this.fetchPage(this.locationQuery(location), { keys: sortKeys[sort], order, ...page }, () => location);
  }

  /** All files of a zone, in whatever folder, the newest first; what its mirrors show belongs to other zones. */
  listAllFiles({ zoneId, role }: Pick<FolderLocation, 'zoneId' | 'role'>, page: ListQueryDto): Promise<Page<FileDto>> {
    const all = this.filesQuery().where('f.zone_id', '=', zoneId).where('f.trashed_at', 'is', null);
    const viewOf = (row: Row) => ({ zoneId, role, folderId: row.folder_id, readOnly: false });
    return this.fetchPage(all, { keys: sortKeys.date, order: 'desc', ...page }, viewOf);
  }

  /** The newest files of some zones together, in whatever folder, each as it is seen in its own zone. */
  async findLatest(zones: ReadonlyMap<number, ZoneRole>, count: number): Promise<FileDto[]> {
    if (zones.size === 0) return [];
    // A few steps into the index of each zone: asked for all at once, the planner would read all their files.
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

  /** Files of one place by their ids, in the order of the ids. */
  async findByIds(location: FolderLocation, ids: readonly number[]): Promise<FileDto[]> {
    const rows = await this.withCounts(this.filesQuery().where('f.id', 'in', ids)).execute();
    const byId = new Map(rows.map((row) => [row.id, toFileDto(row, location)]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Files by their ids, each as it is seen in some place; those that are gone are left out. */
  async findVisible(views: ReadonlyMap<number, FileView>): Promise<Map<number, FileDto>> {
    if (views.size === 0) return new Map();
    const rows = await this.withCounts(this.filesQuery().where('f.id', 'in', [...views.keys()])).execute();
    return new Map(rows.map((row) => [row.id, toFileDto(row, views.get(row.id)!)]));
  }

  /**
   * One file, in the zone in which the viewer sees it.
   * @throws FILE_NOT_FOUND when it was removed meanwhile
   */
  async findOne(id: number, { zoneId, role, mountId }: ViewingZone): Promise<FileDto> {
    const row = await this.withCounts(this.filesQuery().where('f.id', '=', id)).executeTakeFirst();
    if (!row) throw fileErrors.FILE_NOT_FOUND();
    const folderId = mountId === null ? row.folder_id : await this.resolveMirrorFolder(row.folder_id, mountId);
    return toFileDto(row, { zoneId, folderId, role, readOnly: mountId !== null });
  }

  /** The folder as it is seen through a mirror: the mirror itself stands for its source. */
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

  /** Joined to the rows of a page only: joined before, the planner would read the counts of all files. */
  private withCounts(files: ReturnType<FileListService['filesQuery']>) {
    return (
      query<Tables>(this.em)
        .selectFrom(files.as('f'))
        .leftJoin('file_stats as s', 's.file_id', 'f.id')
        .leftJoin('file_thumbnails as t', 't.file_id', 'f.id')
        // What was made of other contents says nothing of these.
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

/** What comes after the row that a cursor names. */
function afterCursor(keys: readonly SortKey[], cursor: string, order: 'asc' | 'desc'): RawBuilder<boolean> {
  const columns = sql.join(keys.map(({ column }) => column));
  const last = cursorTuple(
    cursor,
    keys.map(({ type }) => type),
  );
  return sql<boolean>`(${columns}) ${sql.raw(order === 'asc' ? '>' : '<')} ${last}`;
}

type Row = Awaited<ReturnType<ReturnType<FileListService['withCounts']>['executeTakeFirstOrThrow']>>;

/** Where a file is seen. */
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
