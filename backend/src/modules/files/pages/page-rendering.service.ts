import { Injectable, Logger } from '@nestjs/common';
import { RenderError } from '../../../platform/rendering/rendering.errors.js';
import { RenderingService, type RenderSource } from '../../../platform/rendering/rendering.service.js';
import { isTemporaryError } from '../../../platform/errors/app-error.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { FairSchedulerService } from '../../../platform/rendering/scheduling/fair-scheduler.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { renderFirstPages } from '../files.jobs.js';
import { ThumbnailService } from '../thumbnails/thumbnail.service.js';
import { requireSource, type DocumentFile } from './document-file.js';
import { DocumentService } from './document.service.js';
import { PageStoreService } from './page-store.service.js';
import { OfficeConversionService } from './office-conversion.service.js';
import { TextExtractionService } from './text-extraction.service.js';
import { DocumentRepository } from './document.repository.js';
import { PageRepository } from './page.repository.js';

/** Pages rendered in advance, and their widths in pixels. */
const FIRST_PAGE_COUNT = 3;
const PAGE_WIDTHS = [600, 1200];
/** Width in pixels of the thumbnail, which shows the first page. */
const THUMBNAIL_WIDTH = 480;

interface Payload {
  readonly fileId: number;
  readonly place?: number;
}

/** Renders pages of documents in a job after the upload, so that requests don't wait for it. */
@Injectable()
export class PageRenderingService {
  private readonly logger = new Logger(PageRenderingService.name);

  constructor(
    private readonly documents: DocumentRepository,
    private readonly pages: PageRepository,
    private readonly document: DocumentService,
    private readonly pageStore: PageStoreService,
    private readonly rendering: RenderingService,
    private readonly thumbnail: ThumbnailService,
    private readonly textExtraction: TextExtractionService,
    private readonly officeConversion: OfficeConversionService,
    private readonly scheduler: FairSchedulerService,
  ) {}

  /**
   * Renders the missing ones of the first pages, so that it resumes where a killed worker stopped. A document that
   * needs a PDF is enqueued again after the conversion. A document that can't be rendered is not retried; during a
   * storage outage the job retries until the storage is back. Documents of owners who recently used much rendering time
   * are moved back in the queue.
   * @throws STORAGE_UNAVAILABLE, DRAWING_BUSY
   */
  @OnJob(renderFirstPages)
  async renderFirstPages(
    { fileId, place: queuePenalty = 0 }: Payload,
    { signal, isLastAttempt }: JobContext,
  ): Promise<void> {
    const file = await this.document.findDocument(fileId);
    if (!file || file.state === 'failed') return;
    if (!file.source) return this.officeConversion.enqueueConversion(file);
    const due = this.scheduler.penaltyOf(file.owner);
    if (due > queuePenalty) return this.document.requeueRendering(file, due);
    try {
      await this.renderDocument(file, file.source, signal);
    } catch (error) {
      if (isLastAttempt && isTemporaryError(error))
        return this.document.requeueRendering(file, due, this.scheduler.retryAt());
      if (!(error instanceof RenderError)) throw error;
      this.logger.log({ fileId, failure: error.failure }, "Couldn't render a document");
      await this.document.markFailed(file, error.failure);
    }
  }

  private async renderDocument(file: DocumentFile, source: RenderSource, signal: AbortSignal): Promise<void> {
    const opened = await this.rendering.openDocument(source);
    await this.documents.saveOpened(file, opened);
    await this.renderPages(file, Math.min(FIRST_PAGE_COUNT, opened.count), signal);
    await this.textExtraction.extractOutline(file);
    await this.document.markReady(file);
  }

  /**
   * A broken page does not affect the others.
   * @throws RenderError if all pages are broken
   */
  private async renderPages(file: DocumentFile, count: number, signal: AbortSignal): Promise<void> {
    const broken: RenderError[] = [];
    for (let page = 1; page <= count; page++) {
      signal.throwIfAborted();
      try {
        await this.renderMissingWidths(file, page);
      } catch (error) {
        if (!(error instanceof RenderError)) throw error;
        await this.pages.insertBrokenPage(file, page, error.failure);
        broken.push(error);
      }
    }
    if (broken.length === count) throw broken[0]!;
  }

  private async renderMissingWidths(file: DocumentFile, page: number): Promise<void> {
    const existingWidths = await this.pages.findWidths(file.fileId, page);
    const missing = PAGE_WIDTHS.filter((width) => !existingWidths.includes(width));
    const wantsThumbnail = page === 1 && !file.hasThumbnail;
    const widths = wantsThumbnail ? [...missing, THUMBNAIL_WIDTH] : missing;
    if (widths.length === 0) return;
    const rendered = await this.rendering.renderPage(requireSource(file), page, widths);
    for (const [index, picture] of rendered.entries()) {
      if (wantsThumbnail && index === missing.length) await this.thumbnail.saveThumbnail(file, picture.bytes);
      else await this.pageStore.savePage(file, page, widths[index]!, picture.bytes);
    }
  }
}
