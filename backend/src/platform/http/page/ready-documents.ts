import type { AppConfig } from '../../config/app-config.js';
import { languages, type Language } from '../../errors/app-error.js';
import type { BuiltPage, FirstNeeds } from './built-page.js';
import { CompressedText } from './compressed.js';
import { Documents, type Heading } from './documents.js';
import type { PageDrawing } from './drawing.js';
import type { DrawnPages, PageFacts, SiteFacts } from './page-facts.js';
import { publicPaths } from './search-engines.js';

/** How hard a document is compressed that is sent once (Brotli's 0 to 11): a millisecond on the server's thread. */
const ONCE = 4;
/** The address of which the landing page is, also where it stands in place of the dashboard. */
const LANDING = '/home';

/** The documents as they are sent; those that are the same for many are made once, when somebody first asks for them. */
export class ReadyDocuments {
  private readonly documents: Documents;
  private readonly plainOnes = new Map<FirstNeeds | null, Map<string, CompressedText>>();
  private readonly headings = new Map<Language, Heading>();
  private landings: { facts: SiteFacts | null; texts: Promise<Record<Language, CompressedText>> } | null = null;

  constructor(
    private readonly built: BuiltPage,
    config: AppConfig,
    private readonly drawing: PageDrawing,
    private readonly facts: PageFacts,
  ) {
    this.documents = new Documents(built.document, config);
  }

  /** A document without anything drawn in it. */
  async plain(language: Language, needs: FirstNeeds | null, path: string): Promise<CompressedText> {
    const canonical = publicPaths.find((one) => one === path);
    const key = `${language} ${canonical ?? ''}`;
    const ofNeeds = this.plainOnes.get(needs) ?? new Map<string, CompressedText>();
    this.plainOnes.set(needs, ofNeeds);
    const made = ofNeeds.get(key);
    if (made) return made;
    const heading = { ...(await this.siteHeading(language)), ...(canonical === undefined ? {} : { canonical }) };
    const text = new CompressedText(this.documents.plain(language, heading, needs));
    ofNeeds.set(key, text);
    return text;
  }

  /** The landing page with what it tells of this installation; drawn again only when that has changed. */
  async landingPage(language: Language): Promise<CompressedText> {
    const facts = await this.facts.current();
    if (this.landings?.facts !== facts) this.landings = { facts, texts: this.drawLandings(facts) };
    return (await this.landings.texts)[language];
  }

  /**
   * A page that shows what its address names.
   * @param atOnce its program begins by itself: whoever is signed in is shown more than was drawn
   */
  async drawn(
    language: Language,
    { pages, name, answer }: { pages: DrawnPages; name: string; answer: object },
    { needs, atOnce }: { needs: FirstNeeds | null; atOnce: boolean },
  ): Promise<CompressedText> {
    const facts = await this.facts.current();
    const drawn = await this.drawing.draw(pages.drawing, language, facts?.site ?? null, answer);
    const { description } = await this.siteHeading(language);
    const heading = { title: drawn.title, description: drawn.description ?? description };
    const given = { ...givenOf(facts), [pages.api(name)]: answer };
    return new CompressedText(this.documents.drawn(language, heading, { drawn, needs, given, atOnce }), ONCE);
  }

  private async drawLandings(facts: SiteFacts | null): Promise<Record<Language, CompressedText>> {
    const needs = this.built.needsOf(LANDING, false);
    const texts = languages.map(async (language) => {
      const drawn = await this.drawing.draw('landing', language, facts?.site ?? null);
      const document = { drawn, needs, given: givenOf(facts), atOnce: false };
      const heading = { ...(await this.siteHeading(language)), canonical: '/' };
      return [language, new CompressedText(this.documents.drawn(language, heading, document))] as const;
    });
    return Object.fromEntries(await Promise.all(texts)) as Record<Language, CompressedText>;
  }

  /** What pages say of themselves that show nothing of their own to others. */
  private async siteHeading(language: Language): Promise<Heading> {
    const known = this.headings.get(language);
    if (known) return known;
    const { title, description } = await this.drawing.draw('landing', language, null);
    const heading = { title, description: description ?? '' };
    this.headings.set(language, heading);
    return heading;
  }
}

const givenOf = (facts: SiteFacts | null): Record<string, object> =>
  facts?.isWhole ? { '/api/site': facts.site } : {};
