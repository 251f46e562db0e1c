import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../platform/clock/clock.js';
import { withStatementLimit } from '../../../platform/database/pool/statement-limit.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import type { DocumentHitDto, DocumentHitsDto } from '../dto/search.dto.js';
import { findMatches, normaliseQuery } from '../shared/page-text-matching.js';
import { PerUserQueueService } from '../pages/per-user-queue.service.js';
import { FileSearchRepository } from './file-search.repository.js';
import { FileSearchService } from './file-search.service.js';

const SEARCH_RATE: RateRule = { name: 'text-searches', limit: 240, window: MINUTE };
/** Timeout of one search in milliseconds. Searching twenty thousand full pages takes a tenth of it. */
const SEARCH_TIMEOUT = 5_000;
/** Maximum number of pages scanned per search. The texts have no index, because it would be three times their size. */
const MAX_PAGES = 20_000;

/** Finds documents by the text of their pages, in all zones that the viewer can access. */
@Injectable()
export class FullTextSearchService {
  /** Runs one search per user at a time, so that no user can occupy all database connections. */
  private readonly queue = new PerUserQueueService();

  constructor(
    private readonly search: FileSearchRepository,
    private readonly limits: RateLimitService,
    private readonly fileSearch: FileSearchService,
  ) {}

  /**
   * Finds documents with a page that contains the phrase, last changed first, each with its first matching page. Leaves
   * out password-protected documents and those whose text the viewer may not read. A document in one of the viewer's
   * zones that is also mirrored is returned once, in its own zone.
   * @param zoneId search only this zone and its mirrors; null for all of the viewer's zones
   * @param limit maximum number of documents
   * @throws TOO_MANY_REQUESTS; DRAWING_BUSY if too many searches of this user are queued
   */
  async searchTexts(userId: number, zoneId: number | null, q: string, limit: number): Promise<DocumentHitsDto> {
    await this.limits.consume(SEARCH_RATE, userId);
    const normalised = normaliseQuery(q);
    if (normalised === '') return { hits: [], isWhole: true, isReading: false };
    const rows = await this.queue.run(userId, () =>
      withStatementLimit(SEARCH_TIMEOUT, () => this.search.searchTexts(userId, zoneId, normalised, limit, MAX_PAGES)),
    );
    const found = new Map(rows.flatMap((row) => (row.id === null ? [] : [[row.id, row] as const])));
    const visibleHits = await this.fileSearch.toDtos([...found.values()], userId);
    const hits = visibleHits.flatMap(({ id, name, zoneId, zoneName, path, file }): DocumentHitDto[] => {
      if (!file?.can.text) return [];
      const { page, pages, text } = found.get(id)!;
      const around = findMatches(text, normalised, 1)[0]?.around ?? '';
      return [{ id, name, zoneId, zoneName, path, page, pages: Number(pages), around }];
    });
    return { hits, isWhole: rows[0]?.isWhole ?? true, isReading: rows[0]?.isReading ?? false };
  }
}
