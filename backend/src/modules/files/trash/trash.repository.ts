import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { cursorTuple } from '../../../platform/http/lists/cursor.js';
import { normaliseForComparison } from '../../../platform/text/normalise-for-search.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import { MAX_DEPTH } from '../access/file.policy.js';
import type { FileSchema } from '../entities/file.entity.js';
import type { FolderSchema } from '../entities/folder.entity.js';
import type { TrashEntrySchema } from '../entities/trash-entry.entity.js';
import type { NamedItem } from '../shared/item-tree.repository.js';

type Tables = typeof FileSchema | typeof FolderSchema | typeof TrashEntrySchema | typeof UserSchema;

export type TrashEntryRow = Awaited<ReturnType<ReturnType<TrashRepository['entriesQuery']>['executeTakeFirstOrThrow']>>;

/** An item that is in the trash on its own, not together with its folder. */
export interface TrashedItem {
  readonly id: number;
  readonly trashId: string;
  readonly fileId: number | null;
  readonly folderId: number | null;
}

/** Which entries to take: by their file or folder, or everything from one deletion. */
export interface TrashSelection {
  readonly fileIds: readonly number[];
  readonly folderIds: readonly number[];
  readonly trashId: string | null;
}

/** One deletion, whose items share the trash id. */
interface Deletion {
  readonly zoneId: number;
  readonly trashId: string;
  /** Null for the guest of a link. */
  readonly userId: number | null;
  readonly at: Date;
}

/** Entries of the trash, and the marks of the files and folders in it. Changes hold the lock of the zone. */
@Injectable()
export class TrashRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns up to `limit` entries that can be restored, last deleted first.
   * @throws VALIDATION_FAILED for an invalid cursor
   */
  listEntries(zoneId: number, limit: number, cursor?: string): Promise<TrashEntryRow[]> {
    let entries = this.entriesQuery(zoneId);
    if (cursor) entries = entries.where(sql<boolean>`(e.id) < ${cursorTuple(cursor, ['bigint'])}`);
    return entries.orderBy('e.id', 'desc').limit(limit).execute();
  }

  async countEntries(zoneId: number): Promise<number> {
    const { total } = await query<Tables>(this.em)
      .selectFrom('trash_entries')
      .select(sql<number>`count(*)`.as('total'))
      .where('zone_id', '=', zoneId)
      .where('purging_at', 'is', null)
      .executeTakeFirstOrThrow();
    return total;
  }

  /**
   * Marks files, and folders with their content, as deleted. Items already in the trash keep their own entries.
   * @returns how many were marked
   */
  async markTrashed(
    em: EntityManager,
    { trashId, at }: Deletion,
    { fileIds, folderIds }: { fileIds: readonly number[]; folderIds: readonly number[] },
  ): Promise<{ files: number; folders: number }> {
    const { rows } = await sql<{ folders: number; files: number }>`
      with recursive below as (
        select id from folders where id = any(${[...folderIds]}::bigint[])
        union
        select f.id from below b join folders f on f.parent_id = b.id where f.trashed_at is null
      ), marked_folders as (
        update folders set trashed_at = ${at}, trash_id = ${trashId}::uuid where id in (select id from below) returning 1
      ), marked_files as (
        update files set trashed_at = ${at}, trash_id = ${trashId}::uuid
        where trashed_at is null and id in (
          select unnest(${[...fileIds]}::bigint[])
          union all
          select x.id from below b join files x on x.folder_id = b.id
        ) returning 1
      )
      select (select count(*) from marked_folders) as folders, (select count(*) from marked_files) as files`.execute(
      query<Tables>(em),
    );
    return { folders: rows[0]!.folders, files: rows[0]!.files };
  }

  /**
   * Inserts an entry for each deleted item whose folder was not deleted in the same operation. Its bytes include earlier
   * versions, because purging frees them too.
   */
  async insertEntries(em: EntityManager, { zoneId, trashId, userId, at }: Deletion): Promise<void> {
    await sql`
      with recursive tree as (
        select f.id, f.id as top from folders f left join folders p on p.id = f.parent_id
        where f.trash_id = ${trashId}::uuid and p.trash_id is distinct from ${trashId}::uuid
        union all
        select f.id, t.top from tree t join folders f on f.parent_id = t.id and f.trash_id = ${trashId}::uuid
      ), stored as (
        select f.id, f.folder_id, f.size + coalesce(v.bytes, 0) as bytes from files f
        left join lateral (select sum(size) as bytes from file_versions where file_id = f.id) v on true
        where f.trash_id = ${trashId}::uuid
      ), tops as (
        select t.top as folder_id, null::bigint as file_id, count(x.id) as files, coalesce(sum(x.bytes), 0) as bytes
        from tree t left join stored x on x.folder_id = t.id group by t.top
        union all
        select null, f.id, 1, f.bytes from stored f left join folders p on p.id = f.folder_id
        where p.trash_id is distinct from ${trashId}::uuid
      )
      insert into trash_entries (zone_id, trash_id, folder_id, file_id, files, bytes, deleted_by_id, deleted_at)
      select ${zoneId}::bigint, ${trashId}::uuid, folder_id, file_id, files, bytes, ${userId}::bigint, ${at}::timestamptz
      from tops order by folder_id, file_id`.execute(query<Tables>(em));
  }

  /** Removes entries from the trash that are not being purged. */
  async deleteEntries(
    em: EntityManager,
    zoneId: number,
    { fileIds, folderIds, trashId }: TrashSelection,
  ): Promise<TrashedItem[]> {
    const { rows } = await sql<TrashedItem>`
      delete from trash_entries where zone_id = ${zoneId} and purging_at is null and (
        file_id = any(${[...fileIds]}::bigint[]) or folder_id = any(${[...folderIds]}::bigint[])
        or trash_id = ${trashId}::uuid)
      returning id, trash_id as "trashId", file_id as "fileId", folder_id as "folderId"`.execute(query<Tables>(em));
    return rows;
  }

  /** Returns the name of a trashed folder and its parent, which is null if it doesn't exist or is in the trash. */
  async findParent(em: EntityManager, id: number, trashId: string) {
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
    return rows[0]!;
  }

  /**
   * Restores a folder with the content that was deleted together with it.
   * @returns the numbers of restored items
   */
  async restoreFolder(
    em: EntityManager,
    id: number,
    trashId: string,
    { name, parentId }: { name: string; parentId: number | null },
  ): Promise<{ folders: number; files: number }> {
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
        update folders set trashed_at = null, trash_id = null, parent_id = ${parentId}, name = ${name},
          name_key = ${normaliseForComparison(name)} where id = ${id} returning 1
      )
      select (select count(*) from back_folders) + (select count(*) from top) as folders,
        (select count(*) from back_files) as files`.execute(query<Tables>(em));
    return rows[0]!;
  }

  /** Returns trashed files, each with its folder, which is null if that doesn't exist or is in the trash. */
  async findFiles(
    em: EntityManager,
    ids: readonly number[],
  ): Promise<{ id: number; name: string; folderId: number | null }[]> {
    const { rows } = await sql<{ id: number; name: string; folderId: number | null }>`
      select f.id, f.original_name as name, p.id as "folderId"
      from files f left join folders p on p.id = f.folder_id and p.trashed_at is null
      where f.id = any(${[...ids]}::bigint[]) order by f.id`.execute(query<Tables>(em));
    return rows;
  }

  /** Restores files to a folder under the given names. */
  async restoreFiles(em: EntityManager, folderId: number | null, files: readonly NamedItem[]): Promise<void> {
    const names = files.map(({ name }) => name);
    await sql`update files f set trashed_at = null, trash_id = null, folder_id = ${folderId}, original_name = n.name,
        name_key = n.key
      from unnest(${files.map(({ id }) => id)}::bigint[], ${names}::text[], ${names.map(normaliseForComparison)}::text[])
        as n (id, name, key) where f.id = n.id`.execute(query<Tables>(em));
  }

  /**
   * Marks entries for purging: those of the given files and folders, or the whole trash of the zone.
   * @returns them, with the number and the bytes of their files
   */
  async markPurging(
    em: EntityManager,
    zoneId: number,
    { fileIds, folderIds, all }: Omit<TrashSelection, 'trashId'> & { readonly all: boolean },
  ) {
    const { rows } = await sql<{ fileId: number | null; folderId: number | null; files: number; bytes: number }>`
      update trash_entries set purging_at = ${this.clock.now()}
      where zone_id = ${zoneId} and purging_at is null and (${all}::boolean
        or file_id = any(${[...fileIds]}::bigint[]) or folder_id = any(${[...folderIds]}::bigint[]))
      returning file_id as "fileId", folder_id as "folderId", files, bytes`.execute(query<Tables>(em));
    return rows;
  }

  /**
   * Marks up to `limit` entries, deleted until `before`, for purging. Skips rows that others have locked.
   * @returns the zones of the marked entries, with duplicates
   */
  async markExpiredPurging(em: EntityManager, before: Date, limit: number): Promise<number[]> {
    const { rows } = await sql<{ zoneId: number }>`
      update trash_entries set purging_at = ${this.clock.now()} where id in (
        select id from trash_entries where deleted_at <= ${before} and purging_at is null
        order by deleted_at, id limit ${limit} for update skip locked
      ) returning zone_id as "zoneId"`.execute(query<Tables>(em));
    return rows.map(({ zoneId }) => zoneId);
  }

  /** Returns the names of files and folders, in the trash or not. */
  async findNames(em: EntityManager, fileIds: readonly number[], folderIds: readonly number[]) {
    const { rows } = await sql<{ kind: string; id: number; name: string }>`
      select 'file' as kind, id, original_name as name from files where id = any(${[...fileIds]}::bigint[])
      union all
      select 'folder', id, name from folders where id = any(${[...folderIds]}::bigint[])`.execute(query<Tables>(em));
    return { files: rows.filter(({ kind }) => kind === 'file'), folders: rows.filter(({ kind }) => kind === 'folder') };
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
