import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { StorageType } from '../../../platform/storage/storage.js';
import type { FileSchema, FileThumbnailSchema } from '../entities/file.entity.js';
import { IMAGE_TYPES, MAX_IMAGE_BYTES } from '../shared/document-types.js';
import type { FileContents } from '../shared/file-contents.js';

type Tables = typeof FileSchema | typeof FileThumbnailSchema;

/** The thumbnails of files, one for each. */
@Injectable()
export class ThumbnailRepository {
  constructor(private readonly em: EntityManager) {}

  async findThumbnail(fileId: number): Promise<{ objectKey: string; size: number } | null> {
    const row = await query<Tables>(this.em)
      .selectFrom('file_thumbnails')
      .select(['object_key as objectKey', 'size'])
      .where('file_id', '=', fileId)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns the object of a file without a thumbnail; null if it has one, or doesn't exist. */
  async findImageWithoutThumbnail(fileId: number): Promise<string | null> {
    const file = await query<Tables>(this.em)
      .selectFrom('files as f')
      .leftJoin('file_thumbnails as t', 't.file_id', 'f.id')
      .select(['f.object_key as objectKey', 't.object_key as thumbnailKey'])
      .where('f.id', '=', fileId)
      .executeTakeFirst();
    return file && file.thumbnailKey === null ? file.objectKey : null;
  }

  /** Returns up to `limit` images without a thumbnail, by id. */
  async findImagesWithoutThumbnail(
    afterId: number,
    limit: number,
    storageTypes: readonly StorageType[],
  ): Promise<number[]> {
    const rows = await query<Tables>(this.em.fork())
      .selectFrom('files as f')
      .leftJoin('file_thumbnails as t', 't.file_id', 'f.id')
      .select('f.id')
      .where('f.id', '>', afterId)
      .where('f.mime_type', 'in', IMAGE_TYPES)
      .where('f.size', '>', 0)
      .where('f.size', '<=', MAX_IMAGE_BYTES)
      .where('f.storage_type', 'in', storageTypes)
      .where('t.file_id', 'is', null)
      .orderBy('f.id')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => Number(id));
  }

  /** Returns the type and the size of a file, in the caller's transaction. */
  async findFileType(em: EntityManager, fileId: number): Promise<{ mimeType: string; size: number } | null> {
    const file = await query<Tables>(em)
      .selectFrom('files')
      .select(['mime_type as mimeType', 'size'])
      .where('id', '=', fileId)
      .executeTakeFirst();
    return file ?? null;
  }

  /** @returns false if there is one, or the file was purged or has other contents */
  async insertThumbnail(
    { fileId, objectKey: contentKey }: FileContents,
    objectKey: string,
    size: number,
  ): Promise<boolean> {
    const { rows } = await sql<{ file_id: number }>`
      insert into file_thumbnails (file_id, object_key, size)
      select id, ${objectKey}, ${size} from files where id = ${fileId} and object_key = ${contentKey} for key share
      on conflict do nothing returning file_id`.execute(query<Tables>(this.em));
    return rows.length > 0;
  }

  /** @returns whether there was one */
  async deleteThumbnail(em: EntityManager, fileId: number, objectKey: string): Promise<boolean> {
    const deleted = await query<Tables>(em)
      .deleteFrom('file_thumbnails')
      .where('file_id', '=', fileId)
      .where('object_key', '=', objectKey)
      .executeTakeFirst();
    return deleted.numDeletedRows > 0n;
  }

  /** Deletes the thumbnail of a file. @returns the keys of its objects */
  async deleteThumbnails(em: EntityManager, fileId: number): Promise<string[]> {
    const rows = await query<Tables>(em)
      .deleteFrom('file_thumbnails')
      .where('file_id', '=', fileId)
      .returning('object_key')
      .execute();
    return rows.map((row) => row.object_key);
  }
}
