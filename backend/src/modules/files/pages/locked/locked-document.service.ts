import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../../platform/clock/clock.js';
import { RenderError } from '../../../../platform/rendering/rendering.errors.js';
import type { RenderFailure, OutlineEntry, PageText } from '../../../../platform/rendering/rendering-protocol.js';
import { RenderingService, type RenderSource } from '../../../../platform/rendering/rendering.service.js';
import { RateLimitService, type RateRule } from '../../../../platform/http/limits/rate-limit.service.js';
import type { AppRequest } from '../../../../platform/http/parsing/viewer.js';
import type { AccessibleFile } from '../../access/file-access.repository.js';
import type { DocumentDescription, PageWidth } from '../../dto/document.dto.js';
import { fileErrors } from '../../files.errors.js';
import { requireSource, type DocumentFile } from '../document-file.js';
import { toAttachmentDtos } from '../attachments/attachment-list.js';
import { PerUserQueueService } from '../per-user-queue.service.js';
import { documentFailedError } from '../document-failure.js';
import { DocumentService } from '../document.service.js';
import { DocumentPasswordCookieService } from './document-password-cookie.service.js';
import { PageRepository } from '../page.repository.js';

/** Password attempts of a user on a document. */
const PASSWORD_RATE: RateRule = { name: 'document-password', limit: 10, window: 15 * MINUTE };
/**
 * Pages and texts of locked documents that a user may have generated. Nothing is stored, so every view generates them
 * again.
 */
const RENDER_RATE: RateRule = { name: 'locked-pages', limit: 300, window: MINUTE };
/** Cost of a failed rendering or extraction, which may have blocked others for ten seconds. */
const FAILURE_COST = 60;

/** A locked document with the password that the session has entered. */
export type UnlockedDocument = DocumentFile & { readonly password: string };

interface PageRequest {
  readonly page: number;
  readonly width: PageWidth;
  readonly userId: number;
}

/**
 * Serves password-protected documents to the sessions that entered the password. Every page is generated on request; no
 * content is stored, neither in storage nor in the database.
 */
@Injectable()
export class LockedDocumentService {
  constructor(
    private readonly pages: PageRepository,
    private readonly document: DocumentService,
    private readonly documentPasswordCookie: DocumentPasswordCookieService,
    private readonly rendering: RenderingService,
    private readonly limits: RateLimitService,
    private readonly perUserQueue: PerUserQueueService,
  ) {}

  /** Returns the document if it is locked and this session has unlocked it, otherwise null. */
  async findUnlocked(request: AppRequest, { id }: AccessibleFile): Promise<UnlockedDocument | null> {
    const password = this.documentPasswordCookie.readPassword(request, id);
    if (password === null) return null;
    const file = await this.document.findDocument(id);
    return file?.failure === 'locked' ? { ...file, password } : null;
  }

  /**
   * Tries a password. The attempt is counted before it is made.
   * @throws DOCUMENT_PASSWORD_WRONG; PAGE_NOT_FOUND for files without pages; DOCUMENT_NOT_READY until it is known
   * whether the document is locked; DOCUMENT_NOT_LOCKED, DOCUMENT_FAILED, TOO_MANY_REQUESTS; DRAWING_BUSY,
   * STORAGE_UNAVAILABLE
   */
  async unlockDocument({ id }: AccessibleFile, userId: number, password: string): Promise<void> {
    const file = await this.document.findDocument(id);
    if (!file) throw fileErrors.PAGE_NOT_FOUND();
    if (file.failure !== 'locked') throw notLockedError(file);
    await this.limits.consume(PASSWORD_RATE, `${userId} ${id}`);
    try {
      await this.perUserQueue.run(userId, () => this.rendering.openDocument(unlockedSource(file, password)));
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      if (error.failure !== 'locked') throw documentFailedError(error.failure);
      const { sentence } = fileErrors.DOCUMENT_PASSWORD_WRONG;
      throw fileErrors.DOCUMENT_PASSWORD_WRONG({}, { errors: { password: [sentence] } });
    }
  }

  /**
   * Describes the pages of the document, which is opened again for each call.
   * @throws TOO_MANY_REQUESTS; DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  async describeDocument(file: UnlockedDocument, viewed: AccessibleFile, userId: number): Promise<DocumentDescription> {
    try {
      const { count, sizes, outline, attachments } = await this.runLimited(userId, async () => {
        const opened = await this.rendering.openDocument(unlockedSource(file, file.password));
        return { ...opened, outline: await this.readOutline(file) };
      });
      const pages = sizes.map(([width, height]) => ({ width, height }));
      const attached = toAttachmentDtos(viewed, attachments);
      return { state: 'ready', count, failure: null, pages, outline, hidden: null, attachments: attached };
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      const failure = error.failure;
      return { state: 'failed', count: null, failure, pages: [], outline: [], hidden: null, attachments: [] };
    }
  }

  /**
   * Counts the pages of the document, which is opened again for each call.
   * @throws DOCUMENT_LOCKED if the password has changed since; DOCUMENT_FAILED, TOO_MANY_REQUESTS; DRAWING_BUSY,
   * STORAGE_UNAVAILABLE
   */
  async countPages(file: UnlockedDocument, userId: number): Promise<number> {
    try {
      const source = unlockedSource(file, file.password);
      return (await this.runLimited(userId, () => this.rendering.openDocument(source))).count;
    } catch (error) {
      throw error instanceof RenderError ? documentFailedError(error.failure) : error;
    }
  }

  /**
   * Renders a page as WebP.
   * @throws PAGE_NOT_FOUND, PAGE_FAILED; DOCUMENT_LOCKED if the password has changed since; TOO_MANY_REQUESTS;
   * DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  async renderPage(file: UnlockedDocument, { page, width, userId }: PageRequest): Promise<Buffer> {
    await this.assertNotBroken(file, page);
    try {
      const source = unlockedSource(file, file.password);
      const [image] = await this.runLimited(userId, () => this.rendering.renderPage(source, page, [width]));
      return image!.bytes;
    } catch (error) {
      throw await this.toAppError(file, page, error);
    }
  }

  /**
   * Extracts the text of a page; empty if the page can't be read.
   * @throws the same errors as `renderPage`
   */
  async extractText(file: UnlockedDocument, page: number, userId: number): Promise<PageText> {
    await this.assertNotBroken(file, page);
    try {
      const read = await this.runLimited(userId, () =>
        this.rendering.extractText(unlockedSource(file, file.password), page),
      );
      return { words: read.words, links: read.links };
    } catch (error) {
      if (!(error instanceof RenderError) || isDocumentFailure(error.failure))
        throw await this.toAppError(file, page, error);
      return { words: [], links: [] };
    }
  }

  /** Runs the work after the user's earlier requests. Failures caused by the document's content cost extra. */
  private runLimited<T>(userId: number, work: () => Promise<T>): Promise<T> {
    return this.perUserQueue.run(userId, async () => {
      await this.limits.consume(RENDER_RATE, userId);
      try {
        return await work();
      } catch (error) {
        if (error instanceof RenderError && !isDocumentFailure(error.failure))
          await this.limits.consumeUpTo(RENDER_RATE, userId, FAILURE_COST);
        throw error;
      }
    });
  }

  /** An unreadable outline counts as empty, as for other documents. */
  private async readOutline(file: UnlockedDocument): Promise<OutlineEntry[]> {
    try {
      return await this.rendering.readOutline(unlockedSource(file, file.password));
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      return [];
    }
  }

  /** Broken pages are recorded for locked documents too. Otherwise every view would take ten seconds to fail. */
  private async assertNotBroken({ fileId }: UnlockedDocument, page: number): Promise<void> {
    if ((await this.pages.findPageFailure(fileId, page)) !== null) throw fileErrors.PAGE_FAILED();
  }

  private async toAppError(file: UnlockedDocument, page: number, error: unknown): Promise<unknown> {
    if (!(error instanceof RenderError)) return error;
    if (isDocumentFailure(error.failure)) return documentFailedError(error.failure);
    await this.pages.insertBrokenPage(file, page, error.failure);
    return fileErrors.PAGE_FAILED();
  }
}

/** The source of a document's pages, with its password. */
export const unlockedSource = (file: DocumentFile, password: string): RenderSource => ({
  ...requireSource(file),
  password,
});

/** Whether the failure concerns the whole document rather than one of its pages. */
const isDocumentFailure = (failure: RenderFailure): boolean => failure === 'locked' || failure === 'no-page';

function notLockedError({ size, state, failure }: DocumentFile): Error {
  if (size === 0) return documentFailedError('empty');
  if (failure !== null) return documentFailedError(failure);
  return state === 'ready' ? fileErrors.DOCUMENT_NOT_LOCKED() : fileErrors.DOCUMENT_NOT_READY();
}
