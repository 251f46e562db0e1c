import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { RenderFailure } from '../../../platform/rendering/rendering-protocol.js';
import type {
  FileBrokenPageSchema,
  FileDocumentSchema,
  FilePageSchema,
  FilePdfSchema,
} from '../entities/document.entity.js';
import type { FileSchema } from '../entities/file.entity.js';
import type { FileContents } from '../shared/file-contents.js';

type Tables =
  | typeof FileSchema
  | typeof FileDocumentSchema
  | typeof FilePageSchema
  | typeof FilePdfSchema
  | typeof FileBrokenPageSchema;

/** Tables that reference objects of pages: their primary keys, and the column with the object key. */
const PAGE_TABLES = [
  { table: sql`file_pdfs`, key: sql`file_id`, object: sql`object_key` },
  { table: sql`file_pages`, key: sql`file_id, page, width`, object: sql`object_key` },
  { table: sql`file_page_texts`, key: sql`file_id, page`, object: sql`layer_key` },
];
/** Rows deleted per statement. */
const ROWS_PER_STATEMENT = 5000;

/** A rendered page. */
export interface StoredPage {
  readonly objectKey: string;
  /** Bytes. */
  readonly size: number;
}

/** Rendered pages, at several widths each, and pages that can't be rendered. */
@Injectable()
export class PageRepository {
  constructor(private readonly em: EntityManager) {}

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
   * Inserts a page.
   * @returns false if there is one, or the file was purged or has other contents
   */
  async insertPage(
    { fileId, objectKey }: FileContents,
    page: number,
    width: number,
    { objectKey: key, size }: StoredPage,
  ): Promise<boolean> {
    const { rows } = await sql`
      insert into file_pages (file_id, page, width, object_key, size)
      select f.id, ${page}::int, ${width}::smallint, ${key}, ${size}::int
      from files f join file_documents d on d.file_id = f.id
      where f.id = ${fileId} and f.object_key = ${objectKey} and d.content_key = ${objectKey} for key share of f
      on conflict do nothing returning file_id`.execute(query<Tables>(this.em));
    return rows.length > 0;
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
  async insertBrokenPage({ fileId, objectKey }: FileContents, page: number, failure: RenderFailure): Promise<void> {
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

  /**
   * Deletes the row of a page, or of the PDF from which pages are rendered.
   * @returns whether there was one
   */
  async deletePageOrPdf(em: EntityManager, fileId: number, objectKey: string): Promise<boolean> {
    let deleted = 0n;
    for (const table of ['file_pages', 'file_pdfs'] as const) {
      const { numDeletedRows } = await query<Tables>(em)
        .deleteFrom(table)
        .where('file_id', '=', fileId)
        .where('object_key', '=', objectKey)
        .executeTakeFirst();
      deleted += numDeletedRows;
    }
    return deleted > 0n;
  }

  async deleteBrokenPages(em: EntityManager, fileId: number): Promise<void> {
    await query<Tables>(em).deleteFrom('file_broken_pages').where('file_id', '=', fileId).execute();
  }

  /**
   * Deletes the pages, PDFs and texts of files in batches, since a document can have ten thousand pages.
   * @returns the keys of their objects, batch by batch
   */
  async *deletePages(em: EntityManager, fileIds: readonly number[]): AsyncGenerator<string[]> {
    const ids = sql`${[...fileIds]}::bigint[]`;
    for (const { table, key, object } of PAGE_TABLES)
      for (let removed = ROWS_PER_STATEMENT; removed === ROWS_PER_STATEMENT;) {
        const { rows } = await sql<{ object: string | null }>`
          delete from ${table} where (${key}) in (
            select ${key} from ${table} where file_id = any(${ids}) limit ${ROWS_PER_STATEMENT}
          ) returning ${object} as object`.execute(query<Tables>(em));
        removed = rows.length;
        yield rows.flatMap((row) => row.object ?? []);
      }
  }
}
