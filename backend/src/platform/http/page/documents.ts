import { languages, type Language } from '../../errors/app-error.js';
import type { AppConfig } from '../../config/app-config.js';
import type { BuiltPage, DrawnPage } from './built-page.js';
import { escapeHtml as escape, fillIn } from './fill-in.js';
import type { Facts } from './page-facts.js';

/** Where the picture for shared links lies in the built page; 1200 × 630. */
const SHARE_IMAGE = '/share.png';
const localeOf: Record<Language, string> = { en: 'en_US', tr: 'tr_TR' };

/** The document for one kind of address in every language. */
export type Document = Readonly<Record<Language, string>>;

type Values = Readonly<Record<string, string | null>> & { readonly appName: string };

export interface Documents {
  /** With the landing page drawn in it; without facts it tells nothing of this installation but its name. */
  landing(facts: Facts | null): Document;
  /** Empty, but with what others show of a link to it; `canonical` names its one address. */
  plain(canonical?: string): Document;
}

/** Makes the documents of this installation: its name, its address, and what others show of a link to it. */
export function makeDocuments(built: BuiltPage, config: AppConfig): Documents {
  const inAll = (make: (drawn: DrawnPage, language: Language) => string): Document =>
    Object.fromEntries(
      languages.map((language) => [language, make(built.landing[language], language)]),
    ) as unknown as Document;
  const plain = (drawn: DrawnPage, language: Language, canonical?: string) =>
    withHead(named(built.document, config.appName, language), sharing(config, drawn, language, canonical));
  return {
    landing: (facts) =>
      inAll((drawn, language) => {
        const values = { ...written(facts, language), appName: config.appName };
        return withData(draw(plain(drawn, language, '/'), drawn, values), facts);
      }),
    plain: (canonical) => inAll((drawn, language) => plain(drawn, language, canonical)),
  };
}

/** The program of the page as the build names it in the document, and what is loaded with it. */
const PROGRAM = /<script type="module"[^>]* src="([^"]+)"><\/script>\s*/;
const LOADED_WITH_IT = /<link rel="(?:stylesheet|modulepreload)"[^>]*>\s*/g;

/**
 * Puts a drawn page into a document. Its styles come along, and the program waits until something of the page is used
 * (frontend/public/landing-start.js).
 */
function draw(document: string, drawn: DrawnPage, values: Values): string {
  const html = fillIn(drawn.html, values);
  return withHead(document, drawn.head)
    .replace(/<title>[^<]*/, () => `<title>${escape(`${drawn.title} · ${values.appName}`)}`)
    .replace(LOADED_WITH_IT, '')
    .replace(PROGRAM, (_, entry: string) => `<script src="/landing-start.js" data-entry="${entry}" defer></script>`)
    .replace('<div id="root"></div>', () => `<div id="root">${html}</div>`);
}

function written(facts: Facts | null, language: Language): Readonly<Record<string, string | null>> {
  const entries = Object.entries(facts?.marks ?? {});
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'number' ? value.toLocaleString(language) : value]),
  );
}

/** The facts as data, which nothing runs, for the program of the page. */
function withData(document: string, facts: Facts | null): string {
  if (!facts?.answer) return document;
  const json = JSON.stringify(facts.answer).replaceAll('<', '\\u003c');
  return withHead(document, `<script type="application/json" id="site">${json}</script>`);
}

function named(document: string, appName: string, language: Language): string {
  const name = escape(appName);
  return document
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replace(/(<meta name="application-name" content=")[^"]*/, (_, start: string) => start + name)
    .replace(/<title>[^<]*/, () => `<title>${name}`)
    .replace(/<meta\s+name="description"[^>]*>\s*/, '');
}

function sharing(config: AppConfig, drawn: DrawnPage, language: Language, canonical?: string): string {
  const { appUrl, appName } = config;
  const address = canonical === undefined ? null : `${appUrl}${canonical}`;
  const properties: Record<string, string> = {
    'og:type': 'website',
    'og:site_name': appName,
    'og:title': `${appName} – ${drawn.title}`,
    'og:description': drawn.description,
    'og:image': `${appUrl}${SHARE_IMAGE}`,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:locale': localeOf[language],
    ...(address === null ? {} : { 'og:url': address }),
  };
  return [
    `<meta name="description" content="${escape(drawn.description)}">`,
    ...Object.entries(properties).map(([name, value]) => `<meta property="${name}" content="${escape(value)}">`),
    '<meta name="twitter:card" content="summary_large_image">',
    ...(address === null ? [] : [`<link rel="canonical" href="${escape(address)}">`]),
  ].join('');
}

const withHead = (document: string, tags: string): string => document.replace('</head>', () => `${tags}</head>`);
