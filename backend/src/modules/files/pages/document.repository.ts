import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { OpenedDocument, OutlineEntry, RenderFailure } from '../../../platform/rendering/rendering-protocol.js';
import type { StorageType } from '../../../platform/storage/storage.js';
import type { ZoneSchema } from '../../zones/entities/zone.entity.js';
import type { FileDocumentSchema, FilePdfSchema } from '../entities/document.entity.js';
import type { FileSchema, FileThumbnailSchema } from '../entities/file.entity.js';
import { DOCUMENT_TYPES, RENDERED_TYPES } from '../shared/document-types.js';
import type { FileContents } from '../shared/file-contents.js';

type Tables =
  typeof FileSchema | typeof ZoneSchema | typeof FileThumbnailSchema | typeof FileDocumentSchema | typeof FilePdfSchema;

/** The PDF of a converted document. */
export interface ConvertedPdf {
  readonly objectKey: string;
  /** Bytes. */
  readonly size: number;
  readonly hidden: { readonly sheets: number; readonly deletions: boolean } | null | undefined;
}

/**
 * What is known of documents besides their pages and texts. Rows are written only if the file still has the contents
 * from which the data was generated.
 */
@Injectable()
export class DocumentRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns a document in a storage of the given types with all that is known of it; null if the file is not a document. */
  async findDocument(fileId: number, storageTypes: readonly StorageType[]) {
    const row = await query<Tables>(this.em)
      .selectFrom('files as f')
      .innerJoin('zones as z', 'z.id', 'f.zone_id')
      .leftJoin('file_documents as d', 'd.file_id', 'f.id')
      .leftJoin('file_thumbnails as t', 't.file_id', 'f.id')
      .leftJoin('file_pdfs as p', 'p.file_id', 'f.id')
      .select([
        'z.owner_id',
        'f.object_key',
        'f.size',
        'f.mime_type',
        'd.content_key',
        'd.state',
        'd.failure',
        'd.page_count',
        'd.texts',
      ])
      .select(['t.file_id as thumbnail_of', 'p.object_key as pdf_key', 'p.size as pdf_size'])
      .where('f.id', '=', fileId)
      .where('f.mime_type', 'in', DOCUMENT_TYPES)
      .where('f.storage_type', 'in', storageTypes)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns the content of a document besides its pages; null if nothing is known of it. */
  async findContent(fileId: number) {
    const row = await query<Tables>(this.em)
      .selectFrom('file_documents')
      .select(['sizes', 'outline', 'attachments', 'hidden_sheets', 'hidden_deletions', 'hidden_layers'])
      .where('file_id', '=', fileId)
      .executeTakeFirst();
    return row ?? null;
  }

  /**
   * Returns up to `limit` ids of documents about which nothing, or not enough, is known.
   * @param isOfficeInstalled includes documents that failed because it was not
   */
  async findUnrendered(
    afterId: number,
    limit: number,
    { storageTypes, isOfficeInstalled }: { storageTypes: readonly StorageType[]; isOfficeInstalled: boolean },
  ): Promise<number[]> {
    const rows = await query<Tables>(this.em.fork())
      .selectFrom('files as f')
      .leftJoin('file_documents as d', 'd.file_id', 'f.id')
      .select('f.id')
      .where('f.id', '>', afterId)
      .where('f.size', '>', 0)
      .where('f.storage_type', 'in', storageTypes)
      .where((file) =>
        file.or([
          file('d.state', '=', 'waiting'),
          ...(isOfficeInstalled ? [file('d.failure', '=', 'no-office')] : []),
          file.and([file('d.file_id', 'is', null), file('f.mime_type', 'in', RENDERED_TYPES)]),
        ]),
      )
      .orderBy('f.id')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => Number(id));
  }

  /** Records that a document has text in hidden layers. */
  async markHiddenLayers({ fileId, objectKey }: FileContents): Promise<void> {
    await query<Tables>(this.em)
      .updateTable('file_documents')
      .set({ hidden_layers: true })
      .where('file_id', '=', fileId)
      .where('content_key', '=', objectKey)
      .execute();
  }

  async saveOutline({ fileId, objectKey }: FileContents, outline: readonly OutlineEntry[]): Promise<void> {
    await sql`
      update file_documents set outline = ${JSON.stringify(outline)}::jsonb
      where file_id = ${fileId} and content_key = ${objectKey}`.execute(query<Tables>(this.em));
  }

  /**
   * Inserts the row of a document that waits for its rendering.
   * @returns false if there is one, or the file has other contents
   */
  async insertWaiting(em: EntityManager, { fileId, objectKey }: FileContents): Promise<boolean> {
    const { rows } = await sql`
      insert into file_documents (file_id, content_key, state, updated_at)
      select id, object_key, 'waiting', ${this.clock.now()}::timestamptz
      from files where id = ${fileId} and object_key = ${objectKey} for key share
      on conflict do nothing returning file_id`.execute(query<Tables>(em));
    return rows.length > 0;
  }

  /** Marks a failed document as waiting. */
  async markWaiting(em: EntityManager, fileId: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('file_documents')
      .set({ state: 'waiting', failure: null, updated_at: this.clock.now() })
      .where('file_id', '=', fileId)
      .where('state', 'in', ['failed', 'none'])
      .execute();
  }

  /** Records the number and sizes of pages and the attachments. */
  async saveOpened({ fileId, objectKey }: FileContents, { count, sizes, attachments }: OpenedDocument): Promise<void> {
    await sql`
      insert into file_documents (file_id, content_key, state, page_count, sizes, attachments, updated_at)
      select id, object_key, 'waiting', ${count}::int, ${JSON.stringify(sizes)}::jsonb,
        ${JSON.stringify(attachments)}::jsonb, ${this.clock.now()}::timestamptz
      from files where id = ${fileId} and object_key = ${objectKey} for key share
      on conflict (file_id) do update set page_count = excluded.page_count, sizes = excluded.sizes,
        attachments = excluded.attachments, updated_at = excluded.updated_at`.execute(query<Tables>(this.em));
  }

  /** Marks a waiting document as ready. @param hasText whether its texts are to be extracted */
  async markReady(em: EntityManager, { fileId, objectKey }: FileContents, hasText: boolean): Promise<void> {
    const now = this.clock.now();
    await sql`
      update file_documents set state = 'ready', texts = case when ${hasText} then texts else 'ready' end,
        first_at = coalesce(first_at, ${now}::timestamptz), updated_at = ${now}::timestamptz
      where file_id = ${fileId} and content_key = ${objectKey} and state = 'waiting'`.execute(query<Tables>(em));
  }

  /** Records that a document can't be rendered; `none` if that may change without other contents. */
  async markFailed(
    { fileId, objectKey }: FileContents,
    state: 'failed' | 'none',
    failure: RenderFailure,
  ): Promise<void> {
    await sql`
      insert into file_documents (file_id, content_key, state, failure, updated_at)
      select id, object_key, ${state}, ${failure}, ${this.clock.now()}::timestamptz
      from files where id = ${fileId} and object_key = ${objectKey} for key share
      on conflict (file_id) do update set state = excluded.state, failure = excluded.failure, updated_at = excluded.updated_at`.execute(
      query<Tables>(this.em),
    );
  }

  /** Locks a row that was generated from other contents than these, which the file must still have; false if there is none. */
  async lockStale(em: EntityManager, { fileId, objectKey }: FileContents): Promise<boolean> {
    const { rows } = await sql`
      select d.file_id from file_documents d join files f on f.id = d.file_id
      where d.file_id = ${fileId} and f.object_key = ${objectKey} and d.content_key <> ${objectKey} for update of d`.execute(
      query<Tables>(em),
    );
    return rows.length > 0;
  }

  async deleteDocument(em: EntityManager, fileId: number): Promise<void> {
    await query<Tables>(em).deleteFrom('file_documents').where('file_id', '=', fileId).execute();
  }

  /**
   * Records the PDF of a converted document, unless another conversion finished first.
   * @returns the PDF that is stored in the end; null if the file was purged or has other contents
   */
  async savePdf(
    em: EntityManager,
    { fileId, objectKey }: FileContents,
    { objectKey: key, size, hidden }: ConvertedPdf,
  ): Promise<{ objectKey: string; size: number } | null> {
    const db = query<Tables>(em);
    await sql`
      insert into file_documents (file_id, content_key, state, updated_at)
      select id, object_key, 'waiting', ${this.clock.now()}::timestamptz
      from files where id = ${fileId} and object_key = ${objectKey} for key share
      on conflict (file_id) do update set state = 'waiting', failure = null where file_documents.state = 'none'`.execute(
      db,
    );
    await sql`
      insert into file_pdfs (file_id, object_key, size)
      select file_id, ${key}, ${size}::int from file_documents
      where file_id = ${fileId} and content_key = ${objectKey} for key share
      on conflict do nothing`.execute(db);
    await db
      .updateTable('file_documents')
      .set({ hidden_sheets: hidden?.sheets ?? 0, hidden_deletions: hidden?.deletions ?? false })
      .where('file_id', '=', fileId)
      .where('content_key', '=', objectKey)
      .execute();
    const row = await db
      .selectFrom('file_pdfs')
      .select(['object_key', 'size'])
      .where('file_id', '=', fileId)
      .executeTakeFirst();
    return row ? { objectKey: row.object_key, size: row.size } : null;
  }
}
