import { languages, type Language } from '../../errors/app-error.js';
import { CompressedText } from './compressed.js';
import type { Documents } from './documents.js';
import type { Facts, PageFacts } from './page-facts.js';

/** The document of the landing page with what it tells of this installation; made again only when that has changed. */
export class LandingDocument {
  private made: { facts: Facts | null; texts: Record<Language, CompressedText> } | null = null;

  constructor(
    private readonly documents: Documents,
    private readonly facts: PageFacts,
  ) {}

  async in(language: Language): Promise<CompressedText> {
    const facts = await this.facts.current();
    if (!this.made || this.made.facts !== facts) this.made = { facts, texts: this.textsWith(facts) };
    return this.made.texts[language];
  }

  private textsWith(facts: Facts | null): Record<Language, CompressedText> {
    const document = this.documents.landing(facts);
    const texts = languages.map((language) => [language, new CompressedText(document[language])] as const);
    return Object.fromEntries(texts) as Record<Language, CompressedText>;
  }
}
