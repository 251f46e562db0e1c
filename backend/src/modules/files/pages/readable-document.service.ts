import { Injectable } from '@nestjs/common';
import { RenderError } from '../../../platform/rendering/rendering.errors.js';
import { RenderingService } from '../../../platform/rendering/rendering.service.js';
import { fileErrors } from '../files.errors.js';
import { requireSource, type DocumentFile } from './document-file.js';
import { documentFailedError } from './document-failure.js';
import { DocumentService } from './document.service.js';

/** A document of which it is known how many pages it has. */
export type ReadableDocument = DocumentFile & { readonly pageCount: number };

/** Documents as readers ask for them, and why there is nothing to read of the others. */
@Injectable()
export class ReadableDocumentService {
  constructor(
    private readonly document: DocumentService,
    private readonly rendering: RenderingService,
  ) {}

  /**
   * A document and what is known of it; null of files without pages. One of which nothing is known yet is ordered to be
   * drawn, but a picture that browsers show is looked at now: hardly anybody asks for pages of those.
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
   * A document whose pages are known.
   * @throws PAGE_NOT_FOUND of files without pages; DOCUMENT_NOT_READY, DOCUMENT_FAILED, DOCUMENT_LOCKED; as `known` does
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
   * The document, when it has that page.
   * @throws as `find` does, PAGE_NOT_FOUND
   */
  async findWithPage(id: number, page: number): Promise<ReadableDocument> {
    const file = await this.findReadable(id);
    if (page > file.pageCount) throw fileErrors.PAGE_NOT_FOUND();
    return file;
  }

  private async openNow(file: DocumentFile): Promise<void> {
    try {
      await this.document.recordOpened(file, await this.rendering.openDocument(requireSource(file)));
      await this.document.markReady(file);
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      await this.document.markFailed(file, error.fault);
    }
  }
}
