import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { StorageType } from '../../../platform/storage/storage.js';
import { normaliseForComparison } from '../../../platform/text/normalise-for-search.js';
import { MAX_DEPTH } from '../access/file.policy.js';
import type { FileSchema } from '../entities/file.entity.js';
import type { FileVersionSchema } from '../entities/file-version.entity.js';
import type { FolderMirrorSchema } from '../entities/folder-mirror.entity.js';
import type { FolderSchema } from '../entities/folder.entity.js';
import type { TransferredItems, TransferSchema } from '../entities/transfer.entity.js';
import type { NamedItem } from '../shared/item-tree.repository.js';

type Tables =
  | typeof FileSchema
  | typeof FileVersionSchema
  | typeof FolderSchema
  | typeof FolderMirrorSchema
  | typeof TransferSchema;

export interface NewTransfer {
  /** Random. */
  readonly id: string;
  readonly kind: 'copy' | 'move';
  readonly userId: number;
  readonly sourceZoneId: number;
  readonly targetZoneId: number;
  readonly items: TransferredItems;
  readonly trashId: string | null;
  readonly expiresAt: Date;
}

/** A folder of a tree that is copied. */
export interface SourceFolder {
  readonly id: number;
  /** The selected folder to whose content it belongs, or which it is. */
  readonly topId: number;
  readonly name: string;
  /** Null for a selected folder. */
  readonly parentId: number | null;
  /** 1 for a selected folder. */
  readonly level: number;
}

/** A file that is copied. */
export interface SourceFile {
  readonly id: number;
  /** The selected folder in which it is; null for a selected file. */
  readonly topId: number | null;
  readonly folderId: number | null;
  readonly name: string;
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly objectKey: string;
  readonly allowDownload: boolean;
  readonly allowText: boolean;
}

/** A copy whose object is stored; its folder is the new one. */
export type FileCopy = Omit<SourceFile, 'id' | 'topId'>;

/** Files and folders that are copied, or moved to another zone. Changes hold the locks of the zones. */
@Injectable()
export class TransferRepository {
  constructor(private readonly clock: Clock) {}

  async insertTransfer(em: EntityManager, transfer: NewTransfer): Promise<void> {
    const { id, kind, userId, sourceZoneId, targetZoneId, items, trashId, expiresAt } = transfer;
    await sql`
      insert into transfers (id, kind, user_id, source_zone_id, target_zone_id, items, trash_id, expires_at)
      values (${id}, ${kind}, ${userId}, ${sourceZoneId}, ${targetZoneId}, ${JSON.stringify(items)}::jsonb, ${trashId},
        ${expiresAt})`.execute(query<Tables>(em));
  }

  /** Returns a transfer of the user that can be undone. */
  async findTransfer(em: EntityManager, id: string, userId: number): Promise<NewTransfer | null> {
    const row = await query<Tables>(em)
      .selectFrom('transfers')
      .select(['id', 'kind', 'user_id as userId', 'source_zone_id as sourceZoneId', 'target_zone_id as targetZoneId'])
      .select(['items', 'trash_id as trashId', 'expires_at as expiresAt'])
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('expires_at', '>', this.clock.now())
      .executeTakeFirst();
    return (row as NewTransfer | undefined) ?? null;
  }

  /** @returns false if it was already undone */
  async deleteTransfer(em: EntityManager, id: string): Promise<boolean> {
    const deleted = await query<Tables>(em).deleteFrom('transfers').where('id', '=', id).executeTakeFirst();
    return deleted.numDeletedRows > 0n;
  }

  async deleteExpired(em: EntityManager): Promise<void> {
    await query<Tables>(em).deleteFrom('transfers').where('expires_at', '<=', this.clock.now()).execute();
  }

  /** Returns the ids of the folders and of all folders in them, excluding the trash. */
  async findSubtree(em: EntityManager, folderIds: readonly number[]): Promise<number[]> {
    if (folderIds.length === 0) return [];
    const { rows } = await sql<{ id: number }>`
      with recursive below as (
        select id from folders where id = any(${[...folderIds]}::bigint[])
        union
        select f.id from below b join folders f on f.parent_id = b.id and f.trashed_at is null
      ) select id from below order by id`.execute(query<Tables>(em));
    return rows.map(({ id }) => id);
  }

  /** Returns the number of the files, and of those in the folders, and their bytes with earlier versions. */
  async measureFiles(
    em: EntityManager,
    fileIds: readonly number[],
    folderIds: readonly number[],
  ): Promise<{ files: number; bytes: number }> {
    const { rows } = await sql<{ files: number; bytes: number }>`
      with chosen as (
        select id, size from files where trashed_at is null
          and (id = any(${[...fileIds]}::bigint[]) or folder_id = any(${[...folderIds]}::bigint[]))
      )
      select count(*) as files, (coalesce(sum(size), 0) + coalesce((
        select sum(v.size) from file_versions v join chosen c on c.id = v.file_id), 0))::bigint as bytes
      from chosen`.execute(query<Tables>(em));
    return rows[0]!;
  }

  /** Returns the name of one of the folders that is mirrored in a zone; null if none is. */
  async findMirroredName(em: EntityManager, folderIds: readonly number[], zoneId: number): Promise<string | null> {
    const { rows } = await sql<{ name: string }>`
      select f.name from folder_mirrors r join folders f on f.id = r.source_folder_id
      where r.source_folder_id = any(${[...folderIds]}::bigint[]) and r.target_zone_id = ${zoneId}
      order by f.id limit 1`.execute(query<Tables>(em));
    return rows[0]?.name ?? null;
  }

  /** Moves files into a folder of a zone under new names. */
  async moveFiles(
    em: EntityManager,
    zoneId: number,
    folderId: number | null,
    files: readonly NamedItem[],
  ): Promise<void> {
    if (files.length === 0) return;
    await sql`update files f set zone_id = ${zoneId}, folder_id = ${folderId}, original_name = n.name,
        name_key = n.key, updated_at = ${this.clock.now()}
      from ${namedItemsSql(files)} where f.id = n.id`.execute(query<Tables>(em));
  }

  /** Moves folders, without their content, into a folder of a zone under new names. */
  async moveFolders(
    em: EntityManager,
    zoneId: number,
    parentId: number | null,
    folders: readonly NamedItem[],
  ): Promise<void> {
    if (folders.length === 0) return;
    await sql`update folders f set zone_id = ${zoneId}, parent_id = ${parentId}, name = n.name, name_key = n.key,
        updated_at = ${this.clock.now()}
      from ${namedItemsSql(folders)} where f.id = n.id`.execute(query<Tables>(em));
  }

  /**
   * Moves the content of folders to their new zone: files, subfolders, and mirrors of them. What is in the trash there
   * stays in its zone, and loses its folder.
   * @param subtreeIds the folders with all their subfolders (`findSubtree`)
   */
  async moveContent(em: EntityManager, zoneId: number, subtreeIds: readonly number[]): Promise<void> {
    if (subtreeIds.length === 0) return;
    const ids = [...subtreeIds];
    const db = query<Tables>(em);
    await sql`update folders set parent_id = null
      where parent_id = any(${ids}::bigint[]) and trashed_at is not null`.execute(db);
    await sql`update files set folder_id = null
      where folder_id = any(${ids}::bigint[]) and trashed_at is not null`.execute(db);
    await sql`update folders set zone_id = ${zoneId}
      where id = any(${ids}::bigint[]) and zone_id <> ${zoneId}`.execute(db);
    await sql`update files set zone_id = ${zoneId}
      where folder_id = any(${ids}::bigint[]) and zone_id <> ${zoneId}`.execute(db);
    await sql`update folder_mirrors set source_zone_id = ${zoneId}
      where source_folder_id = any(${ids}::bigint[])`.execute(db);
  }

  /** Returns the selected folders with their content, parents first; a folder can belong to several selected ones. */
  async listFolders(em: EntityManager, folderIds: readonly number[]): Promise<SourceFolder[]> {
    if (folderIds.length === 0) return [];
    const { rows } = await sql<SourceFolder>`
      with recursive ${treeSql(folderIds)}
      select id, "topId", name, "parentId", level from tree order by level, id, "topId"`.execute(query<Tables>(em));
    return rows;
  }

  /** Returns up to `limit` files: the selected ones, and those in the selected folders. */
  async listFiles(
    em: EntityManager,
    { fileIds, folderIds }: { fileIds: readonly number[]; folderIds: readonly number[] },
    limit: number,
  ): Promise<SourceFile[]> {
    const { rows } = await sql<SourceFile>`
      with recursive ${treeSql(folderIds)}, chosen as (
        select id, null::bigint as "topId" from files where id = any(${[...fileIds]}::bigint[])
        union all
        select f.id, t."topId" from tree t join files f on f.folder_id = t.id
      )
      select f.id, c."topId", case when c."topId" is null then null else f.folder_id end as "folderId",
        f.original_name as name, f.mime_type as "mimeType", f.size, f.sha256, f.object_key as "objectKey",
        f.allow_download as "allowDownload", f.allow_text as "allowText"
      from chosen c join files f on f.id = c.id where f.trashed_at is null
      order by f.id, c."topId" limit ${limit}`.execute(query<Tables>(em));
    return rows;
  }

  /**
   * Inserts copies under names that are free.
   * @returns their ids in the given order
   */
  async insertCopies(
    em: EntityManager,
    { zoneId, userId, storageType }: { zoneId: number; userId: number; storageType: StorageType },
    copies: readonly FileCopy[],
  ): Promise<number[]> {
    if (copies.length === 0) return [];
    const now = this.clock.now();
    const inserted = await query<Tables>(em)
      .insertInto('files')
      .values(
        copies.map((copy) => ({
          original_name: copy.name,
          name_key: normaliseForComparison(copy.name),
          mime_type: copy.mimeType,
          size: copy.size,
          sha256: copy.sha256,
          object_key: copy.objectKey,
          storage_type: storageType,
          zone_id: zoneId,
          folder_id: copy.folderId,
          uploaded_by_id: userId,
          allow_download: copy.allowDownload,
          allow_text: copy.allowText,
          created_at: now,
          updated_at: now,
        })),
      )
      .returning(['id', 'object_key'])
      .execute();
    const idOf = new Map(inserted.map((row) => [row.object_key, Number(row.id)]));
    return copies.map(({ objectKey }) => idOf.get(objectKey)!);
  }
}

const namedItemsSql = (items: readonly NamedItem[]) => sql`
  unnest(${items.map(({ id }) => id)}::bigint[], ${items.map(({ name }) => name)}::text[],
    ${items.map(({ name }) => normaliseForComparison(name))}::text[]) as n (id, name, key)`;

/** Folders with their content outside the trash, once for each selected folder above them. */
const treeSql = (folderIds: readonly number[]) => sql`tree as (
  select id, id as "topId", name, null::bigint as "parentId", 1 as level from folders
  where id = any(${[...folderIds]}::bigint[])
  union all
  select f.id, t."topId", f.name, f.parent_id, t.level + 1
  from tree t join folders f on f.parent_id = t.id and f.trashed_at is null where t.level < ${MAX_DEPTH}
)`;
