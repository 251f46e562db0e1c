import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { containing } from '../../../platform/http/lists/admin-list.js';
import { searchFold } from '../../../platform/text/fold.js';
import type { FilePageTextSchema } from '../entities/document.entity.js';
import { foundIn, wantedOf, type Found } from '../shared/page-words.js';

/** Places told at most, and letters that are gone through for them: of usual pages 1,500. */
const MOST = 500;
const LETTERS = 4_000_000;

export interface FoundOnPage extends Found {
  readonly page: number;
}

/** Finding words in a document whose texts are read. */
@Injectable()
export class TextSearch {
  constructor(private readonly em: EntityManager) {}

  /** Where a document holds what is asked, by its pages; 500 places at most. */
  async search(fileId: number, q: string): Promise<FoundOnPage[]> {
    const wanted = wantedOf(q);
    if (wanted === '') return [];
    const found: FoundOnPage[] = [];
    for (const { page, text } of await this.pagesWith(fileId, wanted))
      found.push(...foundIn(text, wanted, MOST - found.length).map((place) => ({ page, ...place })));
    return found;
  }

  /** The pages that hold it, up to the one with the last place that is told. */
  private async pagesWith(fileId: number, wanted: string): Promise<{ page: number; text: string }[]> {
    const { rows } = await sql<{ page: number; text: string }>`
      with held as (
        select page, text, length(text) as letters,
          (length(search_text) - length(replace(search_text, ${searchFold(wanted)}, ''))) / length(${searchFold(wanted)}) as places
        from file_page_texts where file_id = ${fileId} and search_text like ${searchFold(containing(wanted))}
      ), counted as (
        select page, text, sum(places) over before as places, sum(letters) over before as letters from held
        window before as (order by page rows between unbounded preceding and 1 preceding)
      )
      select page, text from counted where coalesce(places, 0) < ${MOST} and coalesce(letters, 0) < ${LETTERS}
      order by page`.execute(query<typeof FilePageTextSchema>(this.em));
    return rows;
  }
}
