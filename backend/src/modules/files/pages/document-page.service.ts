import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../platform/clock/clock.js';
import { RenderError } from '../../../platform/rendering/rendering.errors.js';
import { RenderingService } from '../../../platform/rendering/rendering.service.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { digestOf } from '../../../platform/security/secrets.js';
import { Storage } from '../../../platform/storage/storage.js';
import type { AccessibleFile } from '../access/file-access.repository.js';
import type { DocumentDescription, PageWidth } from '../dto/document.dto.js';
import { fileAbilities } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';
import { toAttachmentDtos } from './attachments/attachment-list.js';
import { requireSource, type DocumentFile } from './document-file.js';
import { PerUserQueueService } from './per-user-queue.service.js';
import { DocumentService } from './document.service.js';
import { PageStoreService } from './page-store.service.js';
import { OfficeConversionService } from './office-conversion.service.js';
import { ReadableDocumentService } from './readable-document.service.js';
import { PageRepository, type StoredPage } from './page.repository.js';

/** Pages not rendered before that a user may request. */
const NEW_PAGE_RATE: RateRule = { name: 'new-pages', limit: 120, window: MINUTE };
/** Cost of a page whose rendering was aborted after ten seconds, during which nothing else was rendered. */
const SLOW_PAGE_COST = 40;

export interface PageImage extends StoredPage {
  readonly etag: string;
}

export interface PageRequest {
  readonly page: number;
  readonly width: PageWidth;
  /** Whose new pages are queued and limited together: the id of a user, or a link and a network of its guests. */
  readonly queueKey: number | string;
}

/** Serves page images. Pages that don't exist yet are rendered when first requested. */
@Injectable()
export class DocumentPageService {
  /** Renderings in progress, so that concurrent requests for a page share one rendering. */
  private readonly inProgress = new Map<string, Promise<StoredPage>>();

  constructor(
    private readonly pages: PageRepository,
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
   * Describes the pages of a file. Enqueues the rendering of a document about which nothing is known yet; an image that
   * browsers can show is examined immediately.
   * @throws DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  async describeDocument(viewed: AccessibleFile): Promise<DocumentDescription> {
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
      // Only people who manage the file may learn that it has hidden content.
      hidden: fileAbilities({ ...viewed, readOnly: viewed.mountId !== null }).rename ? hidden : null,
      attachments: toAttachmentDtos(viewed, attachments ?? []),
    };
  }

  /**
   * Returns a page image, rendering it if necessary.
   * @throws PAGE_NOT_FOUND, DOCUMENT_NOT_READY, DOCUMENT_FAILED, PAGE_FAILED; DRAWING_BUSY, STORAGE_UNAVAILABLE;
   * TOO_MANY_REQUESTS if the user has had too many new pages rendered
   */
  async findPage({ id }: AccessibleFile, request: PageRequest): Promise<PageImage> {
    const file = await this.readableDocument.findWithPage(id, request.page);
    const stored =
      (await this.pages.findPage(id, request.page, request.width)) ?? (await this.renderQueued(file, request));
    return { ...stored, etag: `"${digestOf(stored.objectKey).slice(0, 32)}"` };
  }

  /**
   * Opens the bytes of a page image. If its object is lost, the page is rendered again, so the returned image may
   * differ from `found`.
   * @throws the same errors as `findPage`
   */
  async openPage(
    file: AccessibleFile,
    request: PageRequest,
    found: PageImage,
  ): Promise<{ picture: PageImage; bytes: Readable }> {
    try {
      return { picture: found, bytes: await this.storage.read(found.objectKey) };
    } catch (error) {
      if ((await this.storage.stat(found.objectKey)) !== null) throw error;
      await this.pages.deletePage(file.id, found.objectKey);
      const picture = await this.findPage(file, request);
      return { picture, bytes: await this.storage.read(picture.objectKey) };
    }
  }

  /**
   * Retries the rendering of a failed document; enqueues a waiting one again.
   * @throws PAGE_NOT_FOUND for files without pages
   */
  async retryRendering({ id }: AccessibleFile): Promise<void> {
    const file = await this.document.findDocument(id);
    if (!file || file.size === 0) throw fileErrors.PAGE_NOT_FOUND();
    await this.document.retryRendering(file);
  }

  private async renderQueued(file: DocumentFile, request: PageRequest): Promise<StoredPage> {
    if ((await this.pages.findPageFailure(file.fileId, request.page)) !== null) throw fileErrors.PAGE_FAILED();
    return this.perUserQueue.run(request.queueKey, async () => {
      // Checked only when the request reaches the front of the queue, because the user's earlier requests may have used
      // up the limit.
      await this.limits.consume(NEW_PAGE_RATE, request.queueKey);
      return this.renderShared(file, request);
    });
  }

  private renderShared(file: DocumentFile, request: PageRequest): Promise<StoredPage> {
    const key = `${file.objectKey} ${request.page} ${request.width}`;
    const known = this.inProgress.get(key);
    if (known) return known;
    const rendering = this.renderPage(file, request).finally(() => this.inProgress.delete(key));
    this.inProgress.set(key, rendering);
    return rendering;
  }

  private async renderPage(file: DocumentFile, { page, width, queueKey }: PageRequest): Promise<StoredPage> {
    // A rendering that ended after the caller's first lookup may have stored the page.
    const existing = await this.pages.findPage(file.fileId, page, width);
    if (existing) return existing;
    try {
      const [picture] = await this.rendering.renderPage(requireSource(file), page, [width]);
      const saved = await this.pageStore.savePage(file, page, width, picture!.bytes);
      // The file was replaced or purged meanwhile.
      if (!saved) throw fileErrors.DOCUMENT_NOT_READY();
      return saved;
    } catch (error) {
      if (!(error instanceof RenderError))
        throw (await this.officeConversion.reconvertLost(file)) ? fileErrors.DOCUMENT_NOT_READY() : error;
      await this.pages.insertBrokenPage(file, page, error.failure);
      if (error.failure === 'too-slow') await this.limits.consumeUpTo(NEW_PAGE_RATE, queueKey, SLOW_PAGE_COST);
      throw fileErrors.PAGE_FAILED();
    }
  }
}
