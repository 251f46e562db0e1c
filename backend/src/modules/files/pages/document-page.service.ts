import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../platform/clock/clock.js';
import { RenderError } from '../../../platform/rendering/rendering.errors.js';
import { RenderingService } from '../../../platform/rendering/rendering.service.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { digestOf } from '../../../platform/security/secrets.js';
import { Storage } from '../../../platform/storage/storage.js';
import type { ViewedFile } from '../access/file-access.service.js';
import type { DocumentDto, PageWidth } from '../dto/document.dto.js';
import { fileAbilities } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';
import { toAttachmentDtos } from './attachments/attachment-list.js';
import { requireSource, type DocumentFile } from './document-file.js';
import { PerUserQueueService } from './per-user-queue.service.js';
import { DocumentService } from './document.service.js';
import { PageStoreService, type StoredPage } from './page-store.service.js';
import { OfficeConversionService } from './office-conversion.service.js';
import { ReadableDocumentService } from './readable-document.service.js';

/** Pages that a person may have drawn which nobody has looked at before. */
const NEW_PAGE_RATE: RateRule = { name: 'new-pages', limit: 120, window: MINUTE };
/** What one counts that was given up after ten seconds, in which nothing else was drawn. */
const SLOW_PAGE_COST = 40;

/** A page as it is sent. */
export interface PageImage extends StoredPage {
  readonly etag: string;
}

/** Whose wish it is, and for what. */
interface PageRequest {
  readonly page: number;
  readonly width: PageWidth;
  readonly userId: number;
}

/** Pages of documents as readers see them: those that are there, and others drawn when they are first asked for. */
@Injectable()
export class DocumentPageService {
  /** Drawings under way, so that many who ask at once wait for the same one. */
  private readonly inProgress = new Map<string, Promise<StoredPage>>();

  constructor(
    private readonly document: DocumentService,
    private readonly readableDocument: ReadableDocumentService,
    private readonly pageStore: PageStoreService,
    private readonly rendering: RenderingService,
    private readonly storage: Storage,
    private readonly officeConversion: OfficeConversionService,
    private readonly limits: RateLimitService,
    private readonly perUserQueue: PerUserQueueService,
  ) {}

  /**
   * What is known of the pages of a file. One of which nothing is known yet is ordered to be drawn; a picture that browsers
   * show is looked at now.
   * @throws DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  async describeDocument(viewed: ViewedFile): Promise<DocumentDto> {
    const { id } = viewed;
    const file = await this.readableDocument.findOrEnqueue(id);
    const nothing = { count: null, failure: null, pages: [], outline: [], hidden: null, attachments: [] };
    if (!file) return { state: 'none', ...nothing };
    if (file.size === 0) return { state: 'failed', ...nothing, failure: 'empty' };
    const { state, failure, pageCount: count } = file;
    const { sizes, outline, hidden, attachments } = await this.document.getContent(id);
    const pages = (sizes ?? []).map(([width, height]) => ({ width, height }));
    return {
      state: state ?? 'waiting',
      count,
      failure,
      pages,
      outline: outline ?? [],
      // That there is something hidden is a matter of those who put the file here.
      hidden: fileAbilities({ ...viewed, readOnly: viewed.mountId !== null }).rename ? hidden : null,
      attachments: toAttachmentDtos(viewed, attachments ?? []),
    };
  }

  /**
   * A page as a picture.
   * @throws PAGE_NOT_FOUND, DOCUMENT_NOT_READY, DOCUMENT_FAILED, PAGE_FAILED; DRAWING_BUSY, STORAGE_UNAVAILABLE;
   * TOO_MANY_REQUESTS when this person has had too many pages drawn that nobody had seen
   */
  async findPage({ id }: ViewedFile, request: PageRequest): Promise<PageImage> {
    const file = await this.readableDocument.findWithPage(id, request.page);
    const kept =
      (await this.pageStore.findPage(id, request.page, request.width)) ?? (await this.renderQueued(file, request));
    return { ...kept, etag: `"${digestOf(kept.objectKey).slice(0, 32)}"` };
  }

  /**
   * Opens the bytes of a page; one whose object is lost is drawn again, so they may be others than those found.
   * @throws as `find` does
   */
  async openPage(
    file: ViewedFile,
    request: PageRequest,
    found: PageImage,
  ): Promise<{ picture: PageImage; bytes: Readable }> {
    try {
      return { picture: found, bytes: await this.storage.read(found.objectKey) };
    } catch (error) {
      if ((await this.storage.stat(found.objectKey)) !== null) throw error;
      await this.pageStore.deletePage(file.id, found.objectKey);
      const picture = await this.findPage(file, request);
      return { picture, bytes: await this.storage.read(picture.objectKey) };
    }
  }

  /**
   * Has what could not be drawn tried again, and what waits ordered once more.
   * @throws PAGE_NOT_FOUND of files without pages
   */
  async retryRendering({ id }: ViewedFile): Promise<void> {
    const file = await this.document.findDocument(id);
    if (!file || file.size === 0) throw fileErrors.PAGE_NOT_FOUND();
    await this.document.retryRendering(file);
  }

  private async renderQueued(file: DocumentFile, request: PageRequest): Promise<StoredPage> {
    if ((await this.pageStore.findPageFailure(file.fileId, request.page)) !== null) throw fileErrors.PAGE_FAILED();
    return this.perUserQueue.run(request.userId, async () => {
      // When its turn has come: what was asked for before may have used them up.
      await this.limits.consume(NEW_PAGE_RATE, request.userId);
      return this.renderShared(file, request);
    });
  }

  private renderShared(file: DocumentFile, request: PageRequest): Promise<StoredPage> {
    const key = `${file.objectKey} ${request.page} ${request.width}`;
    const known = this.inProgress.get(key);
    if (known) return known;
    const drawing = this.renderPage(file, request).finally(() => this.inProgress.delete(key));
    this.inProgress.set(key, drawing);
    return drawing;
  }

  private async renderPage(file: DocumentFile, { page, width, userId }: PageRequest): Promise<StoredPage> {
    // Whoever looked before somebody else's drawing ended, and comes here after it, finds what that one kept.
    const existing = await this.pageStore.findPage(file.fileId, page, width);
    if (existing) return existing;
    try {
      const [picture] = await this.rendering.renderPage(requireSource(file), page, [width]);
      const kept = await this.pageStore.savePage(file, page, width, picture!.bytes);
      if (!kept) throw fileErrors.FILE_NOT_FOUND();
      return kept;
    } catch (error) {
      if (!(error instanceof RenderError))
        throw (await this.officeConversion.reconvertLost(file)) ? fileErrors.DOCUMENT_NOT_READY() : error;
      await this.pageStore.recordBrokenPage(file, page, error.fault);
      if (error.fault === 'too-slow') await this.limits.consumeUpTo(NEW_PAGE_RATE, userId, SLOW_PAGE_COST);
      throw fileErrors.PAGE_FAILED();
    }
  }
}
