import { createReadStream } from 'node:fs';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import { RenderError } from '../../../platform/rendering/rendering.errors.js';
import type { RenderSource } from '../../../platform/rendering/rendering.service.js';
import { OfficeService, type OfficePdf } from '../../../platform/rendering/office/office.service.js';
import { FairSchedulerService } from '../../../platform/rendering/scheduling/fair-scheduler.service.js';
import { isTemporaryError } from '../../../platform/errors/app-error.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { newObjectKey, Storage } from '../../../platform/storage/storage.js';
import { convertDocument } from '../files.jobs.js';
import type { DocumentFile } from './document-file.js';
import { DocumentRepository } from './document.repository.js';
import { DocumentService } from './document.service.js';
import { PageStoreService, PAGE_KEY_PREFIX } from './page-store.service.js';

interface Payload {
  readonly fileId: number;
  readonly place?: number;
  readonly isRepeat?: boolean;
}

interface ConversionOptions {
  readonly runAt?: Date;
  /** An earlier attempt took too long. */
  readonly isRepeat?: boolean;
}

/** Converts Office documents to PDF with LibreOffice. Pages are rendered from the PDF, which is stored beside them. */
@Injectable()
export class OfficeConversionService {
  private readonly logger = new Logger(OfficeConversionService.name);

  constructor(
    private readonly em: EntityManager,
    private readonly documents: DocumentRepository,
    private readonly storage: Storage,
    private readonly office: OfficeService,
    private readonly pageStore: PageStoreService,
    private readonly document: DocumentService,
    private readonly scheduler: FairSchedulerService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Enqueues the conversion of a document.
   * @param priority queue position penalty
   */
  async enqueueConversion(
    { fileId }: DocumentFile,
    priority = 0,
    { runAt, isRepeat }: ConversionOptions = {},
  ): Promise<void> {
    await this.jobs.enqueue(
      this.em,
      convertDocument,
      { fileId, place: priority, isRepeat },
      { priority: priority, runAt },
    );
  }

  /**
   * Converts a document to PDF and enqueues the rendering of its pages. Scheduling, retries and storage outages are
   * handled as in `PageRenderingService`.
   * @throws STORAGE_UNAVAILABLE, DRAWING_BUSY
   */
  @OnJob(convertDocument)
  async convertDocument(
    { fileId, place: queuePenalty = 0, isRepeat }: Payload,
    { signal, isLastAttempt }: JobContext,
  ): Promise<void> {
    const file = await this.document.findDocument(fileId);
    if (!file || file.state === 'failed') return;
    const due = this.scheduler.penaltyOf(file.owner);
    try {
      if (!file.source && due > queuePenalty) await this.enqueueConversion(file, due, { isRepeat });
      else if (file.source ?? (await this.convertToPdf(file, signal))) await this.document.requeueRendering(file, due);
    } catch (error) {
      if (isLastAttempt && isTemporaryError(error))
        return this.enqueueConversion(file, due, { runAt: this.scheduler.retryAt(), isRepeat });
      if (!(error instanceof RenderError)) throw error;
      // A document counts as too slow only after its second timeout.
      if (error.failure === 'too-slow' && !isRepeat) return this.enqueueConversion(file, due, { isRepeat: true });
      this.logger.log({ fileId, failure: error.failure }, "Couldn't convert a document to PDF");
      await this.document.markFailed(file, error.failure);
    }
  }

  /**
   * Converts a document to PDF.
   * @returns null if the file was purged in the meantime or has other contents
   * @throws RenderError because of the document's content, or if LibreOffice is not installed; DRAWING_BUSY,
   * STORAGE_UNAVAILABLE
   */
  private async convertToPdf(file: DocumentFile, signal: AbortSignal): Promise<RenderSource | null> {
    const { objectKey: original, size, owner, office } = file;
    if (!office) throw new RenderError('damaged');
    if (!this.office.isInstalled) throw new RenderError('no-office');
    return this.office.toPdf({ objectKey: original, size, owner, ...office }, signal, async (pdf) => {
      const objectKey = newObjectKey(PAGE_KEY_PREFIX);
      await this.storage.write(objectKey, createReadStream(pdf.path));
      const saved = await this.savePdf(file, objectKey, pdf);
      if (saved?.objectKey !== objectKey) await this.storage.delete(objectKey);
      return saved;
    });
  }

  /**
   * Enqueues the conversion again if the PDF's object is lost.
   * @returns whether it was lost
   */
  async reconvertLost({ fileId, office, source }: DocumentFile): Promise<boolean> {
    if (!office || !source || (await this.storage.stat(source.objectKey)) !== null) return false;
    await this.pageStore.rerenderLost(fileId, source.objectKey);
    return true;
  }

  /** Records the PDF, unless another conversion finished first. */
  private async savePdf(file: DocumentFile, objectKey: string, pdf: OfficePdf): Promise<RenderSource | null> {
    const { size, hidden } = pdf;
    const saved = await inTransaction(this.em, (em) => this.documents.savePdf(em, file, { objectKey, size, hidden }));
    return saved && { ...saved, format: 'pdf', owner: file.owner };
  }
}
