import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../../platform/database/query.js';
import type { StorageType } from '../../../../platform/storage/storage.js';
import type { FilePageSchema, FilePageTextSchema, FilePdfSchema } from '../../entities/document.entity.js';
import type { FileSchema, FileThumbnailSchema } from '../../entities/file.entity.js';
import type { FileVersionSchema } from '../../entities/file-version.entity.js';
import type { UploadMultipartSchema, UploadPartSchema, UploadSchema } from '../../entities/upload.entity.js';

type Tables =
  | typeof FileSchema
  | typeof FileThumbnailSchema
  | typeof FileVersionSchema
  | typeof FilePageSchema
  | typeof FilePageTextSchema
  | typeof FilePdfSchema
  | typeof UploadSchema
  | typeof UploadPartSchema
  | typeof UploadMultipartSchema;

/** Rows changed per statement. */
const BATCH_SIZE = 1000;

/** Columns that hold the keys of objects derived from files. */
const DERIVED_KEY_COLUMNS = {
  file_thumbnails: 't.object_key',
  file_pages: 't.object_key',
  file_pdfs: 't.object_key',
  file_page_texts: 't.layer_key',
} as const;
export type DerivedTable = keyof typeof DERIVED_KEY_COLUMNS;
/** Tables whose rows hold keys of objects. */
export type KeyTable = 'files' | 'file_versions' | DerivedTable;

/** Reads which rows reference which objects. */
@Injectable()
export class ObjectReferenceRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns those of the keys that a file, version, upload, thumbnail or page references. */
  async findReferenced(keys: readonly string[]): Promise<string[]> {
    const rows = await query<Tables>(this.em.fork())
      .selectFrom('files')
      .select('object_key')
      .where('object_key', 'in', keys)
      .union((versions) => versions.selectFrom('file_versions').select('object_key').where('object_key', 'in', keys))
      .union((uploads) => uploads.selectFrom('uploads').select('object_key').where('object_key', 'in', keys))
      .union((parts) => parts.selectFrom('upload_parts').select('object_key').where('object_key', 'in', keys))
      .union((multiparts) =>
        multiparts.selectFrom('upload_multiparts').select('object_key').where('object_key', 'in', keys),
      )
      .union((pictures) => pictures.selectFrom('file_thumbnails').select('object_key').where('object_key', 'in', keys))
      .union((pages) => pages.selectFrom('file_pages').select('object_key').where('object_key', 'in', keys))
      .union((pdfs) => pdfs.selectFrom('file_pdfs').select('object_key').where('object_key', 'in', keys))
      .union((texts) =>
        texts
          .selectFrom('file_page_texts')
          .select(sql<string>`layer_key`.as('object_key'))
          .where('layer_key', 'in', keys),
      )
      .execute();
    return rows.map(({ object_key }) => object_key);
  }

  /** Whether any file or version is in a storage of these types. */
  async hasFiles(storageTypes: readonly StorageType[]): Promise<boolean> {
    const row = await query<Tables>(this.em.fork())
      .selectFrom('files')
      .select('id')
      .where('storage_type', 'in', storageTypes)
      .unionAll((versions) =>
        versions.selectFrom('file_versions').select('id').where('storage_type', 'in', storageTypes),
      )
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Whether any of the tables has more than `count` rows. */
  async hasMoreRows(tables: readonly KeyTable[], count: number): Promise<boolean> {
    for (const table of tables) {
      const { rows } = await sql`select 1 from ${sql.table(table)} offset ${count} limit 1`.execute(
        query<Tables>(this.em),
      );
      if (rows.length > 0) return true;
    }
    return false;
  }

  /** Returns the ids of files by the keys of their objects and those of their versions. */
  async findFiles(keyPrefix: string, storageTypes: readonly StorageType[]): Promise<Map<string, number>> {
    const rows = await query<Tables>(this.em)
      .selectFrom('files')
      .select(['object_key', 'id'])
      .where('object_key', 'like', `${keyPrefix}%`)
      .where('storage_type', 'in', storageTypes)
      .unionAll((versions) =>
        versions
          .selectFrom('file_versions')
          .select(['object_key', 'file_id as id'])
          .where('object_key', 'like', `${keyPrefix}%`)
          .where('storage_type', 'in', storageTypes),
      )
      .execute();
    return new Map(rows.map(({ object_key, id }) => [object_key, Number(id)]));
  }

  /** Returns the ids of files by the keys of derived objects that the given tables reference. */
  async findDerived(
    tables: readonly DerivedTable[],
    keyPrefix: string,
    storageTypes: readonly StorageType[],
  ): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (const table of tables) {
      const key = sql.ref(DERIVED_KEY_COLUMNS[table]);
      const { rows } = await sql<{ key: string; file_id: number }>`
        select ${key} as key, t.file_id from ${sql.table(table)} t join files f on f.id = t.file_id
        where ${key} like ${`${keyPrefix}%`} and f.storage_type = any(${[...storageTypes]}::text[])`.execute(
        query<Tables>(this.em),
      );
      for (const row of rows) found.set(row.key, Number(row.file_id));
    }
    return found;
  }

  /** Returns the SHA-256 of those of the objects that are contents of a file or version, by key. */
  async findHashes(keys: readonly string[]): Promise<Map<string, string>> {
    if (keys.length === 0) return new Map();
    const rows = await query<Tables>(this.em.fork())
      .selectFrom('files')
      .select(['object_key', 'sha256'])
      .where('object_key', 'in', keys)
      .unionAll((versions) =>
        versions.selectFrom('file_versions').select(['object_key', 'sha256']).where('object_key', 'in', keys),
      )
      .execute();
    return new Map(rows.map(({ object_key, sha256 }) => [object_key, sha256]));
  }

  /** Changes the recorded storage of all objects, a batch per statement. */
  async changeStorageType(from: StorageType, to: StorageType): Promise<void> {
    for (const table of ['files', 'file_versions', 'quarantined_objects'] as const) {
      for (let last: number | null = 0; last !== null;) {
        const { rows }: { rows: { last: number | null }[] } = await sql<{ last: number | null }>`
          with batch as (
            select id from ${sql.table(table)} where id > ${last} and storage_type = ${from}
            order by id limit ${BATCH_SIZE} for update),
          changed as (
            update ${sql.table(table)} t set storage_type = ${to} from batch where t.id = batch.id returning t.id)
          select max(id) as last from changed`.execute(query<Tables>(this.em.fork()));
        last = rows[0]!.last;
      }
    }
  }

  /** Returns those of the keys that files and versions still reference. */
  async findFileKeys(keys: readonly string[]): Promise<string[]> {
    if (keys.length === 0) return [];
    const rows = await query<Tables>(this.em)
      .selectFrom('files')
      .select('object_key')
      .where('object_key', 'in', keys)
      .union((versions) => versions.selectFrom('file_versions').select('object_key').where('object_key', 'in', keys))
      .execute();
    return rows.map(({ object_key }) => object_key);
  }
}
