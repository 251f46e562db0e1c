import type { AppConfig } from '../../config/app-config.js';
import type { Language } from '../../errors/app-error.js';
import type { BuiltPage, PagePreloads } from './built-page.js';
import { CompressedText } from './compressed-text.js';
import { HtmlDocumentBuilder, type PageMetadata } from './html-document-builder.js';
import type { SsrRenderer } from './ssr-renderer.js';
import type { PrerenderedPages, PrerenderRegistry, SiteSnapshot } from './prerender-registry.js';
import { publicPaths } from './search-engines.js';

/** Brotli quality (0 to 11) for documents that are sent once: a millisecond on the main thread. */
const UNCACHED_QUALITY = 4;
/**
 * Pages that are the same for all signed-out visitors: a path with their preloads, their canonical path, and whether the
 * app starts without waiting for user interaction.
 */
const fixedPages = {
  landing: { path: '/home', canonical: '/', startsImmediately: false },
  // Almost all who open it fill in its form.
  signIn: { path: '/auth', canonical: undefined, startsImmediately: true },
} as const;
export type FixedPageName = keyof typeof fixedPages;

/**
 * Builds the HTML documents to send, and caches those that are the same for many visitors, created on first request.
 */
export class HtmlCache {
  private readonly builder: HtmlDocumentBuilder;
  private readonly shells = new Map<PagePreloads | null, Map<string, CompressedText>>();
  private readonly metadata = new Map<Language, PageMetadata>();
  private fixed: { facts: SiteSnapshot | null; texts: Map<string, CompressedText> } | null = null;

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

  /** Returns a fixed page with data of this installation; rendered again only when that has changed. */
  async getFixedPage(name: FixedPageName, language: Language): Promise<CompressedText> {
    const facts = await this.registry.currentSite();
    if (this.fixed?.facts !== facts) this.fixed = { facts, texts: new Map() };
    const { texts } = this.fixed!;
    const key = `${name} ${language}`;
    const text = texts.get(key) ?? (await this.renderFixedPage(name, language, facts));
    texts.set(key, text);
    return text;
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

  private async renderFixedPage(
    name: FixedPageName,
    language: Language,
    facts: SiteSnapshot | null,
  ): Promise<CompressedText> {
    const { path, canonical, startsImmediately } = fixedPages[name];
    const page = await this.renderer.renderPage(name, language, facts?.site ?? null);
    const preloads = this.built.preloadsOf(path, false);
    const heading = { ...(await this.siteMetadata(language)), ...(canonical === undefined ? {} : { canonical }) };
    const content = { page, preloads, responses: preloadedResponses(facts), startsImmediately };
    return new CompressedText(this.builder.buildPrerendered(language, heading, content));
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
