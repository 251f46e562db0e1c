import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { ActivityService } from '../activity/activity.service.js';
import { ZoneStatsSchema } from '../zones/entities/zone-stats.entity.js';
import type { Items } from './chosen-items.service.js';
import { FileSchema } from './entities/file.entity.js';
import { FolderSchema } from './entities/folder.entity.js';
import { TrashEntrySchema } from './entities/trash-entry.entity.js';
import type { Seen } from './file-access.service.js';
import { nameKey } from './file-name.js';
import { freeNames, lockZone } from './file-placement.js';
import { MAX_DEPTH } from './file.policy.js';
import { fileErrors } from './files.errors.js';
import { itemEntries } from './item-activity.js';

type Tables = typeof FileSchema | typeof FolderSchema | typeof ZoneStatsSchema | typeof TrashEntrySchema;

/** What is to come back: single entries by the file or folder that they are, or all of one deletion. */
export interface RestoreWish extends Items {
  readonly trashId: string | null;
}

/** Something as it lies in the zone again. */
export interface Restored {
  readonly kind: 'file' | 'folder';
  readonly id: number;
  readonly name: string;
  /** The folder in which it lies; null at the root. */
  readonly folderId: number | null;
}

interface Entry {
  readonly id: number;
  readonly trashId: string;
  readonly fileId: number | null;
  readonly folderId: number | null;
}

/** Bringing back what was deleted, to where it was; to the root, when that place is gone or has become too deep. */
@Injectable()
export class RestoreService {
  constructor(
    private readonly em: EntityManager,
    private readonly activity: ActivityService,
  ) {}

  /**
   * Brings back entries of the trash, all of them or none. Whatever has taken a name meanwhile keeps it: what comes
   * back becomes "name (1)".
   * @throws TRASH_NOT_FOUND when one of them is not there, or is being purged
   */
  async restore({ zoneId, ownerId }: Pick<Seen, 'zoneId' | 'ownerId'>, userId: number, wish: RestoreWish) {
    return inTransaction(this.em, async (em): Promise<Restored[]> => {
      const zoneName = await lockZone(em, zoneId, 'tree');
      const entries = await this.take(em, zoneId, wish);
      const folders: Restored[] = [];
      const brought = { files: 0, folders: 0 };
      for (const entry of entries.filter(({ folderId }) => folderId !== null)) {
        const { restored, counts } = await this.restoreFolder(em, zoneId, entry.folderId!, entry.trashId);
        folders.push(restored);
        brought.files += counts.files;
        brought.folders += counts.folders;
      }
      const files = await this.restoreFiles(
        em,
        zoneId,
        entries.flatMap(({ fileId }) => fileId ?? []),
      );
      await this.activity.record(
        em,
        ...itemEntries('restored', { ownerId, zoneId, zoneName, userId }, { files, folders }),
      );
      await query<Tables>(em)
        .updateTable('zone_stats')
        .set({
          folders: sql<number>`folders + ${brought.folders}`,
          files: sql<number>`files + ${brought.files + files.length}`,
        })
        .where('zone_id', '=', zoneId)
        .execute();
      return [...folders, ...files];
    });
  }

  /** Takes the entries out of the trash, the last deleted first: the folder of another one was deleted after it. */
  private async take(em: EntityManager, zoneId: number, { fileIds, folderIds, trashId }: RestoreWish) {
    if (fileIds.length + folderIds.length === 0 && trashId === null) throw fileErrors.NOTHING_CHOSEN();
    const { rows } = await sql<Entry>`
      delete from trash_entries where zone_id = ${zoneId} and purging_at is null and (
        file_id = any(${[...fileIds]}::bigint[]) or folder_id = any(${[...folderIds]}::bigint[])
        or trash_id = ${trashId}::uuid)
      returning id, trash_id as "trashId", file_id as "fileId", folder_id as "folderId"`.execute(query<Tables>(em));
    const [gotFiles, gotFolders] = [new Set(rows.map((row) => row.fileId)), new Set(rows.map((row) => row.folderId))];
    const complete = fileIds.every((id) => gotFiles.has(id)) && folderIds.every((id) => gotFolders.has(id));
    if (!complete || (trashId !== null && !rows.some((row) => row.trashId === trashId))) {
      throw fileErrors.TRASH_NOT_FOUND();
    }
    return rows.sort((a, b) => b.id - a.id);
  }

  private async restoreFolder(em: EntityManager, zoneId: number, id: number, trashId: string) {
    const place = await this.placeOf(em, id, trashId);
    const [name] = await freeNames(em, zoneId, place.parentId, [place.name], 'folder');
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
        update folders set trashed_at = null, trash_id = null, parent_id = ${place.parentId}, name = ${name},
          name_key = ${nameKey(name!)} where id = ${id} returning 1
      )
      select (select count(*) from back_folders) + (select count(*) from top) as folders,
        (select count(*) from back_files) as files`.execute(query<Tables>(em));
    const restored: Restored = { kind: 'folder', id, name: name!, folderId: place.parentId };
    return { restored, counts: rows[0]! };
  }

  /** Where a folder can come back: under its parent, if that is there and leaves room for what lies deepest in it. */
  private async placeOf(em: EntityManager, id: number, trashId: string) {
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

  private async restoreFiles(em: EntityManager, zoneId: number, ids: number[]): Promise<Restored[]> {
    if (ids.length === 0) return [];
    const { rows } = await sql<{ id: number; name: string; folderId: number | null }>`
      select f.id, f.original_name as name, p.id as "folderId"
      from files f left join folders p on p.id = f.folder_id and p.trashed_at is null
      where f.id = any(${ids}::bigint[]) order by f.id`.execute(query<Tables>(em));
    const restored: Restored[] = [];
    for (const [folderId, files] of Map.groupBy(rows, (row) => row.folderId)) {
      const names = await freeNames(
        em,
        zoneId,
        folderId,
        files.map(({ name }) => name),
      );
      await sql`update files f set trashed_at = null, trash_id = null, folder_id = ${folderId}, original_name = n.name,
          name_key = n.key
        from unnest(${files.map(({ id }) => id)}::bigint[], ${names}::text[], ${names.map(nameKey)}::text[])
          as n (id, name, key) where f.id = n.id`.execute(query<Tables>(em));
      files.forEach(({ id }, at) => restored.push({ kind: 'file', id, name: names[at]!, folderId }));
    }
    return restored;
  }
}
