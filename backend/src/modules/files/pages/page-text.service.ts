import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../platform/clock/clock.js';
import type { PageText } from '../../../platform/rendering/rendering-protocol.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import type { AccessibleFile } from '../access/file-access.repository.js';
import { fileErrors } from '../files.errors.js';
import { hasText } from '../shared/document-types.js';
import type { DocumentFile } from './document-file.js';
import { PerUserQueueService } from './per-user-queue.service.js';
import { PageTextStoreService } from './page-text-store.service.js';
import { ReadableDocumentService } from './readable-document.service.js';
import { TextExtractionService } from './text-extraction.service.js';
import { DocumentSearchService, type PageTextMatch } from './document-search.service.js';
import { PageTextRepository, type StoredPageText } from './page-text.repository.js';

/** Pages not extracted before that a reader may request, and searches. */
const NEW_TEXT_RATE: RateRule = { name: 'new-texts', limit: 120, window: MINUTE };
/** Cost of a page that can't be read, which may have blocked others for ten seconds. */
const FAILURE_COST = 40;
const SEARCH_RATE: RateRule = { name: 'document-searches', limit: 120, window: MINUTE };

/** Serves page texts. Texts that don't exist yet are extracted when first requested. */
@Injectable()
export class PageTextService {
  /** Extractions in progress, so that concurrent requests for a page share one extraction. */
  private readonly inProgress = new Map<string, Promise<StoredPageText>>();

  constructor(
    private readonly pageTexts: PageTextRepository,
    private readonly em: EntityManager,
    private readonly readableDocument: ReadableDocumentService,
    private readonly pageTextStore: PageTextStoreService,
    private readonly textExtraction: TextExtractionService,
    private readonly documentSearch: DocumentSearchService,
    private readonly limits: RateLimitService,
    private readonly perUserQueue: PerUserQueueService,
  ) {}

  /**
   * Returns the words of a page with their positions and its links; empty if the page can't be read.
   * @param readerKey id of the user; for guests of links, the key of a limit that they share
   * @throws PAGE_NOT_FOUND, DOCUMENT_NOT_READY, DOCUMENT_FAILED; DRAWING_BUSY, STORAGE_UNAVAILABLE; TOO_MANY_REQUESTS
   * if the reader has had too many new pages extracted
   */
  async findText({ id }: AccessibleFile, page: number, readerKey: number | string): Promise<PageText> {
    const file = await this.readableDocument.findWithPage(id, page);
    if (!hasText(file)) return { words: [], links: [] };
    if (file.texts === 'none') await this.pageTextStore.enqueueExtraction(this.em, file);
    const stored = (await this.pageTexts.findText(id, page)) ?? (await this.extractQueued(file, page, readerKey));
    const layer = await this.pageTextStore.readLayer(stored);
    if (layer) return layer;
    await this.pageTexts.deleteText(this.em, id, stored.layerKey!);
    const repeated = await this.extractQueued(file, page, readerKey);
    return (await this.pageTextStore.readLayer(repeated)) ?? { words: [], links: [] };
  }

  /**
   * Finds the query in a document.
   * @throws PAGE_NOT_FOUND for files without pages; DOCUMENT_NOT_READY until all texts are extracted; DOCUMENT_FAILED,
   * TOO_MANY_REQUESTS
   */
  async searchDocument({ id }: AccessibleFile, q: string, readerKey: number | string): Promise<PageTextMatch[]> {
    const file = await this.readableDocument.findReadable(id);
    if (!hasText(file)) return [];
    if (file.texts === 'none') await this.pageTextStore.enqueueExtraction(this.em, file);
    if (file.texts !== 'ready') throw fileErrors.DOCUMENT_NOT_READY();
    await this.limits.consume(SEARCH_RATE, readerKey);
    return this.documentSearch.searchDocument(id, q);
  }

  private extractQueued(file: DocumentFile, page: number, readerKey: number | string): Promise<StoredPageText> {
    return this.perUserQueue.run(readerKey, async () => {
      await this.limits.consume(NEW_TEXT_RATE, readerKey);
      return this.extractShared(file, page, readerKey);
    });
  }

  private extractShared(file: DocumentFile, page: number, readerKey: number | string): Promise<StoredPageText> {
    const key = `${file.objectKey} ${page}`;
    const known = this.inProgress.get(key);
    if (known) return known;
    const reading = this.extractAndSave(file, page, readerKey).finally(() => this.inProgress.delete(key));
    this.inProgress.set(key, reading);
    return reading;
  }

  private async extractAndSave(file: DocumentFile, page: number, readerKey: number | string): Promise<StoredPageText> {
    // An extraction that ended after the caller's first lookup may have stored the text.
    const existing = await this.pageTexts.findText(file.fileId, page);
    if (existing) return existing;
    const { stored, isReadable } = await this.textExtraction.extractPage(file, page);
    if (!isReadable) await this.limits.consumeUpTo(NEW_TEXT_RATE, readerKey, FAILURE_COST);
    // The file was replaced or purged meanwhile.
    if (!stored) throw fileErrors.DOCUMENT_NOT_READY();
    return stored;
  }
}
