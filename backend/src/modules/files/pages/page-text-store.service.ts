import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { PageText } from '../../../platform/rendering/rendering-protocol.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { newObjectKey, Storage } from '../../../platform/storage/storage.js';
import type { FileDocumentSchema, FilePageTextSchema } from '../entities/document.entity.js';
import type { FileSchema } from '../entities/file.entity.js';
import type {} from '../files.events.js';
import { extractTexts } from '../files.jobs.js';
import type { DocumentFile } from './document-file.js';
import { PAGE_KEY_PREFIX } from './page-store.service.js';
import { joinWords } from '../shared/page-text-matching.js';

type Tables = typeof FileSchema | typeof FileDocumentSchema | typeof FilePageTextSchema;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Documents per query. */
const BATCH_SIZE = 500;

export interface StoredPageText {
  /** Key of the object with words, positions and links; null if the page has none. */
  readonly layerKey: string | null;
}

/** Stores the texts of pages: rows for searching, and objects with the positions of words. */
@Injectable()
export class PageTextStoreService {
  constructor(
    private readonly em: EntityManager,
    private readonly storage: Storage,
    private readonly jobs: JobsService,
    private readonly events: EventBus,
  ) {}

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
   * Stores the text of a page. The object is written first and deleted again if another extraction finished earlier.
   * @returns the text that is stored in the end; null if the file was purged in the meantime or has other contents
   */
  async saveText({ fileId, objectKey }: DocumentFile, page: number, read: PageText): Promise<StoredPageText | null> {
    const layerKey = read.words.length + read.links.length === 0 ? null : newObjectKey(PAGE_KEY_PREFIX);
    const layer = layerKey === null ? null : await compress(JSON.stringify(read));
    if (layerKey !== null) await this.storage.write(layerKey, Readable.from([layer]));
    const { rows } = await sql`
      insert into file_page_texts (file_id, page, text, layer_key)
      select f.id, ${page}::int, ${joinWords(read.words)}, ${layerKey}
      from files f join file_documents d on d.file_id = f.id
      where f.id = ${fileId} and d.content_key = ${objectKey} for key share of f
      on conflict do nothing returning file_id`.execute(query<Tables>(this.em));
    if (rows.length > 0) return { layerKey };
    if (layerKey !== null) await this.storage.delete(layerKey);
    return this.findText(fileId, page);
  }

  /**
   * Reads the words, positions and links of a page.
   * @returns null if the object is lost and the page must be extracted again
   * @throws STORAGE_UNAVAILABLE
   */
  async readLayer({ layerKey }: StoredPageText): Promise<PageText | null> {
    if (layerKey === null) return { words: [], links: [] };
    try {
      const packed = await buffer(await this.storage.read(layerKey));
      return JSON.parse((await decompress(packed)).toString()) as PageText;
    } catch (error) {
      if ((await this.storage.stat(layerKey)) !== null) throw error;
      return null;
    }
  }

  /** Deletes the row of a page whose object is lost. */
  async deleteText(fileId: number, layerKey: string): Promise<void> {
    await query<Tables>(this.em)
      .deleteFrom('file_page_texts')
      .where('file_id', '=', fileId)
      .where('layer_key', '=', layerKey)
      .execute();
  }

  /** Deletes the row of a page whose object is lost, and enqueues its extraction. */
  async reextractLost(fileId: number, layerKey: string): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const lost = await query<Tables>(em)
        .deleteFrom('file_page_texts')
        .where('file_id', '=', fileId)
        .where('layer_key', '=', layerKey)
        .executeTakeFirst();
      if (lost.numDeletedRows > 0n) await this.jobs.enqueue(em, extractTexts, { fileId, faults: 0 });
    });
  }

  /** Deletes the pages from which nothing could be read. They are extracted again once the document is ready. */
  async deleteEmptyTexts(em: EntityManager, fileId: number): Promise<void> {
    const db = query<Tables>(em);
    await db.updateTable('file_documents').set({ texts: 'none' }).where('file_id', '=', fileId).execute();
    await db.deleteFrom('file_page_texts').where('file_id', '=', fileId).where('layer_key', 'is', null).execute();
  }

  /** Enqueues the text extraction of a document that is ready. Concurrent calls enqueue only one job. */
  async enqueueExtraction(em: EntityManager, { fileId, objectKey }: DocumentFile): Promise<void> {
    await inTransaction(em, async (inside) => {
      const ordered = await query<Tables>(inside)
        .updateTable('file_documents')
        .set({ texts: 'waiting' })
        .where('file_id', '=', fileId)
        .where('content_key', '=', objectKey)
        .where('state', '=', 'ready')
        .where('texts', '=', 'none')
        .executeTakeFirst();
      if (ordered.numUpdatedRows > 0n) await this.jobs.enqueue(inside, extractTexts, { fileId, faults: 0 });
    });
  }

  /** Enqueues the extraction of documents that were uploaded before extraction existed, or whose job was abandoned. */
  async enqueueMissing(signal: AbortSignal): Promise<void> {
    for (let last = 0; !signal.aborted;) {
      const { rows } = await sql<{ file_id: number }>`
        update file_documents set texts = 'waiting' where file_id in (
          select file_id from file_documents where file_id > ${last} and state = 'ready' and texts <> 'ready'
          order by file_id limit ${BATCH_SIZE} for update
        ) returning file_id`.execute(query<Tables>(this.em.fork()));
      if (rows.length === 0) return;
      const payloads = rows.map((row) => ({ fileId: Number(row.file_id), faults: 0 }));
      last = Math.max(...payloads.map(({ fileId }) => fileId));
      await this.jobs.enqueueMany(this.em.fork(), extractTexts, payloads);
    }
  }

  /** Returns the first pages without extracted text. */
  async findMissingPages({ fileId, pageCount }: DocumentFile, limit: number): Promise<number[]> {
    const { rows } = await sql<{ page: number }>`
      select n as page from generate_series(1, ${pageCount}::int) n
      where not exists (select 1 from file_page_texts t where t.file_id = ${fileId} and t.page = n)
      order by n limit ${limit}`.execute(query<Tables>(this.em));
    return rows.map(({ page }) => page);
  }

  /**
   * Enqueues a separate job for the next pages, so that other documents can be processed in between.
   * @param queuePenalty lowers the priority; see `FairSchedulerService`
   */
  async enqueueNextPages(file: DocumentFile, failedPages: number, queuePenalty: number): Promise<void> {
    await this.requeueExtraction(file, failedPages, queuePenalty);
  }

  /**
   * Enqueues the extraction again with a lower priority.
   * @param queuePenalty lowers the priority
   * @param runAt earliest start
   */
  async requeueExtraction(
    { fileId }: DocumentFile,
    failedPages: number,
    queuePenalty: number,
    runAt?: Date,
  ): Promise<void> {
    await this.jobs.enqueue(
      this.em,
      extractTexts,
      { fileId, faults: failedPages, place: queuePenalty },
      { priority: queuePenalty, runAt },
    );
  }

  /** Marks the texts as complete (or as complete as possible) and emits `file.textsReady`, once. */
  async markReady({ fileId, objectKey }: DocumentFile): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const finished = await query<Tables>(em)
        .updateTable('file_documents')
        .set({ texts: 'ready' })
        .where('file_id', '=', fileId)
        .where('content_key', '=', objectKey)
        .where('texts', '=', 'waiting')
        .executeTakeFirst();
      if (finished.numUpdatedRows > 0n) await this.events.emit(em, 'file.textsReady', { fileId });
    });
  }
}
