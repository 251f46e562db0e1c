import { Readable } from 'node:stream';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { RenderFailure } from '../../../platform/rendering/rendering-protocol.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { newObjectKey, Storage } from '../../../platform/storage/storage.js';
import type {
  FileBrokenPageSchema,
  FileDocumentSchema,
  FilePageSchema,
  FilePdfSchema,
} from '../entities/document.entity.js';
import type { FileSchema } from '../entities/file.entity.js';
import { deleteObjects, renderFirstPages } from '../files.jobs.js';
import type { DocumentFile } from './document-file.js';

type Tables =
  | typeof FileSchema
  | typeof FileDocumentSchema
  | typeof FilePageSchema
  | typeof FilePdfSchema
  | typeof FileBrokenPageSchema;

/** Key prefix of page objects. */
export const PAGE_KEY_PREFIX = 'pages';
/** Tables that reference objects with that prefix: their primary keys, and the column with the object key. */
const PAGE_TABLES = [
  { table: sql`file_pdfs`, key: sql`file_id`, object: sql`object_key` },
  { table: sql`file_pages`, key: sql`file_id, page, width`, object: sql`object_key` },
  { table: sql`file_page_texts`, key: sql`file_id, page`, object: sql`layer_key` },
];
/** Rows deleted per statement, and objects deleted per job. */
const ROWS_PER_STATEMENT = 5000;
const OBJECTS_PER_JOB = 500;

/** A rendered page. */
export interface StoredPage {
  readonly objectKey: string;
  /** Bytes. */
  readonly size: number;
}

/** Stores rendered pages: the rows and the objects that they reference. */
@Injectable()
export class PageStoreService {
  constructor(
    private readonly em: EntityManager,
    private readonly storage: Storage,
    private readonly jobs: JobsService,
  ) {}

  /** Returns the page rendered at this width, or null. */
  async findPage(fileId: number, page: number, width: number): Promise<StoredPage | null> {
    const row = await query<Tables>(this.em)
      .selectFrom('file_pages')
      .select(['object_key as objectKey', 'size'])
      .where('file_id', '=', fileId)
      .where('page', '=', page)
      .where('width', '=', width)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns the widths at which a page is stored. */
  async findWidths(fileId: number, page: number): Promise<number[]> {
    const rows = await query<Tables>(this.em)
      .selectFrom('file_pages')
      .select('width')
      .where('file_id', '=', fileId)
      .where('page', '=', page)
      .execute();
    return rows.map(({ width }) => width);
  }

  /**
   * Stores a page. The object is written first and deleted again if another rendering finished earlier.
   * @returns the page that is stored in the end; null if the file was purged in the meantime or has other contents
   */
  async savePage(
    { fileId, objectKey }: DocumentFile,
    page: number,
    width: number,
    bytes: Buffer,
  ): Promise<StoredPage | null> {
    const key = newObjectKey(PAGE_KEY_PREFIX);
    const { size } = await this.storage.write(key, Readable.from([bytes]));
    const { rows } = await sql`
      insert into file_pages (file_id, page, width, object_key, size)
      select f.id, ${page}::int, ${width}::smallint, ${key}, ${size}::int
      from files f join file_documents d on d.file_id = f.id
      where f.id = ${fileId} and d.content_key = ${objectKey} for key share of f
      on conflict do nothing returning file_id`.execute(query<Tables>(this.em));
    if (rows.length > 0) return { objectKey: key, size };
    await this.storage.delete(key);
    return this.findPage(fileId, page, width);
  }

  /** Returns why a page can't be rendered, or null if it is not known to be broken. */
  async findPageFailure(fileId: number, page: number): Promise<RenderFailure | null> {
    const row = await query<Tables>(this.em)
      .selectFrom('file_broken_pages')
      .select('failure')
      .where('file_id', '=', fileId)
      .where('page', '=', page)
      .executeTakeFirst();
    return row?.failure ?? null;
  }

  /** Records that a page can't be rendered because of its content, so that it is not attempted again. */
  async recordBrokenPage({ fileId, objectKey }: DocumentFile, page: number, failure: RenderFailure): Promise<void> {
    await sql`
      insert into file_broken_pages (file_id, page, failure)
      select file_id, ${page}::int, ${failure} from file_documents
      where file_id = ${fileId} and content_key = ${objectKey} for key share
      on conflict do nothing`.execute(query<Tables>(this.em));
  }

  /** Deletes the row of a page whose object is lost, so that the page is rendered again. */
  async deletePage(fileId: number, objectKey: string): Promise<void> {
    await query<Tables>(this.em)
      .deleteFrom('file_pages')
      .where('file_id', '=', fileId)
      .where('object_key', '=', objectKey)
      .execute();
  }

  /** Deletes the row of a lost page, or of a lost PDF from which pages are rendered, and enqueues the rendering. */
  async rerenderLost(fileId: number, objectKey: string): Promise<void> {
    await inTransaction(this.em, async (em) => {
      let lost = 0n;
      for (const table of ['file_pages', 'file_pdfs'] as const) {
        const { numDeletedRows } = await query<Tables>(em)
          .deleteFrom(table)
          .where('file_id', '=', fileId)
          .where('object_key', '=', objectKey)
          .executeTakeFirst();
        lost += numDeletedRows;
      }
      if (lost > 0n) await this.jobs.enqueue(em, renderFirstPages, { fileId });
    });
  }

  /**
   * Deletes the pages and texts of files that are being deleted, and enqueues the deletion of their objects. Works in
   * batches, since a document can have ten thousand pages.
   */
  async deletePages(em: EntityManager, fileIds: readonly number[]): Promise<void> {
    const ids = sql`${fileIds}::bigint[]`;
    for (const { table, key, object } of PAGE_TABLES)
      for (let removed = ROWS_PER_STATEMENT; removed === ROWS_PER_STATEMENT;) {
        const { rows } = await sql<{ object: string | null }>`
          delete from ${table} where (${key}) in (
            select ${key} from ${table} where file_id = any(${ids}) limit ${ROWS_PER_STATEMENT}
          ) returning ${object} as object`.execute(query<Tables>(em));
        removed = rows.length;
        await this.enqueueObjectDeletion(
          em,
          rows.flatMap((row) => row.object ?? []),
        );
      }
  }

  /** Enqueues the deletion of objects after the commit, a few hundred per job. */
  async enqueueObjectDeletion(em: EntityManager, keys: readonly string[]): Promise<void> {
    const payloads = Array.from({ length: Math.ceil(keys.length / OBJECTS_PER_JOB) }, (_, index) => ({
      objectKeys: keys.slice(index * OBJECTS_PER_JOB, (index + 1) * OBJECTS_PER_JOB),
    }));
    await this.jobs.enqueueMany(em, deleteObjects, payloads);
  }
}
