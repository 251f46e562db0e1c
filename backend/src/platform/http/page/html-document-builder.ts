import type { AppConfig } from '../../config/app-config.js';
import type { Language } from '../../errors/app-error.js';
import type { PagePreloads } from './built-page.js';
import type { RenderedPage } from './ssr-renderer.js';
import { escapeHtml as escape } from './escape-html.js';

/** Where the picture for shared links lies in the built page; 1200 × 630. */
const SHARE_IMAGE = '/share.png';
const localeOf: Record<Language, string> = { en: 'en_US', tr: 'tr_TR' };

/** The program of the page as the build names it in the document, and what is loaded with it. */
const ENTRY_SCRIPT = /<script type="module"[^>]* src="([^"]+)"><\/script>\s*/;
const MODULE_PRELOADS = /<link rel="modulepreload"[^>]*href="([^"]+)"[^>]*>\s*/g;

/** What a document says of itself to others; `canonical` is its one address, where it has one. */
export interface PageMetadata {
  readonly title: string;
  readonly description: string;
  readonly canonical?: string;
}

/** What a drawn page is, beside what is drawn. */
export interface PrerenderedContent {
  readonly page: RenderedPage;
  readonly preloads: PagePreloads | null;
  /** Answers of the API that its program need not ask for, by their paths. */
  readonly responses: Readonly<Record<string, object>>;
  /** Whether its program begins without waiting for somebody to use it. */
  readonly startsImmediately: boolean;
}

/** Makes the documents of this installation: its name, its address, and what others show of a link to it. */
export class HtmlDocumentBuilder {
  /** @param built the document that the build of the page leaves */
  constructor(
    private readonly indexHtml: string,
    private readonly config: AppConfig,
  ) {}

  /** Without anything drawn in it, but with what its page needs first (frontend/vite/first-paint.js). */
  buildShell(language: Language, heading: PageMetadata, preloads: PagePreloads | null): string {
    const document = this.withMetadata(language, heading);
    if (!preloads) return document;
    const parts = preloads.parts[language].map((part) => `<link rel="modulepreload" crossorigin href="/${part}">`);
    const attribute = (name: string, asks: readonly string[]) => `data-${name}="${escape(asks.join(' '))}" `;
    const ofReaders = preloads.readersAsks ? attribute('readers-asks', preloads.readersAsks) : '';
    return appendToHead(document, parts.join('')).replace(
      '<html ',
      () => `<html ${attribute('asks', preloads.asks)}${ofReaders}`,
    );
  }

  /** With a page drawn in it; its program waits until something of it is used (frontend/public/drawn-start.js). */
  buildPrerendered(
    language: Language,
    heading: PageMetadata,
    { page, preloads, responses, startsImmediately }: PrerenderedContent,
  ): string {
    const document = this.withMetadata(language, heading);
    const parts = [...document.matchAll(MODULE_PRELOADS)].map(([, part]) => part);
    parts.push(...(preloads?.parts[language] ?? []).map((part) => `/${part}`));
    const facts = `data-parts="${parts.join(' ')}"${startsImmediately ? ' data-at-once' : ''}`;
    return appendToHead(document, responsesScript(language, responses))
      .replace(/<title>[^<]*/, () => `<title>${escape(`${page.title} · ${this.config.appName}`)}`)
      .replace(MODULE_PRELOADS, '')
      .replace(
        ENTRY_SCRIPT,
        (_, entry: string) => `<script src="/drawn-start.js" data-entry="${entry}" ${facts} defer></script>`,
      )
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
    return appendToHead(document, this.sharingTags(language, heading));
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
      // For the program of the page (frontend/src/shared/site/use-billing-enabled.ts).
      ...(this.config.isBillingEnabled ? [] : ['<meta name="plans" content="none">']),
      ...(address === null ? [] : [`<link rel="canonical" href="${escape(address)}">`]),
    ].join('');
  }
}

/** Answers as data, which nothing runs, for the program of the page (frontend/src/shared/api/given.ts). */
function responsesScript(language: Language, answers: Readonly<Record<string, object>>): string {
  if (Object.keys(answers).length === 0) return '';
  const json = JSON.stringify({ language, answers }).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="given">${json}</script>`;
}

const appendToHead = (document: string, tags: string): string => document.replace('</head>', () => `${tags}</head>`);
