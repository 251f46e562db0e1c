import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { OutlineEntry, RenderFailure } from '../../../platform/rendering/rendering-protocol.js';
import { OfficeService } from '../../../platform/rendering/office/office.service.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { Storage } from '../../../platform/storage/storage.js';
import type { HiddenPartsDto } from '../dto/document.dto.js';
import { renderFirstPages } from '../files.jobs.js';
import { formatOf, hasText, officeKindOf } from '../shared/document-types.js';
import type { FileContents } from '../shared/file-contents.js';
import { ThumbnailRepository } from '../thumbnails/thumbnail.repository.js';
import type { DocumentFile } from './document-file.js';
import { DocumentRepository } from './document.repository.js';
import { PageTextRepository } from './page-text.repository.js';
import { PageRepository } from './page.repository.js';
import { PageStoreService } from './page-store.service.js';
import { PageTextStoreService } from './page-text-store.service.js';

/** Content of a document besides its pages. */
interface DocumentContent {
  readonly sizes: readonly (readonly [width: number, height: number])[] | null;
  readonly outline: readonly OutlineEntry[] | null;
  readonly attachments: readonly string[] | null;
  readonly hidden: HiddenPartsDto | null;
}

/** Documents per query. */
const BATCH_SIZE = 500;

/** Follows documents from their upload to their rendered pages. Their pages are in `PageStoreService`. */
@Injectable()
export class DocumentService {
  constructor(
    private readonly em: EntityManager,
    private readonly documents: DocumentRepository,
    private readonly pages: PageRepository,
    private readonly pageTexts: PageTextRepository,
    private readonly thumbnails: ThumbnailRepository,
    private readonly storage: Storage,
    private readonly jobs: JobsService,
    private readonly pageStore: PageStoreService,
    private readonly pageTextStore: PageTextStoreService,
    private readonly office: OfficeService,
  ) {}

  /**
   * Returns a document whose bytes are in the current storage, or null if the file is not a document or no longer
   * exists. Deletes everything that was generated from previous contents.
   */
  async findDocument(fileId: number): Promise<DocumentFile | null> {
    const row = await this.documents.findDocument(fileId, this.storage.types);
    if (!row) return null;
    const { object_key: objectKey, mime_type: mimeType, pdf_key: pdfKey, pdf_size: pdfSize } = row;
    const [format, size, owner] = [formatOf(mimeType), Number(row.size), Number(row.owner_id)];
    const file = { fileId, owner, objectKey, size, format, office: officeKindOf(mimeType) };
    const ownSource = format === 'office' ? null : { objectKey, size, format, owner };
    if (row.content_key !== null && row.content_key !== objectKey) {
      await inTransaction(this.em, (em) => this.deleteStale(em, file));
      const emptyState = { state: null, failure: null, pageCount: null, hasThumbnail: false, texts: 'none' } as const;
      return { ...file, source: ownSource, ...emptyState };
    }
    const { state, failure, page_count: pageCount, texts } = row;
    const pdf = pdfKey === null ? null : ({ objectKey: pdfKey, size: pdfSize!, format: 'pdf', owner } as const);
    const recorded = { state, failure, pageCount, hasThumbnail: row.thumbnail_of !== null, texts: texts ?? 'none' };
    return { ...file, source: ownSource ?? pdf, ...recorded };
  }

  /**
   * Returns the width and height of all pages in points, the outline and the attachments (each null until read), and
   * what is hidden in the document.
   */
  async getContent(fileId: number): Promise<DocumentContent> {
    const row = await this.documents.findContent(fileId);
    if (!row) return { sizes: null, outline: null, attachments: null, hidden: null };
    const { sizes, outline, attachments } = row;
    const hidden = { sheets: row.hidden_sheets, deletions: row.hidden_deletions, layers: row.hidden_layers };
    const hasHidden = hidden.sheets > 0 || hidden.deletions || hidden.layers;
    return { sizes, outline, attachments, hidden: hasHidden ? hidden : null };
  }

  /**
   * Enqueues the rendering of the first pages of a document about which nothing is known yet. Concurrent calls enqueue
   * only one job.
   */
  async enqueueRendering(file: DocumentFile): Promise<void> {
    await inTransaction(this.em, async (em) => {
      if (!(await this.documents.insertWaiting(em, file))) return;
      await this.jobs.enqueue(em, renderFirstPages, { fileId: file.fileId });
    });
  }

  /**
   * Enqueues the rendering again with a lower priority.
   * @param queuePenalty lowers the priority; see `FairSchedulerService`
   * @param runAt earliest start
   */
  async requeueRendering({ fileId }: DocumentFile, queuePenalty: number, runAt?: Date): Promise<void> {
    await this.jobs.enqueue(
      this.em,
      renderFirstPages,
      { fileId, place: queuePenalty },
      { priority: queuePenalty, runAt },
    );
  }

  /**
   * Retries failed renderings and text extractions, and clears the list of broken pages. Pages that are ready stay as
   * they are.
   */
  async retryRendering({ fileId }: Pick<DocumentFile, 'fileId'>): Promise<void> {
    await inTransaction(this.em, async (em) => {
      await this.documents.markWaiting(em, fileId);
      await this.pageTexts.deleteEmptyTexts(em, fileId);
      await this.pages.deleteBrokenPages(em, fileId);
      await this.jobs.enqueue(em, renderFirstPages, { fileId });
    });
  }

  /** Marks the first pages as rendered and enqueues the extraction of all texts, unless the document has no text. */
  async markReady(file: DocumentFile): Promise<void> {
    await inTransaction(this.em, async (em) => {
      await this.documents.markReady(em, file, hasText(file));
      if (hasText(file)) await this.pageTextStore.enqueueExtraction(em, file);
    });
  }

  /** Marks the document as not renderable, because of its contents or because LibreOffice is not installed. */
  async markFailed(file: DocumentFile, failure: RenderFailure): Promise<void> {
    await this.documents.markFailed(file, failure === 'no-office' ? 'none' : 'failed', failure);
  }

  /** Enqueues the rendering of documents that were uploaded before rendering existed, or whose job was abandoned. */
  async enqueueMissing(signal: AbortSignal): Promise<void> {
    for (let last = 0; !signal.aborted;) {
      // LibreOffice may have been installed since a document failed.
      const conditions = { storageTypes: this.storage.types, isOfficeInstalled: this.office.isInstalled };
      const ids = await this.documents.findUnrendered(last, BATCH_SIZE, conditions);
      if (ids.length === 0) return;
      last = ids.at(-1)!;
      const payloads = ids.map((fileId) => ({ fileId }));
      await this.jobs.enqueueMany(this.em.fork(), renderFirstPages, payloads);
    }
  }

  /** Deletes the pages, texts and thumbnail that were generated from contents that the file no longer has. */
  async deleteStale(em: EntityManager, { fileId, objectKey }: FileContents): Promise<void> {
    if (!(await this.documents.lockStale(em, { fileId, objectKey }))) return;
    await this.pageStore.deletePages(em, [fileId]);
    await this.pageStore.enqueueObjectDeletion(em, await this.thumbnails.deleteThumbnails(em, fileId));
    await this.documents.deleteDocument(em, fileId);
  }
}
