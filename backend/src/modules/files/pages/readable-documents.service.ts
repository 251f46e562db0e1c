import { Injectable } from '@nestjs/common';
import type { DrawingFault } from '../../../platform/drawing/drawing-protocol.js';
import { fileErrors } from '../files.errors.js';
import type { DocumentFile } from './document-file.js';
import { failureSentences } from './failure-sentences.js';
import { FileDocuments } from './file-documents.service.js';

/** A document of which it is known how many pages it has. */
export type ReadableDocument = DocumentFile & { readonly pageCount: number };

/** Documents as readers ask for them, and why there is nothing to read of the others. */
@Injectable()
export class ReadableDocuments {
  constructor(private readonly documents: FileDocuments) {}

  /**
   * A document whose pages are known. One of which nothing is known yet is ordered to be drawn.
   * @throws PAGE_NOT_FOUND of files without pages; DOCUMENT_NOT_READY, DOCUMENT_FAILED
   */
  async find(id: number): Promise<ReadableDocument> {
    const file = await this.documents.find(id);
    if (!file) throw fileErrors.PAGE_NOT_FOUND();
    if (file.size === 0) throw documentFailed('empty');
    if (file.failure !== null) throw documentFailed(file.failure);
    if (file.state === null) await this.documents.order(file);
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
}

function documentFailed(fault: DrawingFault): Error {
  if (fault === 'no-page') return fileErrors.PAGE_NOT_FOUND();
  return fileErrors.DOCUMENT_FAILED({ reason: failureSentences[fault] });
}
