import { Injectable } from '@nestjs/common';
import { RenderError } from '../../../platform/rendering/rendering.errors.js';
import { RenderingService } from '../../../platform/rendering/rendering.service.js';
import { fileErrors } from '../files.errors.js';
import { requireSource, type DocumentFile } from './document-file.js';
import { documentFailedError } from './document-failure.js';
import { DocumentService } from './document.service.js';
import { DocumentRepository } from './document.repository.js';

/** A document whose number of pages is known. */
export type ReadableDocument = DocumentFile & { readonly pageCount: number };

/** Finds readable documents, or explains why there is nothing to read. */
@Injectable()
export class ReadableDocumentService {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly document: DocumentService,
    private readonly rendering: RenderingService,
  ) {}

  /**
   * Returns a document with its state, or null for files without pages. If nothing is known about it yet, enqueues its
   * rendering. An image that browsers can show is examined immediately instead, because its pages are rarely requested.
   * @throws DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  async findOrEnqueue(id: number): Promise<DocumentFile | null> {
    const file = await this.document.findDocument(id);
    if (!file || file.size === 0 || (file.state !== null && file.state !== 'waiting')) return file;
    if (file.format === 'picture') {
      await this.openNow(file);
      return this.document.findDocument(id);
    }
    if (file.state === null) await this.document.enqueueRendering(file);
    return file;
  }

  /**
   * Returns a document whose pages are known.
   * @throws PAGE_NOT_FOUND for files without pages; DOCUMENT_NOT_READY, DOCUMENT_FAILED, DOCUMENT_LOCKED; errors of
   * `findOrEnqueue`
   */
  async findReadable(id: number): Promise<ReadableDocument> {
    const file = await this.findOrEnqueue(id);
    if (!file) throw fileErrors.PAGE_NOT_FOUND();
    if (file.size === 0) throw documentFailedError('empty');
    if (file.failure !== null) throw documentFailedError(file.failure);
    const { pageCount } = file;
    if (pageCount === null) throw fileErrors.DOCUMENT_NOT_READY();
    return { ...file, pageCount };
  }

  /**
   * Returns the document if it has that page.
   * @throws PAGE_NOT_FOUND; errors of `findReadable`
   */
  async findWithPage(id: number, page: number): Promise<ReadableDocument> {
    const file = await this.findReadable(id);
    if (page > file.pageCount) throw fileErrors.PAGE_NOT_FOUND();
    return file;
  }

  private async openNow(file: DocumentFile): Promise<void> {
    try {
      await this.documents.saveOpened(file, await this.rendering.openDocument(requireSource(file)));
      await this.document.markReady(file);
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      await this.document.markFailed(file, error.failure);
    }
  }
}
