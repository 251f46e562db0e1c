import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { containsPattern } from '../../../platform/http/lists/admin-list.js';
import { normaliseForSearchSql } from '../../../platform/text/normalise-for-search.js';
import type { FilePageTextSchema } from '../entities/document.entity.js';
import { findMatches, normaliseQuery, type TextMatch } from '../shared/page-text-matching.js';

/** Maximum number of matches returned, and of characters scanned for them (about 1,500 typical pages). */
const MAX_MATCHES = 500;
const MAX_CHARACTERS = 4_000_000;

export interface PageTextMatch extends TextMatch {
  readonly page: number;
}

/** Searches the extracted text of a document. */
@Injectable()
export class DocumentSearchService {
  constructor(private readonly em: EntityManager) {}

  /** Finds matches in a document, ordered by page; 500 at most. */
  async searchDocument(fileId: number, q: string): Promise<PageTextMatch[]> {
    const normalised = normaliseQuery(q);
    if (normalised === '') return [];
    const found: PageTextMatch[] = [];
    for (const { page, text } of await this.findMatchingPages(fileId, normalised))
      found.push(...findMatches(text, normalised, MAX_MATCHES - found.length).map((match) => ({ page, ...match })));
    return found;
  }

  /** Returns the matching pages up to the one with the last match to return. */
  private async findMatchingPages(fileId: number, normalised: string): Promise<{ page: number; text: string }[]> {
    const { rows } = await sql<{ page: number; text: string }>`
      with held as (
        select page, text, length(text) as letters,
          (length(search_text) - length(replace(search_text, ${normaliseForSearchSql(normalised)}, ''))) / length(${normaliseForSearchSql(normalised)}) as matches
        from file_page_texts where file_id = ${fileId} and search_text like ${normaliseForSearchSql(containsPattern(normalised))}
      ), counted as (
        select page, text, sum(matches) over before as matches, sum(letters) over before as letters from held
        window before as (order by page rows between unbounded preceding and 1 preceding)
      )
      select page, text from counted where coalesce(matches, 0) < ${MAX_MATCHES} and coalesce(letters, 0) < ${MAX_CHARACTERS}
      order by page`.execute(query<typeof FilePageTextSchema>(this.em));
    return rows;
  }
}
