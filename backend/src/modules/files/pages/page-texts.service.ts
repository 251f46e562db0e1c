import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../platform/clock/clock.js';
import type { PageText } from '../../../platform/drawing/drawing-protocol.js';
import { RateLimits, type RateRule } from '../../../platform/http/limits/rate-limits.service.js';
import type { ViewedFile } from '../access/file-access.service.js';
import { fileErrors } from '../files.errors.js';
import { hasWords } from '../shared/documents.js';
import type { DocumentFile } from './document-file.js';
import { PersonTurns } from './person-turns.service.js';
import { FileTexts, type KeptText } from './file-texts.service.js';
import { ReadableDocuments } from './readable-documents.service.js';
import { TextMaker } from './text-maker.service.js';
import { TextSearch, type FoundOnPage } from './text-search.service.js';

/** Pages that a person may have read by the machine which nobody has asked for before, and searches. */
const NEW_TEXTS: RateRule = { name: 'new-texts', limit: 120, window: MINUTE };
/** What one counts that cannot be read: it may have held up the others for ten seconds. */
const A_FAILURE = 40;
const SEARCHES: RateRule = { name: 'document-searches', limit: 120, window: MINUTE };

/** The texts of documents as readers have them: those that are there, and others read when they are first asked for. */
@Injectable()
export class PageTexts {
  /** Readings under way, so that many who ask at once wait for the same one. */
  private readonly underWay = new Map<string, Promise<KeptText>>();

  constructor(
    private readonly em: EntityManager,
    private readonly documents: ReadableDocuments,
    private readonly texts: FileTexts,
    private readonly maker: TextMaker,
    private readonly searching: TextSearch,
    private readonly limits: RateLimits,
    private readonly turns: PersonTurns,
  ) {}

  /**
   * What a page says, where its words stand, and its links; nothing of a page that cannot be read.
   * @throws PAGE_NOT_FOUND, DOCUMENT_NOT_READY, DOCUMENT_FAILED; DRAWING_BUSY, STORAGE_UNAVAILABLE; TOO_MANY_REQUESTS when
   * this person has had too many pages read that nobody had asked for
   */
  async find({ id }: ViewedFile, page: number, userId: number): Promise<PageText> {
    const file = await this.documents.withPage(id, page);
    if (!hasWords(file)) return { words: [], links: [] };
    if (file.texts === 'none') await this.texts.order(this.em, file);
    const kept = (await this.texts.find(id, page)) ?? (await this.read(file, page, userId));
    const layer = await this.texts.layer(kept);
    if (layer) return layer;
    await this.texts.forget(id, kept.layerKey!);
    const again = await this.read(file, page, userId);
    return (await this.texts.layer(again)) ?? { words: [], links: [] };
  }

  /**
   * Where a document holds what is asked.
   * @throws PAGE_NOT_FOUND of files without pages, DOCUMENT_NOT_READY until all its texts are there, DOCUMENT_FAILED,
   * TOO_MANY_REQUESTS
   */
  async search({ id }: ViewedFile, q: string, userId: number): Promise<FoundOnPage[]> {
    const file = await this.documents.find(id);
    if (!hasWords(file)) return [];
    if (file.texts === 'none') await this.texts.order(this.em, file);
    if (file.texts !== 'ready') throw fileErrors.DOCUMENT_NOT_READY();
    await this.limits.spend(SEARCHES, userId);
    return this.searching.search(id, q);
  }

  private read(file: DocumentFile, page: number, userId: number): Promise<KeptText> {
    return this.turns.take(userId, async () => {
      await this.limits.spend(NEW_TEXTS, userId);
      return this.shared(file, page, userId);
    });
  }

  private shared(file: DocumentFile, page: number, userId: number): Promise<KeptText> {
    const key = `${file.objectKey} ${page}`;
    const known = this.underWay.get(key);
    if (known) return known;
    const reading = this.keep(file, page, userId).finally(() => this.underWay.delete(key));
    this.underWay.set(key, reading);
    return reading;
  }

  private async keep(file: DocumentFile, page: number, userId: number): Promise<KeptText> {
    // Whoever looked before somebody else's reading ended, and comes here after it, finds what that one kept.
    const there = await this.texts.find(file.fileId, page);
    if (there) return there;
    const { kept, isRead } = await this.maker.read(file, page);
    if (!isRead) await this.limits.spendUpTo(NEW_TEXTS, userId, A_FAILURE);
    if (!kept) throw fileErrors.FILE_NOT_FOUND();
    return kept;
  }
}
