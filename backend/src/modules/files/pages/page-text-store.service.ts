import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { PageText } from '../../../platform/rendering/rendering-protocol.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { newObjectKey, Storage } from '../../../platform/storage/storage.js';
import type {} from '../files.events.js';
import { extractTexts } from '../files.jobs.js';
import type { DocumentFile } from './document-file.js';
import { PAGE_KEY_PREFIX } from './page-store.service.js';
import { PageTextRepository, type StoredPageText } from './page-text.repository.js';
import { joinWords } from '../shared/page-text-matching.js';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Documents per query. */
const BATCH_SIZE = 500;

/** Stores the texts of pages: objects with the positions of words, and rows for searching. */
@Injectable()
export class PageTextStoreService {
  constructor(
    private readonly em: EntityManager,
    private readonly texts: PageTextRepository,
    private readonly storage: Storage,
    private readonly jobs: JobsService,
    private readonly events: EventBus,
  ) {}

  /**
   * Stores the text of a page. The object is written first and deleted again if another extraction finished earlier.
   * @returns the text that is stored in the end; null if the file was purged in the meantime or has other contents
   */
  async saveText(file: DocumentFile, page: number, read: PageText): Promise<StoredPageText | null> {
    const layerKey = read.words.length + read.links.length === 0 ? null : newObjectKey(PAGE_KEY_PREFIX);
    const layer = layerKey === null ? null : await compress(JSON.stringify(read));
    if (layerKey !== null) await this.storage.write(layerKey, Readable.from([layer]));
    if (await this.texts.insertText(file, page, joinWords(read.words), layerKey)) return { layerKey };
    if (layerKey !== null) await this.storage.delete(layerKey);
    return this.texts.findText(file.fileId, page);
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

  /** Deletes the row of a page whose object is lost, and enqueues its extraction. */
  async reextractLost(fileId: number, layerKey: string): Promise<void> {
    await inTransaction(this.em, async (em) => {
      if (!(await this.texts.deleteText(em, fileId, layerKey))) return;
      await this.jobs.enqueue(em, extractTexts, { fileId, faults: 0 });
    });
  }

  /** Enqueues the text extraction of a document that is ready. Concurrent calls enqueue only one job. */
  async enqueueExtraction(em: EntityManager, file: DocumentFile): Promise<void> {
    await inTransaction(em, async (em) => {
      if (!(await this.texts.markWaiting(em, file))) return;
      await this.jobs.enqueue(em, extractTexts, { fileId: file.fileId, faults: 0 });
    });
  }

  /** Enqueues the extraction of documents that were uploaded before extraction existed, or whose job was abandoned. */
  async enqueueMissing(signal: AbortSignal): Promise<void> {
    for (let last = 0; !signal.aborted;) {
      const ids = await this.texts.markUnextractedWaiting(last, BATCH_SIZE);
      if (ids.length === 0) return;
      last = Math.max(...ids);
      const payloads = ids.map((fileId) => ({ fileId, faults: 0 }));
      await this.jobs.enqueueMany(this.em.fork(), extractTexts, payloads);
    }
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
  async markReady(file: DocumentFile): Promise<void> {
    await inTransaction(this.em, async (em) => {
      if (!(await this.texts.markReady(em, file))) return;
      await this.events.emit(em, 'file.textsReady', { fileId: file.fileId });
    });
  }
}
