import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { FileSchema, FileThumbnailSchema } from '../entities/file.entity.js';
import type { FileVersionSchema } from '../entities/file-version.entity.js';
import type { FolderSchema } from '../entities/folder.entity.js';
import type { TrashEntrySchema } from '../entities/trash-entry.entity.js';

type Tables =
  | typeof FileSchema
  | typeof FileThumbnailSchema
  | typeof FileVersionSchema
  | typeof FolderSchema
  | typeof TrashEntrySchema;

/** A folder in the trash that is being purged. */
export interface PurgedFolder {
  readonly folderId: number;
  readonly trashId: string;
}

/** Deletes the rows of files and folders permanently. Files are locked in id order. */
@Injectable()
export class FilePurgeRepository {
  /** Locks up to `limit` files of a zone. */
  lockZoneFiles(em: EntityManager, zoneId: number, limit: number): Promise<number[]> {
    return this.lockFiles(em, sql`select id from files where zone_id = ${zoneId} limit ${limit}`);
  }

  /** Locks up to `limit` files of a zone that are in the trash on their own and marked for purging. */
  lockMarkedFiles(em: EntityManager, zoneId: number, limit: number): Promise<number[]> {
    return this.lockFiles(
      em,
      sql`select f.id from trash_entries e join files f on f.id = e.file_id
        where e.zone_id = ${zoneId} and e.purging_at is not null order by e.id limit ${limit} for update of f`,
    );
  }

  /** Locks the first folder of a zone that is marked for purging. */
  async lockMarkedFolder(em: EntityManager, zoneId: number): Promise<PurgedFolder | null> {
    const entry = await query<Tables>(em)
      .selectFrom('trash_entries')
      .select(['folder_id', 'trash_id'])
      .where('zone_id', '=', zoneId)
      .where('purging_at', 'is not', null)
      .where('folder_id', 'is not', null)
      .orderBy('id')
      .limit(1)
      .forUpdate()
      .executeTakeFirst();
    return entry ? { folderId: entry.folder_id!, trashId: entry.trash_id } : null;
  }

  /** Locks up to `limit` files that were deleted together with the folder. */
  lockFilesInFolder(em: EntityManager, folder: PurgedFolder, limit: number): Promise<number[]> {
    return this.lockFiles(
      em,
      sql`${treeSql(folder)} select x.id from tree t join files x on x.folder_id = t.id and x.trash_id = ${folder.trashId}::uuid
        limit ${limit}`,
    );
  }

  /** Returns the folder and those below it that were deleted together with it. */
  async findSubtree(em: EntityManager, folder: PurgedFolder): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`${treeSql(folder)} select id from tree`.execute(query<Tables>(em));
    return rows.map(({ id }) => id);
  }

  /**
   * Deletes folders. Items that were deleted before their folder stay in the trash and will be restored to the root.
   * Mirrors of the folders are deleted too.
   */
  async deleteFolders(em: EntityManager, folderIds: readonly number[]): Promise<void> {
    const db = query<Tables>(em);
    const ids = sql`${[...folderIds]}::bigint[]`;
    await sql`update files set folder_id = null where folder_id = any(${ids})`.execute(db);
    await sql`update folders set parent_id = null where parent_id = any(${ids}) and id <> all(${ids})`.execute(db);
    await sql`delete from folders where id = any(${ids})`.execute(db);
  }

  /**
   * Deletes locked files with their versions and thumbnails.
   * @returns the number of files, the bytes of all their contents, and the keys of their objects
   */
  async deleteFiles(
    em: EntityManager,
    ids: readonly number[],
  ): Promise<{ count: number; bytes: number; objectKeys: string[] }> {
    const { rows } = await sql<{ kind: string; object_key: string; bytes: number }>`
      with earlier as (delete from file_versions where file_id = any(${[...ids]}::bigint[]) returning object_key, size),
        deleted as (delete from files where id = any(${[...ids]}::bigint[]) returning id, object_key, size),
        pictures as (delete from file_thumbnails where file_id in (select id from deleted) returning object_key)
      select 'file' as kind, object_key, size as bytes from deleted
      union all select 'version', object_key, size from earlier
      union all select 'thumbnail', object_key, 0 from pictures`.execute(query<Tables>(em));
    return {
      count: rows.filter(({ kind }) => kind === 'file').length,
      bytes: rows.reduce((sum, row) => sum + row.bytes, 0),
      objectKeys: rows.map((row) => row.object_key),
    };
  }

  /** Locks the files that a query for ids returns, in id order. */
  private async lockFiles(em: EntityManager, ids: RawBuilder<unknown>): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select id from files where id in (${ids}) order by id for update`.execute(query<Tables>(em));
    return rows.map(({ id }) => id);
  }
}

const treeSql = ({ folderId, trashId }: PurgedFolder) => sql`
  with recursive tree as (
    select id from folders where id = ${folderId}
    union all
    select f.id from tree t join folders f on f.parent_id = t.id and f.trash_id = ${trashId}::uuid
  )`;
