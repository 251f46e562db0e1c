import type { AppConfig } from '../../config/app-config.js';
import { languages, type Language } from '../../errors/app-error.js';
import type { BuiltPage, PagePreloads } from './built-page.js';
import { CompressedText } from './compressed-text.js';
import { HtmlDocumentBuilder, type PageMetadata } from './html-document-builder.js';
import type { SsrRenderer } from './ssr-renderer.js';
import type { PrerenderedPages, PrerenderRegistry, SiteSnapshot } from './prerender-registry.js';
import { publicPaths } from './search-engines.js';

/** Brotli quality (0 to 11) for documents that are sent once: a millisecond on the main thread. */
const UNCACHED_QUALITY = 4;
/** Canonical path of the landing page, also when it is shown in place of the dashboard. */
const LANDING = '/home';

/**
 * Builds the HTML documents to send, and caches those that are the same for many visitors, created on first request.
 */
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

  /** Returns a document without prerendered content. */
  async getShell(language: Language, needs: PagePreloads | null, path: string): Promise<CompressedText> {
    const canonical = publicPaths.find((publicPath) => publicPath === path);
    const key = `${language} ${canonical ?? ''}`;
    const shellsByKey = this.shells.get(needs) ?? new Map<string, CompressedText>();
    this.shells.set(needs, shellsByKey);
    const cached = shellsByKey.get(key);
    if (cached) return cached;
    const heading = { ...(await this.siteMetadata(language)), ...(canonical === undefined ? {} : { canonical }) };
    const text = new CompressedText(this.builder.buildShell(language, heading, needs));
    shellsByKey.set(key, text);
    return text;
  }

  /** Returns the landing page with data of this installation; rendered again only when that has changed. */
  async getLandingPage(language: Language): Promise<CompressedText> {
    const facts = await this.registry.currentSite();
    if (this.landings?.facts !== facts) this.landings = { facts, texts: this.renderLandings(facts) };
    return (await this.landings.texts)[language];
  }

  /**
   * Renders a page that depends on its path.
   * @param atOnce start the app immediately: signed-in users see more than what is prerendered
   */
  async renderPage(
    language: Language,
    { pages, name, data }: { pages: PrerenderedPages; name: string; data: object },
    { needs, atOnce }: { needs: PagePreloads | null; atOnce: boolean },
  ): Promise<CompressedText> {
    const facts = await this.registry.currentSite();
    const rendered = await this.renderer.renderPage(pages.renderer, language, facts?.site ?? null, data);
    const { description } = await this.siteMetadata(language);
    const heading = { title: rendered.title, description: rendered.description ?? description };
    const responses = { ...preloadedResponses(facts), [pages.apiPath(name)]: data };
    return new CompressedText(
      this.builder.buildPrerendered(language, heading, {
        page: rendered,
        preloads: needs,
        responses,
        startsImmediately: atOnce,
      }),
      UNCACHED_QUALITY,
    );
  }

  private async renderLandings(facts: SiteSnapshot | null): Promise<Record<Language, CompressedText>> {
    const needs = this.built.preloadsOf(LANDING, false);
    const texts = languages.map(async (language) => {
      const rendered = await this.renderer.renderPage('landing', language, facts?.site ?? null);
      const document = {
        page: rendered,
        preloads: needs,
        responses: preloadedResponses(facts),
        startsImmediately: false,
      };
      const heading = { ...(await this.siteMetadata(language)), canonical: '/' };
      return [language, new CompressedText(this.builder.buildPrerendered(language, heading, document))] as const;
    });
    return Object.fromEntries(await Promise.all(texts)) as Record<Language, CompressedText>;
  }

  /** Returns the metadata of pages without content of their own. */
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
