import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock, MINUTE } from '../../../platform/clock/clock.js';
import { withStatementLimit } from '../../../platform/database/pool/statement-limit.js';
import { query } from '../../../platform/database/query.js';
import { containsPattern } from '../../../platform/http/lists/admin-list.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { normaliseForSearchSql } from '../../../platform/text/normalise-for-search.js';
import type { DocumentHitDto, DocumentHitsDto } from '../dto/search.dto.js';
import type { FileDocumentSchema, FilePageTextSchema } from '../entities/document.entity.js';
import type { FileSchema } from '../entities/file.entity.js';
import { TEXT_TYPES } from '../shared/document-types.js';
import { findMatches, normaliseQuery } from '../shared/page-text-matching.js';
import { PerUserQueueService } from '../pages/per-user-queue.service.js';
import {
  FILE_KIND,
  FileSearchService,
  mirroredFoldersSql,
  reachableZonesSql,
  type SearchHit,
} from './file-search.service.js';

type Tables = typeof FileSchema | typeof FileDocumentSchema | typeof FilePageTextSchema;

const SEARCH_RATE: RateRule = { name: 'text-searches', limit: 240, window: MINUTE };
/** Timeout of one search in milliseconds. Searching twenty thousand full pages takes a tenth of it. */
const SEARCH_TIMEOUT = 5_000;
/** Maximum number of pages scanned per search. The texts have no index, because it would be three times their size. */
const MAX_PAGES = 20_000;

interface TextHit extends SearchHit {
  readonly page: number;
  readonly pages: string;
  readonly text: string;
}

/** Finds documents by the text of their pages, in all zones that the viewer can access. */
@Injectable()
export class FullTextSearchService {
  /** Runs one search per user at a time, so that no user can occupy all database connections. */
  private readonly queue = new PerUserQueueService();

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
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
      withStatementLimit(SEARCH_TIMEOUT, () => this.queryRows(userId, zoneId, normalised, limit)),
    );
    const found = new Map(rows.flatMap((row) => (row.id === null ? [] : [[row.id, row] as const])));
    const visibleHits = await this.fileSearch.toDtos([...found.values()]);
    const hits = visibleHits.flatMap(({ id, name, zoneId, zoneName, path, file }): DocumentHitDto[] => {
      if (!file?.can.text) return [];
      const { page, pages, text } = found.get(id)!;
      const around = findMatches(text, normalised, 1)[0]?.around ?? '';
      return [{ id, name, zoneId, zoneName, path, page, pages: Number(pages), around }];
    });
    return { hits, isWhole: rows[0]?.isWhole ?? true, isReading: rows[0]?.isReading ?? false };
  }

  /** If nothing matches, returns one row without a document that says whether everything was searched. */
  private async queryRows(userId: number, zoneId: number | null, normalised: string, limit: number) {
    const { rows } = await sql<(TextHit | { id: null }) & { isWhole: boolean; isReading: boolean }>`
      with recursive ${reachableZonesSql(userId, zoneId, this.clock.now())}, ${mirroredFoldersSql}, sights as (
        select f.id, f.zone_id as seen_zone_id, null::bigint as mount_id
        from reach join files f on f.zone_id = reach.zone_id and f.trashed_at is null
        where f.allow_download or f.allow_text or reach.role in ('owner', 'admin')
        union all
        select f.id, m.seen_zone_id, m.mount_id
        from mounted m join reach on reach.zone_id = m.seen_zone_id cross join lateral (
          select f.id, f.allow_download, f.allow_text from files f
          where f.zone_id = m.zone_id and coalesce(f.folder_id, 0) = m.id and f.trashed_at is null offset 0
        ) f
        where f.allow_download or f.allow_text or reach.role = 'owner'
      ), once as (
        select distinct on (id) * from sights order by id, mount_id is not null, seen_zone_id, mount_id
      ), documents as materialized (
        select o.*, f.original_name as name, f.folder_id as place_id, f.updated_at,
          sum(d.page_count) over (order by f.updated_at desc, f.id desc) as through
        from once o join files f on f.id = o.id
        join file_documents d on d.file_id = o.id and d.content_key = f.object_key and d.page_count > 0
        where f.mime_type not like 'image/%'
      ), unread as (
        select exists (
          select from once o join files f on f.id = o.id left join file_documents d on d.file_id = f.id
          where f.mime_type = any(${TEXT_TYPES}::text[]) and f.size > 0 and d.failure is null
            and (d.file_id is null or d.content_key <> f.object_key or d.texts <> 'ready')
        ) as is_reading
      ), held as (
        select d.id, d.name, d.place_id, d.seen_zone_id, d.mount_id, d.updated_at, t.page, t.pages, t.text
        from (select * from documents where through <= ${MAX_PAGES} order by updated_at desc, id desc offset 0) d
        cross join lateral (
          select page, text, count(*) over () as pages from file_page_texts
          where file_id = d.id and search_text like ${normaliseForSearchSql(containsPattern(normalised))} order by page limit 1
        ) t limit ${limit}
      )
      select ${sql.lit(FILE_KIND)} as kind, h.id, h.name, h.place_id as "placeId", h.seen_zone_id as "zoneId", z.name as "zoneName",
        z.role, h.mount_id as "mountId", t.name as "mountName", r.source_folder_id as "sourceId", h.page, h.pages, h.text,
        w.is_whole as "isWhole", unread.is_reading as "isReading"
      from (select coalesce(max(through), 0) <= ${MAX_PAGES} as is_whole from documents) w cross join unread
      left join held h on true left join reach z on z.zone_id = h.seen_zone_id
      left join folder_mirrors r on r.target_folder_id = h.mount_id left join folders t on t.id = h.mount_id
      order by h.updated_at desc, h.id desc`.execute(query<Tables>(this.em));
    return rows;
  }
}
