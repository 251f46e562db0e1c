import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../platform/clock/clock.js';
import { DrawingFailure } from '../../../platform/drawing/drawing.errors.js';
import { DrawingService } from '../../../platform/drawing/drawing.service.js';
import { RateLimits, type RateRule } from '../../../platform/http/limits/rate-limits.service.js';
import { digestOf } from '../../../platform/security/secrets.js';
import { Storage } from '../../../platform/storage/storage.js';
import type { ViewedFile } from '../access/file-access.service.js';
import type { DocumentDto, PageWidth } from '../dto/document.dto.js';
import { fileAbilities } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';
import { attachmentsFor } from './attachments/attachment-list.js';
import { sourceOf, type DocumentFile } from './document-file.js';
import { PersonTurns } from './person-turns.service.js';
import { FileDocuments } from './file-documents.service.js';
import { FilePages, type KeptPage } from './file-pages.service.js';
import { OfficeDocuments } from './office-documents.service.js';
import { ReadableDocuments } from './readable-documents.service.js';

/** Pages that a person may have drawn which nobody has looked at before. */
const NEW_PAGES: RateRule = { name: 'new-pages', limit: 120, window: MINUTE };
/** What one counts that was given up after ten seconds, in which nothing else was drawn. */
const A_SLOW_ONE = 40;

/** A page as it is sent. */
export interface PagePicture extends KeptPage {
  readonly etag: string;
}

/** Whose wish it is, and for what. */
interface Wish {
  readonly page: number;
  readonly width: PageWidth;
  readonly userId: number;
}

/** Pages of documents as readers see them: those that are there, and others drawn when they are first asked for. */
@Injectable()
export class PageReader {
  /** Drawings under way, so that many who ask at once wait for the same one. */
  private readonly underWay = new Map<string, Promise<KeptPage>>();

  constructor(
    private readonly documents: FileDocuments,
    private readonly readable: ReadableDocuments,
    private readonly pages: FilePages,
    private readonly drawing: DrawingService,
    private readonly storage: Storage,
    private readonly office: OfficeDocuments,
    private readonly limits: RateLimits,
    private readonly turns: PersonTurns,
  ) {}

  /**
   * What is known of the pages of a file. One of which nothing is known yet is ordered to be drawn; a picture that browsers
   * show is looked at now.
   * @throws DRAWING_BUSY, STORAGE_UNAVAILABLE
   */
  async describe(viewed: ViewedFile): Promise<DocumentDto> {
    const { id } = viewed;
    const file = await this.readable.known(id);
    const nothing = { count: null, failure: null, pages: [], outline: [], hidden: null, attachments: [] };
    if (!file) return { state: 'none', ...nothing };
    if (file.size === 0) return { state: 'failed', ...nothing, failure: 'empty' };
    const { state, failure, pageCount: count } = file;
    const { sizes, outline, hidden, attachments } = await this.documents.contentOf(id);
    const pages = (sizes ?? []).map(([width, height]) => ({ width, height }));
    return {
      state: state ?? 'waiting',
      count,
      failure,
      pages,
      outline: outline ?? [],
      // That there is something hidden is a matter of those who put the file here.
      hidden: fileAbilities({ ...viewed, readOnly: viewed.mountId !== null }).rename ? hidden : null,
      attachments: attachmentsFor(viewed, attachments ?? []),
    };
  }

  /**
   * A page as a picture.
   * @throws PAGE_NOT_FOUND, DOCUMENT_NOT_READY, DOCUMENT_FAILED, PAGE_FAILED; DRAWING_BUSY, STORAGE_UNAVAILABLE;
   * TOO_MANY_REQUESTS when this person has had too many pages drawn that nobody had seen
   */
  async find({ id }: ViewedFile, wish: Wish): Promise<PagePicture> {
    const file = await this.readable.withPage(id, wish.page);
    const kept = (await this.pages.find(id, wish.page, wish.width)) ?? (await this.drawn(file, wish));
    return { ...kept, etag: `"${digestOf(kept.objectKey).slice(0, 32)}"` };
  }

  /**
   * Opens the bytes of a page; one whose object is lost is drawn again, so they may be others than those found.
   * @throws as `find` does
   */
  async open(file: ViewedFile, wish: Wish, found: PagePicture): Promise<{ picture: PagePicture; bytes: Readable }> {
    try {
      return { picture: found, bytes: await this.storage.read(found.objectKey) };
    } catch (error) {
      if ((await this.storage.stat(found.objectKey)) !== null) throw error;
      await this.pages.forget(file.id, found.objectKey);
      const picture = await this.find(file, wish);
      return { picture, bytes: await this.storage.read(picture.objectKey) };
    }
  }

  /**
   * Has what could not be drawn tried again, and what waits ordered once more.
   * @throws PAGE_NOT_FOUND of files without pages
   */
  async retry({ id }: ViewedFile): Promise<void> {
    const file = await this.documents.find(id);
    if (!file || file.size === 0) throw fileErrors.PAGE_NOT_FOUND();
    await this.documents.retry(file);
  }

  private async drawn(file: DocumentFile, wish: Wish): Promise<KeptPage> {
    if ((await this.pages.brokenBy(file.fileId, wish.page)) !== null) throw fileErrors.PAGE_FAILED();
    return this.turns.take(wish.userId, async () => {
      // When its turn has come: what was asked for before may have used them up.
      await this.limits.spend(NEW_PAGES, wish.userId);
      return this.shared(file, wish);
    });
  }

  private shared(file: DocumentFile, wish: Wish): Promise<KeptPage> {
    const key = `${file.objectKey} ${wish.page} ${wish.width}`;
    const known = this.underWay.get(key);
    if (known) return known;
    const drawing = this.draw(file, wish).finally(() => this.underWay.delete(key));
    this.underWay.set(key, drawing);
    return drawing;
  }

  private async draw(file: DocumentFile, { page, width, userId }: Wish): Promise<KeptPage> {
    // Whoever looked before somebody else's drawing ended, and comes here after it, finds what that one kept.
    const there = await this.pages.find(file.fileId, page, width);
    if (there) return there;
    try {
      const [picture] = await this.drawing.draw(sourceOf(file), page, [width]);
      const kept = await this.pages.keep(file, page, width, picture!.bytes);
      if (!kept) throw fileErrors.FILE_NOT_FOUND();
      return kept;
    } catch (error) {
      if (!(error instanceof DrawingFailure))
        throw (await this.office.renewLost(file)) ? fileErrors.DOCUMENT_NOT_READY() : error;
      await this.pages.noteBroken(file, page, error.fault);
      if (error.fault === 'too-slow') await this.limits.spendUpTo(NEW_PAGES, userId, A_SLOW_ONE);
      throw fileErrors.PAGE_FAILED();
    }
  }
}
