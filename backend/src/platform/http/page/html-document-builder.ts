import type { AppConfig } from '../../config/app-config.js';
import type { Language } from '../../errors/app-error.js';
import type { PagePreloads } from './built-page.js';
import type { RenderedPage } from './ssr-renderer.js';
import { escapeHtml as escape } from './escape-html.js';
import { MANIFEST_PATH } from './web-manifest.js';

/** Path of the image for shared links in the built frontend; 1200 × 630. */
const SHARE_IMAGE = '/share.png';
const localeOf: Record<Language, string> = { en: 'en_US', tr: 'tr_TR' };

/** The entry script in the built document, and what is loaded with it. */
const ENTRY_SCRIPT = /<script type="module"[^>]* src="([^"]+)"><\/script>\s*/;
const MODULE_PRELOADS = /<link rel="modulepreload"[^>]*href="([^"]+)"[^>]*>\s*/g;

/** The app waits for its response before it replaces a prerendered page. */
const SESSION_REQUEST = '/api/session';

/** Metadata of a document; `canonical` is its canonical URL, if it has one. */
export interface PageMetadata {
  readonly title: string;
  readonly description: string;
  readonly canonical?: string;
}

/** A prerendered page with its preloads and data. */
export interface PrerenderedContent {
  readonly page: RenderedPage;
  readonly preloads: PagePreloads | null;
  /** API responses by path that the app doesn't need to request. */
  readonly responses: Readonly<Record<string, object>>;
  /** Whether the app starts without waiting for user interaction. */
  readonly startsImmediately: boolean;
}

/** Builds the documents of this installation: with its name, its URL, and link previews. */
export class HtmlDocumentBuilder {
  /** @param indexHtml the document written by the frontend's build */
  constructor(
    private readonly indexHtml: string,
    private readonly config: AppConfig,
  ) {}

  /**
   * Builds a document without prerendered content, but with the preloads of its page (frontend/vite/first-paint.js).
   */
  buildShell(language: Language, heading: PageMetadata, preloads: PagePreloads | null): string {
    const document = this.withMetadata(language, heading);
    if (!preloads) return document;
    const parts = preloads.parts[language].map((part) => modulePreload(`/${part}`));
    const attribute = (name: string, paths: readonly string[]) => `data-${name}="${escape(paths.join(' '))}" `;
    const memberHomeAttribute = preloads.memberHomePrefetches
      ? attribute('member-home-prefetches', preloads.memberHomePrefetches)
      : '';
    return appendToHead(document, parts.join('')).replace(
      '<html ',
      () => `<html ${attribute('prefetches', preloads.prefetches)}${memberHomeAttribute}`,
    );
  }

  /**
   * Builds a document with prerendered content; the app starts on first interaction (frontend/vite/start-app.js).
   */
  buildPrerendered(
    language: Language,
    heading: PageMetadata,
    { page, preloads, responses, startsImmediately }: PrerenderedContent,
  ): string {
    const built = this.withMetadata(language, heading);
    const parts = [...built.matchAll(MODULE_PRELOADS)].map(([, part]) => part!);
    parts.push(...(preloads?.parts[language] ?? []).map((part) => `/${part}`));
    const entry = ENTRY_SCRIPT.exec(built)?.[1] ?? '';
    const early = startsImmediately ? [entry, ...parts].map(modulePreload).join('') : '';
    const start = startsImmediately
      ? `data-entry="${entry}" data-at-once data-prefetches="${SESSION_REQUEST}"`
      : `data-entry="${entry}" data-parts="${parts.join(' ')}"`;
    return appendToHead(built.replace(MODULE_PRELOADS, ''), early + responsesScript(language, responses))
      .replace('<html ', () => `<html ${start} `)
      .replace(/<title>[^<]*/, () => `<title>${escape(`${page.title} · ${this.config.appName}`)}`)
      .replace(ENTRY_SCRIPT, '')
      .replace('<div id="root"></div>', () => `<div id="root">${page.html}</div>`);
  }

  private withMetadata(language: Language, heading: PageMetadata): string {
    const { appName } = this.config;
    const name = escape(appName);
    const document = this.indexHtml
      .replace('<html lang="en">', `<html lang="${language}">`)
      .replace(/(<meta name="application-name" content=")[^"]*/, (_, start: string) => start + name)
      .replace(/<title>[^<]*/, () => `<title>${name}`)
      .replace(/<meta\s+name="description"[^>]*>\s*/, '');
    const manifest = `<link rel="manifest" href="${MANIFEST_PATH}">`;
    return appendToHead(document, manifest + this.sharingTags(language, heading));
  }

  private sharingTags(language: Language, { title, description, canonical }: PageMetadata): string {
    const { appUrl, appName } = this.config;
    const address = canonical === undefined ? null : `${appUrl}${canonical}`;
    const properties: Record<string, string> = {
      'og:type': 'website',
      'og:site_name': appName,
      'og:title': `${appName} – ${title}`,
      'og:description': description,
      'og:image': `${appUrl}${SHARE_IMAGE}`,
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:locale': localeOf[language],
      ...(address === null ? {} : { 'og:url': address }),
    };
    return [
      `<meta name="description" content="${escape(description)}">`,
      ...Object.entries(properties).map(([name, value]) => `<meta property="${name}" content="${escape(value)}">`),
      '<meta name="twitter:card" content="summary_large_image">',
      // Read by the frontend (frontend/src/shared/site/use-billing-enabled.ts).
      ...(this.config.isBillingEnabled ? [] : ['<meta name="plans" content="none">']),
      ...(address === null ? [] : [`<link rel="canonical" href="${escape(address)}">`]),
    ].join('');
  }
}

/** Embeds responses as inert JSON for the frontend (frontend/src/shared/api/preloaded-response.ts). */
function responsesScript(language: Language, responses: Readonly<Record<string, object>>): string {
  if (Object.keys(responses).length === 0) return '';
  const json = JSON.stringify({ language, responses }).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="preloaded-responses">${json}</script>`;
}

const modulePreload = (path: string): string => `<link rel="modulepreload" crossorigin href="${path}">`;

const appendToHead = (document: string, tags: string): string => document.replace('</head>', () => `${tags}</head>`);
