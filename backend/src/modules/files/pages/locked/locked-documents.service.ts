import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../../platform/clock/clock.js';
import { DrawingFailure } from '../../../../platform/drawing/drawing.errors.js';
import type { DrawingFault, OutlineEntry, PageText } from '../../../../platform/drawing/drawing-protocol.js';
import { DrawingService, type DrawingSource } from '../../../../platform/drawing/drawing.service.js';
import { RateLimits, type RateRule } from '../../../../platform/http/limits/rate-limits.service.js';
import type { AppRequest } from '../../../../platform/http/reading/viewer.js';
import type { ViewedFile } from '../../access/file-access.service.js';
import type { DocumentDto, PageWidth } from '../../dto/document.dto.js';
import { fileErrors } from '../../files.errors.js';
import { sourceOf, type DocumentFile } from '../document-file.js';
import { attachmentsFor } from '../attachments/attachment-list.js';
import { PersonTurns } from '../person-turns.service.js';
import { documentFailed } from '../failure-sentences.js';
import { FileDocuments } from '../file-documents.service.js';
import { FilePages } from '../file-pages.service.js';
import { DocumentPasswords } from './document-passwords.service.js';

/** Passwords that a person may try on a document. */
const TRIES: RateRule = { name: 'document-password', limit: 10, window: 15 * MINUTE };
/** Pages and texts that a person may have made of locked documents: nothing is kept, so each look makes them anew. */
const MADE: RateRule = { name: 'locked-pages', limit: 300, window: MINUTE };
/** What one counts that could not be drawn or read: it may have held up the others for ten seconds. */
const A_FAILURE = 60;

/** A locked document, with the password that the session has given. */
export type UnlockedDocument = DocumentFile & { readonly password: string };

interface Wish {
  readonly page: number;
  readonly width: PageWidth;
  readonly userId: number;
}

/**
 * Documents that are locked with a password: shown to the sessions that have given it, each page made when it is asked for.
 * Nothing of what they hold is kept, neither in the storage nor in the database.
 */
@Injectable()
export class LockedDocuments {
  constructor(
    private readonly documents: FileDocuments,
    private readonly pages: FilePages,
    private readonly passwords: DocumentPasswords,
    private readonly drawing: DrawingService,
    private readonly limits: RateLimits,
    private readonly turns: PersonTurns,
  ) {}

  /** The document, when it is locked and this session has opened it; null otherwise. */
  async opened(request: AppRequest, { id }: ViewedFile): Promise<UnlockedDocument | null> {
    const password = this.passwords.read(request, id);
    if (password === null) return null;
    const file = await this.documents.find(id);
    return file?.failure === 'locked' ? { ...file, password } : null;
  }

  /**
   * Tries a password. Each try counts before it is made.
   * @throws DOCUMENT_PASSWORD_WRONG; PAGE_NOT_FOUND of files without pages, DOCUMENT_NOT_READY until it is known whether it is
   * locked, DOCUMENT_NOT_LOCKED, DOCUMENT_FAILED, TOO_MANY_REQUESTS; DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  async unlock({ id }: ViewedFile, userId: number, password: string): Promise<void> {
    const file = await this.documents.find(id);
    if (!file) throw fileErrors.PAGE_NOT_FOUND();
    if (file.failure !== 'locked') throw notLocked(file);
    await this.limits.spend(TRIES, `${userId} ${id}`);
    try {
      await this.turns.take(userId, () => this.drawing.open(unlockedBy(file, password)));
    } catch (error) {
      if (!(error instanceof DrawingFailure)) throw error;
      if (error.fault !== 'locked') throw documentFailed(error.fault);
      const { sentence } = fileErrors.DOCUMENT_PASSWORD_WRONG;
      throw fileErrors.DOCUMENT_PASSWORD_WRONG({}, { errors: { password: [sentence] } });
    }
  }

  /**
   * What is known of its pages: opened for each look, as each page is drawn for it.
   * @throws TOO_MANY_REQUESTS; DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  async describe(file: UnlockedDocument, viewed: ViewedFile, userId: number): Promise<DocumentDto> {
    try {
      const { count, sizes, outline, attachments } = await this.made(userId, async () => {
        const opened = await this.drawing.open(unlockedBy(file, file.password));
        return { ...opened, outline: await this.outlineOf(file) };
      });
      const pages = sizes.map(([width, height]) => ({ width, height }));
      const attached = attachmentsFor(viewed, attachments);
      return { state: 'ready', count, failure: null, pages, outline, hidden: null, attachments: attached };
    } catch (error) {
      if (!(error instanceof DrawingFailure)) throw error;
      const failure = error.fault;
      return { state: 'failed', count: null, failure, pages: [], outline: [], hidden: null, attachments: [] };
    }
  }

  /**
   * A page as a WebP.
   * @throws PAGE_NOT_FOUND, PAGE_FAILED, DOCUMENT_LOCKED when its password is another by now; TOO_MANY_REQUESTS; DRAWING_BUSY,
   * STORAGE_UNAVAILABLE
   */
  async draw(file: UnlockedDocument, { page, width, userId }: Wish): Promise<Buffer> {
    await this.assertWell(file, page);
    try {
      const source = unlockedBy(file, file.password);
      const [picture] = await this.made(userId, () => this.drawing.draw(source, page, [width]));
      return picture!.bytes;
    } catch (error) {
      throw await this.told(file, page, error);
    }
  }

  /**
   * What a page says; nothing of a page that cannot be read.
   * @throws as `draw` does
   */
  async text(file: UnlockedDocument, page: number, userId: number): Promise<PageText> {
    await this.assertWell(file, page);
    try {
      const read = await this.made(userId, () => this.drawing.text(unlockedBy(file, file.password), page));
      return { words: read.words, links: read.links };
    } catch (error) {
      if (!(error instanceof DrawingFailure) || isOfDocument(error.fault)) throw await this.told(file, page, error);
      return { words: [], links: [] };
    }
  }

  /** Has something made when what this person has asked for before is done; what fails for what the document is counts many. */
  private made<T>(userId: number, work: () => Promise<T>): Promise<T> {
    return this.turns.take(userId, async () => {
      await this.limits.spend(MADE, userId);
      try {
        return await work();
      } catch (error) {
        if (error instanceof DrawingFailure && !isOfDocument(error.fault))
          await this.limits.spendUpTo(MADE, userId, A_FAILURE);
        throw error;
      }
    });
  }

  /** One that cannot be read is none, as of other documents. */
  private async outlineOf(file: UnlockedDocument): Promise<OutlineEntry[]> {
    try {
      return await this.drawing.outline(unlockedBy(file, file.password));
    } catch (error) {
      if (!(error instanceof DrawingFailure)) throw error;
      return [];
    }
  }

  /** That a page cannot be drawn is noted of locked documents too: else it would take its ten seconds each time. */
  private async assertWell({ fileId }: UnlockedDocument, page: number): Promise<void> {
    if ((await this.pages.brokenBy(fileId, page)) !== null) throw fileErrors.PAGE_FAILED();
  }

  private async told(file: UnlockedDocument, page: number, error: unknown): Promise<unknown> {
    if (!(error instanceof DrawingFailure)) return error;
    if (isOfDocument(error.fault)) return documentFailed(error.fault);
    await this.pages.noteBroken(file, page, error.fault);
    return fileErrors.PAGE_FAILED();
  }
}

/** Of what its pages are drawn, with its password. */
export const unlockedBy = (file: DocumentFile, password: string): DrawingSource => ({ ...sourceOf(file), password });

/** What is told of the document, and not of one of its pages. */
const isOfDocument = (fault: DrawingFault): boolean => fault === 'locked' || fault === 'no-page';

function notLocked({ size, state, failure }: DocumentFile): Error {
  if (size === 0) return documentFailed('empty');
  if (failure !== null) return documentFailed(failure);
  return state === 'ready' ? fileErrors.DOCUMENT_NOT_LOCKED() : fileErrors.DOCUMENT_NOT_READY();
}
