import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../../platform/database/query.js';
import { ReferencedObjects, type ObjectReferences } from '../../../../platform/storage/ownership/referenced-objects.js';
import { Storage } from '../../../../platform/storage/storage.js';
import type { FilePageSchema, FilePageTextSchema, FilePdfSchema } from '../../entities/document.entity.js';
import type { FileThumbnailSchema, FileSchema } from '../../entities/file.entity.js';
import type { UploadPartSchema, UploadSchema } from '../../entities/upload.entity.js';

type Tables =
  | typeof FileSchema
  | typeof FileThumbnailSchema
  | typeof FilePageSchema
  | typeof FilePageTextSchema
  | typeof FilePdfSchema
  | typeof UploadSchema
  | typeof UploadPartSchema;

/** Reports the objects referenced by files, thumbnails, pages and uploads in progress. */
@Injectable()
export class FileObjectReferences implements ObjectReferences {
  constructor(
    private readonly em: EntityManager,
    private readonly storage: Storage,
    names: ReferencedObjects,
  ) {
    names.add(this);
  }

  /** Returns those of the keys that a file, upload, thumbnail or page still references. */
  async findReferenced(keys: readonly string[]): Promise<string[]> {
    const rows = await query<Tables>(this.em.fork())
      .selectFrom('files')
      .select('object_key')
      .where('object_key', 'in', keys)
      .union((uploads) => uploads.selectFrom('uploads').select('object_key').where('object_key', 'in', keys))
      .union((parts) => parts.selectFrom('upload_parts').select('object_key').where('object_key', 'in', keys))
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

  /** Whether any file is stored in the currently configured storage. */
  async hasReferences(): Promise<boolean> {
    const row = await query<Tables>(this.em.fork())
      .selectFrom('files')
      .select('id')
      .where('storage_type', '=', this.storage.type)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }
}
