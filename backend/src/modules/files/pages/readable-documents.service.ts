import { Injectable } from '@nestjs/common';
import { DrawingFailure } from '../../../platform/drawing/drawing.errors.js';
import { DrawingService } from '../../../platform/drawing/drawing.service.js';
import { fileErrors } from '../files.errors.js';
import { sourceOf, type DocumentFile } from './document-file.js';
import { documentFailed } from './failure-sentences.js';
import { FileDocuments } from './file-documents.service.js';

/** A document of which it is known how many pages it has. */
export type ReadableDocument = DocumentFile & { readonly pageCount: number };

/** Documents as readers ask for them, and why there is nothing to read of the others. */
@Injectable()
export class ReadableDocuments {
  constructor(
    private readonly documents: FileDocuments,
    private readonly drawing: DrawingService,
  ) {}

  /**
   * A document and what is known of it; null of files without pages. One of which nothing is known yet is ordered to be
   * drawn, but a picture that browsers show is looked at now: hardly anybody asks for pages of those.
   * @throws DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  async known(id: number): Promise<DocumentFile | null> {
    const file = await this.documents.find(id);
    if (!file || file.size === 0 || (file.state !== null && file.state !== 'waiting')) return file;
    if (file.format === 'picture') {
      await this.look(file);
      return this.documents.find(id);
    }
    if (file.state === null) await this.documents.order(file);
    return file;
  }

  /**
   * A document whose pages are known.
   * @throws PAGE_NOT_FOUND of files without pages; DOCUMENT_NOT_READY, DOCUMENT_FAILED, DOCUMENT_LOCKED; as `known` does
   */
  async find(id: number): Promise<ReadableDocument> {
    const file = await this.known(id);
    if (!file) throw fileErrors.PAGE_NOT_FOUND();
    if (file.size === 0) throw documentFailed('empty');
    if (file.failure !== null) throw documentFailed(file.failure);
    const { pageCount } = file;
    if (pageCount === null) throw fileErrors.DOCUMENT_NOT_READY();
    return { ...file, pageCount };
  }

  /**
   * The document, when it has that page.
   * @throws as `find` does, PAGE_NOT_FOUND
   */
  async withPage(id: number, page: number): Promise<ReadableDocument> {
    const file = await this.find(id);
    if (page > file.pageCount) throw fileErrors.PAGE_NOT_FOUND();
    return file;
  }

  private async look(file: DocumentFile): Promise<void> {
    try {
      await this.documents.opened(file, await this.drawing.open(sourceOf(file)));
      await this.documents.ready(file);
    } catch (error) {
      if (!(error instanceof DrawingFailure)) throw error;
      await this.documents.failed(file, error.fault);
    }
  }
}
