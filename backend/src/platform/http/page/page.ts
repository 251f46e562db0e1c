import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AppConfig } from '../../config/app-config.js';
import type { Language } from '../../errors/app-error.js';
import { languageOf } from '../language.js';
import type { AppRequest } from '../viewer.js';
import { readBuiltPage } from './built-page.js';
import { CompressedText, compressedFiles } from './compressed.js';
import { makeDocuments, type Document } from './documents.js';
import { LandingDocument } from './landing-document.js';
import type { PageFacts } from './page-facts.js';
import { publicPaths, serveSearchEngines } from './search-engines.js';

/** Built page, beside the built backend in dist/. Run from its sources (tests, reload), the backend serves none. */
export const pageFolder = fileURLToPath(new URL('../../../../../frontend/', import.meta.url));

/** Paths that never answer with the page. */
const NOT_PAGE = /^\/(api|dev|healthz|readyz|metrics|assets)(\/|$)/;
/** Where the landing page is shown to somebody signed out; signed in, the first is the dashboard. */
const DASHBOARD_OR_LANDING = '/';
const LANDING = '/home';
/** Somebody signed in is shown more than was drawn. */
const SESSION_COOKIE = /(?:^|;\s*)(?:__Host-)?zonary_session=/;

/**
 * Serves the built page: assets for ever (their names carry a digest), the document fresh, for every other address; one
 * without a page answers 404 with the page that says so.
 */
export function servePage(app: NestExpressApplication, config: AppConfig, facts: PageFacts, folder = pageFolder): void {
  serveSearchEngines(app, config.appUrl);
  const built = readBuiltPage(folder);
  if (!built) return;
  const documents = makeDocuments(built, config);
  const landing = new LandingDocument(documents, facts);
  const other = compressed(documents.plain());
  const canonical = new Map(publicPaths.map((path) => [path, compressed(documents.plain(path))]));
  app.use('/assets', compressedFiles(join(folder, 'assets')));
  const files = express.static(folder, { index: false, redirect: false, maxAge: '1h' });
  // Calls of the API need not wait until the disk says that no file is named so.
  app.use((request: Request, response: Response, next: NextFunction) =>
    NOT_PAGE.test(request.path) ? next() : files(request, response, next),
  );
  const documentFor = (request: Request, language: Language) =>
    showsLanding(request) ? landing.in(language) : (canonical.get(request.path) ?? other)[language];
  app.use(async (request: Request, response: Response, next: NextFunction) => {
    const asksForPage = (request.method === 'GET' || request.method === 'HEAD') && !NOT_PAGE.test(request.path);
    if (!asksForPage) return next();
    const document = await documentFor(request, languageOf(request as unknown as AppRequest));
    response.setHeader('Cache-Control', 'no-cache');
    response.vary('Accept-Language').vary('Cookie').type('html');
    if (!built.hasPage(request.path)) response.status(404);
    if (!publicPaths.includes(request.path)) response.setHeader('X-Robots-Tag', 'noindex');
    document.send(request, response);
  });
}

function showsLanding({ path, headers }: Request): boolean {
  return (path === LANDING || path === DASHBOARD_OR_LANDING) && !SESSION_COOKIE.test(headers.cookie ?? '');
}

function compressed({ en, tr }: Document): Record<keyof Document, CompressedText> {
  return { en: new CompressedText(en), tr: new CompressedText(tr) };
}
