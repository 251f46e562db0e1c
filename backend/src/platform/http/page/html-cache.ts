import type { AppConfig } from '../../config/app-config.js';
import { languages, type Language } from '../../errors/app-error.js';
import type { BuiltPage, PagePreloads } from './built-page.js';
import { CompressedText } from './compressed-text.js';
import { HtmlDocumentBuilder, type PageMetadata } from './html-document-builder.js';
import type { SsrRenderer } from './ssr-renderer.js';
import type { PrerenderedPages, PrerenderRegistry, SiteSnapshot } from './prerender-registry.js';
import { publicPaths } from './search-engines.js';

/** How hard a document is compressed that is sent once (Brotli's 0 to 11): a millisecond on the server's thread. */
const UNCACHED_QUALITY = 4;
/** The address of which the landing page is, also where it stands in place of the dashboard. */
const LANDING = '/home';

/** The documents as they are sent; those that are the same for many are made once, when somebody first asks for them. */
export class HtmlCache {
  private readonly builder: HtmlDocumentBuilder;
  private readonly shells = new Map<PagePreloads | null, Map<string, CompressedText>>();
  private readonly metadata = new Map<Language, PageMetadata>();
  private landings: { facts: SiteSnapshot | null; texts: Promise<Record<Language, CompressedText>> } | null = null;

  constructor(
    private readonly built: BuiltPage,
    config: AppConfig,
    private readonly renderer: SsrRenderer,
    private readonly registry: PrerenderRegistry,
  ) {
    this.builder = new HtmlDocumentBuilder(built.indexHtml, config);
  }

  /** A document without anything drawn in it. */
  async getShell(language: Language, needs: PagePreloads | null, path: string): Promise<CompressedText> {
    const canonical = publicPaths.find((one) => one === path);
    const key = `${language} ${canonical ?? ''}`;
    const ofNeeds = this.shells.get(needs) ?? new Map<string, CompressedText>();
    this.shells.set(needs, ofNeeds);
    const made = ofNeeds.get(key);
    if (made) return made;
    const heading = { ...(await this.siteMetadata(language)), ...(canonical === undefined ? {} : { canonical }) };
    const text = new CompressedText(this.builder.buildShell(language, heading, needs));
    ofNeeds.set(key, text);
    return text;
  }

  /** The landing page with what it tells of this installation; drawn again only when that has changed. */
  async getLandingPage(language: Language): Promise<CompressedText> {
    const facts = await this.registry.currentSite();
    if (this.landings?.facts !== facts) this.landings = { facts, texts: this.renderLandings(facts) };
    return (await this.landings.texts)[language];
  }

  /**
   * A page that shows what its address names.
   * @param LINES_PER_CHUNK its program begins by itself: whoever is signed in is shown more than was drawn
   */
  async renderPage(
    language: Language,
    { pages, name, answer }: { pages: PrerenderedPages; name: string; answer: object },
    { needs, atOnce }: { needs: PagePreloads | null; atOnce: boolean },
  ): Promise<CompressedText> {
    const facts = await this.registry.currentSite();
    const drawn = await this.renderer.renderPage(pages.renderer, language, facts?.site ?? null, answer);
    const { description } = await this.siteMetadata(language);
    const heading = { title: drawn.title, description: drawn.description ?? description };
    const given = { ...preloadedResponses(facts), [pages.apiPath(name)]: answer };
    return new CompressedText(
      this.builder.buildPrerendered(language, heading, {
        page: drawn,
        preloads: needs,
        responses: given,
        startsImmediately: atOnce,
      }),
      UNCACHED_QUALITY,
    );
  }

  private async renderLandings(facts: SiteSnapshot | null): Promise<Record<Language, CompressedText>> {
    const needs = this.built.preloadsOf(LANDING, false);
    const texts = languages.map(async (language) => {
      const drawn = await this.renderer.renderPage('landing', language, facts?.site ?? null);
      const document = { page: drawn, preloads: needs, responses: preloadedResponses(facts), startsImmediately: false };
      const heading = { ...(await this.siteMetadata(language)), canonical: '/' };
      return [language, new CompressedText(this.builder.buildPrerendered(language, heading, document))] as const;
    });
    return Object.fromEntries(await Promise.all(texts)) as Record<Language, CompressedText>;
  }

  /** What pages say of themselves that show nothing of their own to others. */
  private async siteMetadata(language: Language): Promise<PageMetadata> {
    const known = this.metadata.get(language);
    if (known) return known;
    const { title, description } = await this.renderer.renderPage('landing', language, null);
    const heading = { title, description: description ?? '' };
    this.metadata.set(language, heading);
    return heading;
  }
}

const preloadedResponses = (facts: SiteSnapshot | null): Record<string, object> =>
  facts?.isComplete ? { '/api/site': facts.site } : {};
