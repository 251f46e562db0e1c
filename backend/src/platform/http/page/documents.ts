import { languages, type Language } from '../../errors/app-error.js';
import type { AppConfig } from '../../config/app-config.js';
import { APP_NAME_MARK, type BuiltPage, type DrawnPage } from './built-page.js';

/** Where the picture for shared links lies in the built page; 1200 × 630. */
const SHARE_IMAGE = '/share.png';
const localeOf: Record<Language, string> = { en: 'en_US', tr: 'tr_TR' };

/** The document for one kind of address in every language. */
export type Document = Readonly<Record<Language, string>>;

export interface Documents {
  /** With the landing page drawn in it. */
  readonly landing: Document;
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
    landing: inAll((drawn, language) => draw(plain(drawn, language, '/'), drawn, config.appName)),
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
function draw(document: string, drawn: DrawnPage, appName: string): string {
  const html = drawn.html.replaceAll(APP_NAME_MARK, () => escape(appName));
  return withHead(document, drawn.head)
    .replace(/<title>[^<]*/, () => `<title>${escape(`${drawn.title} · ${appName}`)}`)
    .replace(LOADED_WITH_IT, '')
    .replace(PROGRAM, (_, entry: string) => `<script src="/landing-start.js" data-entry="${entry}" defer></script>`)
    .replace('<div id="root"></div>', () => `<div id="root">${html}</div>`);
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

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
