import { Injectable, Logger } from '@nestjs/common';
import { RenderError } from '../../../platform/rendering/rendering.errors.js';
import { RenderingService } from '../../../platform/rendering/rendering.service.js';
import { isTemporaryError } from '../../../platform/errors/app-error.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { FairSchedulerService } from '../../../platform/rendering/scheduling/fair-scheduler.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { extractTexts } from '../files.jobs.js';
import { requireSource, type DocumentFile } from './document-file.js';
import { DocumentService } from './document.service.js';
import { PageTextStoreService } from './page-text-store.service.js';
import { DocumentRepository } from './document.repository.js';
import { PageTextRepository, type StoredPageText } from './page-text.repository.js';

/** Pages per job. */
const CHUNK_SIZE = 50;
/**
 * After this many failed pages, the remaining pages are extracted only on request; each failure may take ten seconds.
 */
const MAX_FAILED_PAGES = 10;

interface Payload {
  readonly fileId: number;
  readonly faults: number;
  readonly place?: number;
}

/** Extracts the texts of documents in jobs, after the first pages are rendered. */
@Injectable()
export class TextExtractionService {
  private readonly logger = new Logger(TextExtractionService.name);

  constructor(
    private readonly documents: DocumentRepository,
    private readonly pageTexts: PageTextRepository,
    private readonly document: DocumentService,
    private readonly pageTextStore: PageTextStoreService,
    private readonly rendering: RenderingService,
    private readonly scheduler: FairSchedulerService,
  ) {}

  /**
   * Extracts the next missing pages, so that it resumes where a killed worker stopped, and emits an event when all are
   * done. A failed page ends the chunk, so that other documents are not delayed. Documents of owners who recently used
   * much rendering time are moved back in the queue. During a storage outage the job retries until the storage is back.
   * @throws STORAGE_UNAVAILABLE, DRAWING_BUSY
   */
  @OnJob(extractTexts)
  async extractNextPages(
    { fileId, faults: failedPages, place: queuePenalty = 0 }: Payload,
    { signal, isLastAttempt }: JobContext,
  ): Promise<void> {
    const file = await this.document.findDocument(fileId);
    if (file?.state !== 'ready') return;
    const due = this.scheduler.penaltyOf(file.owner);
    if (due > queuePenalty) return this.pageTextStore.requeueExtraction(file, failedPages, due);
    try {
      await this.extractChunk(file, failedPages, signal);
    } catch (error) {
      if (!isLastAttempt || !isTemporaryError(error)) throw error;
      await this.pageTextStore.requeueExtraction(file, failedPages, due, this.scheduler.retryAt());
    }
  }

  private async extractChunk(file: DocumentFile, failedPages: number, signal: AbortSignal): Promise<void> {
    await this.extractOutline(file);
    const missing = await this.pageTexts.findMissingPages(file.fileId, file.pageCount, CHUNK_SIZE + 1);
    let isComplete = true;
    for (const page of missing.slice(0, CHUNK_SIZE)) {
      signal.throwIfAborted();
      isComplete = (await this.extractPage(file, page)).isReadable;
      if (!isComplete) break;
    }
    const failed = failedPages + (isComplete ? 0 : 1);
    const isLast = isComplete && missing.length <= CHUNK_SIZE;
    if (isLast || failed >= MAX_FAILED_PAGES) await this.pageTextStore.markReady(file);
    else await this.pageTextStore.enqueueNextPages(file, failed, this.scheduler.penaltyOf(file.owner));
  }

  /**
   * Extracts and stores the text of a page; stores an empty text if the page can't be read.
   * @returns the stored text; null if the file was purged in the meantime or has other contents
   * @throws STORAGE_UNAVAILABLE, DRAWING_BUSY
   */
  async extractPage(file: DocumentFile, page: number): Promise<{ stored: StoredPageText | null; isReadable: boolean }> {
    try {
      const { words, links, hasHidden } = await this.rendering.extractText(requireSource(file), page);
      if (hasHidden) await this.documents.markHiddenLayers(file);
      return { stored: await this.pageTextStore.saveText(file, page, { words, links }), isReadable: true };
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      this.logger.log({ fileId: file.fileId, page, failure: error.failure }, "Couldn't extract a page's text");
      return { stored: await this.pageTextStore.saveText(file, page, { words: [], links: [] }), isReadable: false };
    }
  }

  /** Reads the outline of a document once; an unreadable outline is stored as empty. */
  async extractOutline(file: DocumentFile): Promise<void> {
    if ((await this.document.getContent(file.fileId)).outline !== null) return;
    try {
      await this.documents.saveOutline(file, await this.rendering.readOutline(requireSource(file)));
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      await this.documents.saveOutline(file, []);
    }
  }
}
