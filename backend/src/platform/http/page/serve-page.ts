import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AppConfig } from '../../config/app-config.js';
import { AppError, type Language } from '../../errors/app-error.js';
import { clientNetworkOf } from '../networks/client-network.js';
import { requestLanguageOf } from '../parsing/request-language.js';
import type { AppRequest } from '../parsing/viewer.js';
import { builtPageFolder, readBuiltPage, type BuiltPage, type PagePreloads } from './built-page.js';
import { type CompressedText, serveCompressedFiles } from './compressed-text.js';
import { SsrRenderer } from './ssr-renderer.js';
import { HtmlCache, type FixedPageName } from './html-cache.js';
import type { PrerenderRegistry } from './prerender-registry.js';
import { isUnavailablePage, publicPaths } from './search-engines.js';

import express, { type NextFunction, type Request, type Response } from 'express';

/** Paths that never respond with the app's document. */
const NON_PAGE_PATHS = /^\/(api|dev|healthz|readyz|metrics|assets|\.well-known)(\/|$)/;
/** Shows the landing page when signed out, and the dashboard when signed in. */
const DASHBOARD_OR_LANDING = '/';
const LANDING = '/home';
const SIGN_IN = /^\/(auth|login)\/*$/i;
/** API errors with these statuses become the status of the page. */
const GONE_STATUSES = [404, 410];
/** Signed-in users see more than what is prerendered. */
const SESSION_COOKIE = /(?:^|;\s*)(?:__Host-)?zonary_session=/;

/**
 * Serves the built frontend: assets (with digests in their names) are cacheable forever, and the document is never
 * cached. Paths without a page respond 404 with the error page.
 */
export function servePage(
  app: NestExpressApplication,
  config: AppConfig,
  registry: PrerenderRegistry,
  folder = builtPageFolder,
): void {
  const built = readBuiltPage(folder);
  if (!built) return;
  const documents = htmlCacheFor(config, built, registry);
  app.use('/assets', serveCompressedFiles(join(folder, 'assets')));
  const files = express.static(folder, { index: false, redirect: false, maxAge: '1h' });
  // API requests skip the file lookup.
  app.use((request: Request, response: Response, next: NextFunction) =>
    NON_PAGE_PATHS.test(request.path) ? next() : files(request, response, next),
  );
  app.use(async (request: Request, response: Response, next: NextFunction) => {
    const asksForPage = (request.method === 'GET' || request.method === 'HEAD') && !NON_PAGE_PATHS.test(request.path);
    if (!asksForPage) return next();
    const missing = isUnavailablePage(request.path, config);
    const needs = missing ? null : built.preloadsOf(request.path, hasSessionCookie(request));
    const { document, status } = await documentFor(request, needs);
    response.setHeader('Cache-Control', 'no-cache');
    response.vary('Accept-Language').vary('Cookie').type('html');
    response.status(status);
    if (missing || !publicPaths.includes(request.path)) response.setHeader('X-Robots-Tag', 'noindex');
    document.send(request, response);
  });

  async function documentFor(request: Request, needs: PagePreloads | null): Promise<PageResponse> {
    const language = requestLanguageOf(request as unknown as AppRequest);
    const fixedPage = fixedPageOf(request);
    if (fixedPage) return { document: await documents().getFixedPage(fixedPage, language), status: 200 };
    const found = registry.findPages(request.path);
    const result = await toPageStatus(() => loadPageData(registry, request, language));
    if (found && result.data) {
      const page = { ...found, data: result.data };
      const document = await documents().renderPage(language, page, { needs, atOnce: hasSessionCookie(request) });
      return { document, status: 200 };
    }
    const status = needs ? result.status : 404;
    return { document: await documents().getShell(language, needs, request.path), status };
  }
}

/** Documents contain the name and URL of the installation, so all are rebuilt when these change. */
function htmlCacheFor(config: AppConfig, built: BuiltPage, facts: PrerenderRegistry): () => HtmlCache {
  const createCache = () => new HtmlCache(built, config, new SsrRenderer(built.rendererFile, config), facts);
  let current = { generation: config.generation, documents: createCache() };
  return () => {
    const { generation } = config;
    if (current.generation !== generation) current = { generation, documents: createCache() };
    return current.documents;
  };
}

interface PageResponse {
  readonly document: CompressedText;
  readonly status: number;
}

/** Loads the data of a page; for one that isn't prerendered, only checks that it exists. */
async function loadPageData(facts: PrerenderRegistry, request: Request, language: Language): Promise<object | null> {
  const found = facts.findPages(request.path);
  const network = clientNetworkOf(request);
  if (found) return found.pages.loadResponse(found.name, language, network);
  await facts.checkStatus(request.path, network);
  return null;
}

/**
 * Returns the data and status of a page. If loading fails temporarily, the frontend requests the data itself and shows
 * the error.
 */
async function toPageStatus(load: () => Promise<object | null>): Promise<{ data: object | null; status: number }> {
  try {
    return { data: await load(), status: 200 };
  } catch (error) {
    const status = error instanceof AppError ? error.status : 200;
    return { data: null, status: GONE_STATUSES.includes(status) ? status : 200 };
  }
}

/** Returns the prerendered page for a signed-out visitor that depends on nothing else; null if there is none. */
function fixedPageOf(request: Request): FixedPageName | null {
  if (hasSessionCookie(request)) return null;
  if (request.path === LANDING || request.path === DASHBOARD_OR_LANDING) return 'landing';
  return SIGN_IN.test(request.path) && isPlainSignIn(request) ? 'signIn' : null;
}

/** Whether the sign-in page shows the form for an email address and password, with nothing filled in. */
function isPlainSignIn({ query }: Request): boolean {
  return Object.entries(query).every(([name, value]) => name === 'next' || (name === 'mode' && value === 'login'));
}

const hasSessionCookie = ({ headers }: Request): boolean => SESSION_COOKIE.test(headers.cookie ?? '');
