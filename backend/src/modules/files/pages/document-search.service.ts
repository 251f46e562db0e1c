import { Injectable } from '@nestjs/common';
import { findMatches, normaliseQuery, type TextMatch } from '../shared/page-text-matching.js';
import { PageTextRepository } from './page-text.repository.js';

/** Maximum number of matches returned, and of characters scanned for them (about 1,500 typical pages). */
const MAX_MATCHES = 500;
const MAX_CHARACTERS = 4_000_000;

export interface PageTextMatch extends TextMatch {
  readonly page: number;
}

/** Searches the extracted text of a document. */
@Injectable()
export class DocumentSearchService {
  constructor(private readonly pageTexts: PageTextRepository) {}

  /** Finds matches in a document, ordered by page; 500 at most. */
  async searchDocument(fileId: number, q: string): Promise<PageTextMatch[]> {
    const normalised = normaliseQuery(q);
    if (normalised === '') return [];
    const found: PageTextMatch[] = [];
    const limits = { maxMatches: MAX_MATCHES, maxCharacters: MAX_CHARACTERS };
    for (const { page, text } of await this.pageTexts.findPagesWith(fileId, normalised, limits))
      found.push(...findMatches(text, normalised, MAX_MATCHES - found.length).map((match) => ({ page, ...match })));
    return found;
  }
}
