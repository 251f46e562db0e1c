import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock, addMilliseconds } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { normaliseForComparison } from '../../../platform/text/normalise-for-search.js';
import { ActivityService } from '../../activity/activity.service.js';
import { adjustZoneCounts } from '../../zones/zone/zone-counts.service.js';
import type { ItemIds } from '../tree/item-selection.service.js';
import { markContentChanged } from '../content-changes.js';
import { FileSchema } from '../entities/file.entity.js';
import { FolderSchema } from '../entities/folder.entity.js';
import { TrashEntrySchema } from '../entities/trash-entry.entity.js';
import type { RestoredDto, TrashEntryDto } from '../dto/items.dto.js';
import type { AccessZone } from '../access/file-access.service.js';
import { findFreeNames, lockZone, findFolderPaths } from '../shared/file-placement.js';
import { MAX_DEPTH, TRASH_LIFETIME } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';
import { createItemEntries } from '../shared/item-activity.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { fullName, UserSchema } from '../../auth/entities/user.entity.js';
import { cursorTuple } from '../../../platform/http/lists/cursor.js';
import type { FolderPathDto } from '../dto/folder.dto.js';

type Tables = typeof FileSchema | typeof FolderSchema | typeof TrashEntrySchema | typeof UserSchema;

/** Items to restore: entries identified by their file or folder, or everything from one deletion. */
export interface RestoreRequest extends ItemIds {
  readonly trashId: string | null;
}

interface TrashedItem {
  readonly id: number;
  readonly trashId: string;
  readonly fileId: number | null;
  readonly folderId: number | null;
}

/**
 * Lists trashed items and restores them to their original folder, or to the root if that folder is gone or the result
 * would be nested too deeply.
 */
@Injectable()
export class TrashRestoreService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly activity: ActivityService,
  ) {}

  /** Lists the items that can be restored, last deleted first. */
  async listEntries(zoneId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<TrashEntryDto>> {
    let entries = this.entriesQuery(zoneId);
    if (cursor) entries = entries.where(sql<boolean>`(e.id) < ${cursorTuple(cursor, ['bigint'])}`);
    const rows = await entries
      .orderBy('e.id', 'desc')
      .limit(limit + 1)
      .execute();
    const { total } = await query<Tables>(this.em)
      .selectFrom('trash_entries')
      .select(sql<number>`count(*)`.as('total'))
      .where('zone_id', '=', zoneId)
      .where('purging_at', 'is', null)
      .executeTakeFirstOrThrow();
    const page = toPage(rows, limit, total, ({ entryId }) => [entryId]);
    const paths = await findFolderPaths(
      this.em,
      page.items.flatMap(({ placeId }) => placeId ?? []),
    );
    return { ...page, items: page.items.map((row) => toEntryDto(row, paths)) };
  }

  /**
   * Restores trash entries, either all of them or none. If a name has been taken in the meantime, the restored item
   * becomes "name (1)".
   * @throws TRASH_NOT_FOUND if one of them is not in the trash or is being purged
   */
  async restoreEntries(
    { zoneId, ownerId }: Pick<AccessZone, 'zoneId' | 'ownerId'>,
    userId: number,
    request: RestoreRequest,
  ) {
    return inTransaction(this.em, async (em): Promise<RestoredDto[]> => {
      const zoneName = await lockZone(em, zoneId, 'tree');
      const entries = await this.removeEntries(em, zoneId, request);
      const folders: RestoredDto[] = [];
      const restoredCounts = { files: 0, folders: 0 };
      for (const entry of entries.filter(({ folderId }) => folderId !== null)) {
        const { restored, counts } = await this.restoreFolder(em, zoneId, entry.folderId!, entry.trashId);
        folders.push(restored);
        restoredCounts.files += counts.files;
        restoredCounts.folders += counts.folders;
      }
      const files = await this.restoreFiles(
        em,
        zoneId,
        entries.flatMap(({ fileId }) => fileId ?? []),
      );
      await this.activity.record(
        em,
        ...createItemEntries('restored', { ownerId, zoneId, zoneName, userId }, { files, folders }),
      );
      const parentIds = [...folders, ...files].map(({ folderId }) => folderId);
      const subtreeIds = folders.map(({ id }) => id);
      await markContentChanged(em, { zoneId, folderIds: parentIds, subtreeIds, at: this.clock.now() });
      await adjustZoneCounts(em, zoneId, {
        folders: restoredCounts.folders,
        files: restoredCounts.files + files.length,
      });
      return [...folders, ...files];
    });
  }

  /**
   * Removes the entries from the trash, last deleted first: an item's folder can only have been deleted after the item
   * itself.
   */
  private async removeEntries(em: EntityManager, zoneId: number, { fileIds, folderIds, trashId }: RestoreRequest) {
    if (fileIds.length + folderIds.length === 0 && trashId === null) throw fileErrors.NOTHING_CHOSEN();
    const { rows } = await sql<TrashedItem>`
      delete from trash_entries where zone_id = ${zoneId} and purging_at is null and (
        file_id = any(${[...fileIds]}::bigint[]) or folder_id = any(${[...folderIds]}::bigint[])
        or trash_id = ${trashId}::uuid)
      returning id, trash_id as "trashId", file_id as "fileId", folder_id as "folderId"`.execute(query<Tables>(em));
    const [gotFiles, gotFolders] = [new Set(rows.map((row) => row.fileId)), new Set(rows.map((row) => row.folderId))];
    const isComplete = fileIds.every((id) => gotFiles.has(id)) && folderIds.every((id) => gotFolders.has(id));
    if (!isComplete || (trashId !== null && !rows.some((row) => row.trashId === trashId))) {
      throw fileErrors.TRASH_NOT_FOUND();
    }
    return rows.sort((a, b) => b.id - a.id);
  }

  private async restoreFolder(em: EntityManager, zoneId: number, id: number, trashId: string) {
    const parent = await this.resolveParent(em, id, trashId);
    const [name] = await findFreeNames(em, zoneId, parent.parentId, [parent.name], 'folder');
    const { rows } = await sql<{ folders: number; files: number }>`
      with recursive tree as (
        select id from folders where id = ${id}
        union all
        select f.id from tree t join folders f on f.parent_id = t.id and f.trash_id = ${trashId}::uuid
      ), back_folders as (
        update folders set trashed_at = null, trash_id = null where id in (select id from tree) and id <> ${id}
        returning 1
      ), back_files as (
        update files set trashed_at = null, trash_id = null
        where id in (select x.id from tree t join files x on x.folder_id = t.id and x.trash_id = ${trashId}::uuid)
        returning 1
      ), top as (
        update folders set trashed_at = null, trash_id = null, parent_id = ${parent.parentId}, name = ${name},
          name_key = ${normaliseForComparison(name!)} where id = ${id} returning 1
      )
      select (select count(*) from back_folders) + (select count(*) from top) as folders,
        (select count(*) from back_files) as files`.execute(query<Tables>(em));
    const restored: RestoredDto = { kind: 'folder', id, name: name!, folderId: parent.parentId };
    return { restored, counts: rows[0]! };
  }

  /** Determines where a folder can be restored: under its parent, if that exists and the maximum depth allows it. */
  private async resolveParent(em: EntityManager, id: number, trashId: string) {
    const { rows } = await sql<{ name: string; parentId: number | null; depth: number; height: number }>`
      with recursive above as (
        select p.id, p.parent_id, 1 as level from folders f join folders p on p.id = f.parent_id
        where f.id = ${id} and p.trashed_at is null
        union all
        select p.id, p.parent_id, a.level + 1 from above a join folders p on p.id = a.parent_id
        where a.level < ${MAX_DEPTH}
      ), below as (
        select ${id}::bigint as id, 1 as level
        union all
        select f.id, b.level + 1 from below b join folders f on f.parent_id = b.id and f.trash_id = ${trashId}::uuid
      )
      select f.name, p.id as "parentId", coalesce((select max(level) from above), 0) as depth,
        (select max(level) from below) as height
      from folders f left join folders p on p.id = f.parent_id and p.trashed_at is null
      where f.id = ${id}`.execute(query<Tables>(em));
    const { name, parentId, depth, height } = rows[0]!;
    return { name, parentId: depth + height > MAX_DEPTH ? null : parentId };
  }

  private async restoreFiles(em: EntityManager, zoneId: number, ids: number[]): Promise<RestoredDto[]> {
    if (ids.length === 0) return [];
    const { rows } = await sql<{ id: number; name: string; folderId: number | null }>`
      select f.id, f.original_name as name, p.id as "folderId"
      from files f left join folders p on p.id = f.folder_id and p.trashed_at is null
      where f.id = any(${ids}::bigint[]) order by f.id`.execute(query<Tables>(em));
    const restored: RestoredDto[] = [];
    for (const [folderId, files] of Map.groupBy(rows, (row) => row.folderId)) {
      const names = await findFreeNames(
        em,
        zoneId,
        folderId,
        files.map(({ name }) => name),
      );
      await sql`update files f set trashed_at = null, trash_id = null, folder_id = ${folderId}, original_name = n.name,
          name_key = n.key
        from unnest(${files.map(({ id }) => id)}::bigint[], ${names}::text[], ${names.map(normaliseForComparison)}::text[])
          as n (id, name, key) where f.id = n.id`.execute(query<Tables>(em));
      files.forEach(({ id }, index) => restored.push({ kind: 'file', id, name: names[index]!, folderId }));
    }
    return restored;
  }

  private entriesQuery(zoneId: number) {
    return query<Tables>(this.em)
      .selectFrom('trash_entries as e')
      .leftJoin('files as f', 'f.id', 'e.file_id')
      .leftJoin('folders as d', 'd.id', 'e.folder_id')
      .leftJoin('users as u', 'u.id', 'e.deleted_by_id')
      .select(['e.id as entryId', 'e.trash_id as trashId', 'e.file_id as fileId', 'e.folder_id as folderId'])
      .select(['e.files as fileCount', 'e.bytes as size', 'e.deleted_at as deletedAt'])
      .select(['f.mime_type as mimeType', 'u.first_name as firstName', 'u.last_name as lastName', 'u.username'])
      .select(sql<string>`coalesce(f.original_name, d.name)`.as('name'))
      .select(sql<number | null>`coalesce(f.folder_id, d.parent_id)`.as('placeId'))
      .where('e.zone_id', '=', zoneId)
      .where('e.purging_at', 'is', null);
  }
}

type Row = Awaited<ReturnType<ReturnType<TrashRestoreService['entriesQuery']>['executeTakeFirstOrThrow']>>;

function toEntryDto(row: Row, paths: ReadonlyMap<number, FolderPathDto[]>): TrashEntryDto {
  const path = row.placeId === null ? [] : (paths.get(row.placeId) ?? []);
  return {
    kind: row.fileId === null ? 'folder' : 'file',
    id: (row.fileId ?? row.folderId)!,
    trashId: row.trashId,
    name: row.name,
    mimeType: row.mimeType,
    fileCount: row.fileCount,
    size: row.size,
    location: path.map(({ name }) => name),
    deletedBy: fullName(row) || row.username,
    deletedAt: row.deletedAt,
    purgesAt: addMilliseconds(row.deletedAt, TRASH_LIFETIME),
  };
}
