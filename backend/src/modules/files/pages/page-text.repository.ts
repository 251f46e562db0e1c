import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { containsPattern } from '../../../platform/http/lists/admin-list.js';
import { normaliseForSearchSql } from '../../../platform/text/normalise-for-search.js';
import type { FileDocumentSchema, FilePageTextSchema } from '../entities/document.entity.js';
import type { FileSchema } from '../entities/file.entity.js';
import type { FileContents } from '../shared/file-contents.js';

type Tables = typeof FileSchema | typeof FileDocumentSchema | typeof FilePageTextSchema;

export interface StoredPageText {
  /** Key of the object with words, positions and links; null if the page has none. */
  readonly layerKey: string | null;
}

/** The texts of pages, and how far their extraction is (`file_documents.texts`). */
@Injectable()
export class PageTextRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns null if the page is not extracted yet. */
  async findText(fileId: number, page: number): Promise<StoredPageText | null> {
    const row = await query<Tables>(this.em)
      .selectFrom('file_page_texts')
      .select('layer_key as layerKey')
      .where('file_id', '=', fileId)
      .where('page', '=', page)
      .executeTakeFirst();
    return row ?? null;
  }

  /**
   * Inserts the text of a page.
   * @returns false if there is one, or the file was purged or has other contents
   */
  async insertText(
    { fileId, objectKey }: FileContents,
    page: number,
    text: string,
    layerKey: string | null,
  ): Promise<boolean> {
    const { rows } = await sql`
      insert into file_page_texts (file_id, page, text, layer_key)
      select f.id, ${page}::int, ${text}, ${layerKey}
      from files f join file_documents d on d.file_id = f.id
      where f.id = ${fileId} and f.object_key = ${objectKey} and d.content_key = ${objectKey} for key share of f
      on conflict do nothing returning file_id`.execute(query<Tables>(this.em));
    return rows.length > 0;
  }

  /** @returns whether there was one */
  async deleteText(em: EntityManager, fileId: number, layerKey: string): Promise<boolean> {
    const deleted = await query<Tables>(em)
      .deleteFrom('file_page_texts')
      .where('file_id', '=', fileId)
      .where('layer_key', '=', layerKey)
      .executeTakeFirst();
    return deleted.numDeletedRows > 0n;
  }

  /** Deletes the pages from which nothing could be read. They are extracted again once the document is ready. */
  async deleteEmptyTexts(em: EntityManager, fileId: number): Promise<void> {
    const db = query<Tables>(em);
    await db.updateTable('file_documents').set({ texts: 'none' }).where('file_id', '=', fileId).execute();
    await db.deleteFrom('file_page_texts').where('file_id', '=', fileId).where('layer_key', 'is', null).execute();
  }

  /** Marks the texts of a ready document as waiting for extraction; false if they were before. */
  async markWaiting(em: EntityManager, { fileId, objectKey }: FileContents): Promise<boolean> {
    const ordered = await query<Tables>(em)
      .updateTable('file_documents')
      .set({ texts: 'waiting' })
      .where('file_id', '=', fileId)
      .where('content_key', '=', objectKey)
      .where('state', '=', 'ready')
      .where('texts', '=', 'none')
      .executeTakeFirst();
    return ordered.numUpdatedRows > 0n;
  }

  /**
   * Marks the texts of up to `limit` ready documents that are not complete as waiting.
   * @returns their ids, greater than `afterId`
   */
  async markUnextractedWaiting(afterId: number, limit: number): Promise<number[]> {
    const { rows } = await sql<{ file_id: number }>`
      update file_documents set texts = 'waiting' where file_id in (
        select file_id from file_documents where file_id > ${afterId} and state = 'ready' and texts <> 'ready'
        order by file_id limit ${limit} for update
      ) returning file_id`.execute(query<Tables>(this.em.fork()));
    return rows.map((row) => Number(row.file_id));
  }

  /** Returns the first pages without extracted text. */
  async findMissingPages(fileId: number, pageCount: number | null, limit: number): Promise<number[]> {
    const { rows } = await sql<{ page: number }>`
      select n as page from generate_series(1, ${pageCount}::int) n
      where not exists (select 1 from file_page_texts t where t.file_id = ${fileId} and t.page = n)
      order by n limit ${limit}`.execute(query<Tables>(this.em));
    return rows.map(({ page }) => page);
  }

  /** Marks the extraction as complete; false if it was before. */
  async markReady(em: EntityManager, { fileId, objectKey }: FileContents): Promise<boolean> {
    const finished = await query<Tables>(em)
      .updateTable('file_documents')
      .set({ texts: 'ready' })
      .where('file_id', '=', fileId)
      .where('content_key', '=', objectKey)
      .where('texts', '=', 'waiting')
      .executeTakeFirst();
    return finished.numUpdatedRows > 0n;
  }

  /**
   * Returns the pages with a phrase, by number, up to the one with the last match to return.
   * @param phrase as `normaliseQuery` returns it
   */
  async findPagesWith(
    fileId: number,
    phrase: string,
    { maxMatches, maxCharacters }: { maxMatches: number; maxCharacters: number },
  ): Promise<{ page: number; text: string }[]> {
    const { rows } = await sql<{ page: number; text: string }>`
      with held as (
        select page, text, length(text) as letters,
          (length(search_text) - length(replace(search_text, ${normaliseForSearchSql(phrase)}, ''))) / length(${normaliseForSearchSql(phrase)}) as matches
        from file_page_texts where file_id = ${fileId} and search_text like ${normaliseForSearchSql(containsPattern(phrase))}
      ), counted as (
        select page, text, sum(matches) over before as matches, sum(letters) over before as letters from held
        window before as (order by page rows between unbounded preceding and 1 preceding)
      )
      select page, text from counted where coalesce(matches, 0) < ${maxMatches} and coalesce(letters, 0) < ${maxCharacters}
      order by page`.execute(query<Tables>(this.em));
    return rows;
  }
}
