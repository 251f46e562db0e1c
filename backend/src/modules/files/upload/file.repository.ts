import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { StorageType } from '../../../platform/storage/storage.js';
import { normaliseForComparison } from '../../../platform/text/normalise-for-search.js';
import type { FileSchema } from '../entities/file.entity.js';
import type { FileVersionSchema } from '../entities/file-version.entity.js';

type Tables = typeof FileSchema | typeof FileVersionSchema;

/** Where new files belong. */
export interface FileOrigin {
  readonly zoneId: number;
  readonly folderId: number | null;
  /** Null for the guest of a link. */
  readonly userId: number | null;
  /** Idempotency key of the upload. */
  readonly key: string | null;
  readonly storageType: StorageType;
}

export interface NewFile {
  readonly name: string;
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly objectKey: string;
}

/** A file whose content is replaced. */
export interface ReplacedFile {
  readonly name: string;
  readonly mimeType: string;
  /** Null at the root. */
  readonly folderId: number | null;
  readonly version: number;
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Inserts files, and replaces their contents. */
@Injectable()
export class FileRepository {
  constructor(private readonly clock: Clock) {}

  /**
   * Inserts files in the order of their names, so that two requests with the same names wait for each other instead of
   * deadlocking.
   * @returns their ids in the given order; null where the name is taken
   */
  async insertFiles(em: EntityManager, origin: FileOrigin, files: readonly NewFile[]): Promise<(number | null)[]> {
    const now = this.clock.now();
    const rows = files.map((file) => ({
      original_name: file.name,
      name_key: normaliseForComparison(file.name),
      mime_type: file.mimeType,
      size: file.size,
      sha256: file.sha256,
      object_key: file.objectKey,
      storage_type: origin.storageType,
      zone_id: origin.zoneId,
      folder_id: origin.folderId,
      uploaded_by_id: origin.userId,
      upload_key: origin.key,
      created_at: now,
      updated_at: now,
    }));
    const inserted = await query<Tables>(em)
      .insertInto('files')
      .values(rows.toSorted((a, b) => (a.name_key < b.name_key ? -1 : 1)))
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'name_key'])
      .execute();
    const idOf = new Map(inserted.map((row) => [row.name_key, Number(row.id)]));
    return rows.map((row) => idOf.get(row.name_key) ?? null);
  }

  /** Locks a file for the replacement of its content; null if it isn't in the zone or is in the trash. */
  async lockContent(em: EntityManager, fileId: number, zoneId: number): Promise<ReplacedFile | null> {
    const row = await query<Tables>(em)
      .selectFrom('files')
      .select(['original_name as name', 'mime_type as mimeType', 'folder_id as folderId', 'version', 'size', 'sha256'])
      .where('id', '=', fileId)
      .where('zone_id', '=', zoneId)
      .where('trashed_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    return row ?? null;
  }

  /** Makes the content of a locked file an earlier version, and the given one current. The name stays. */
  async replaceContent(
    em: EntityManager,
    fileId: number,
    content: Omit<NewFile, 'name'> & { readonly userId: number; readonly storageType: StorageType; readonly at: Date },
  ): Promise<void> {
    const { mimeType, size, sha256, objectKey, userId, storageType, at } = content;
    await sql`
      with earlier as (
        insert into file_versions (file_id, number, original_name, mime_type, size, sha256, object_key, storage_type,
          uploaded_by_id, uploaded_at, created_at)
        select id, version, original_name, mime_type, size, sha256, object_key, storage_type,
          uploaded_by_id, coalesce(replaced_at, created_at), ${at}::timestamptz
        from files where id = ${fileId}
      )
      update files set version = version + 1, replaced_at = ${at}, updated_at = ${at}, uploaded_by_id = ${userId},
        mime_type = ${mimeType}, size = ${size}, sha256 = ${sha256}, object_key = ${objectKey},
        storage_type = ${storageType}
      where id = ${fileId}`.execute(query<Tables>(em));
  }

  /** Returns the files that a request with this idempotency key created, by id. */
  async findByUploadKey(em: EntityManager, userId: number, zoneId: number, key: string): Promise<number[]> {
    const rows = await query<Tables>(em)
      .selectFrom('files')
      .select('id')
      .where('uploaded_by_id', '=', userId)
      .where('upload_key', '=', key)
      .where('zone_id', '=', zoneId)
      .where('trashed_at', 'is', null)
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => Number(id));
  }
}
