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
import { HtmlCache } from './html-cache.js';
import type { PrerenderRegistry } from './prerender-registry.js';
import { isUnavailablePage, publicPaths } from './search-engines.js';

import express, { type NextFunction, type Request, type Response } from 'express';

/** Paths that never answer with the page. */
const NON_PAGE_PATHS = /^\/(api|dev|healthz|readyz|metrics|assets|\.well-known)(\/|$)/;
/** Where the landing page is shown to somebody signed out; signed in, the first is the dashboard. */
const DASHBOARD_OR_LANDING = '/';
const LANDING = '/home';
/** What is said in this way of an address is true of its page as well. */
const GONE_STATUSES = [404, 410];
/** Somebody signed in is shown more than was drawn. */
const SESSION_COOKIE = /(?:^|;\s*)(?:__Host-)?zonary_session=/;

/**
 * Serves the built page: assets for ever (their names carry a digest), the document fresh, for every other address; one
 * without a page answers 404 with the page that says so.
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
  // Calls of the API need not wait until the disk says that no file is named so.
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
    if (isLandingRequest(request)) return { document: await documents().getLandingPage(language), status: 200 };
    const found = registry.findPages(request.path);
    const answered = await toPageStatus(() => loadPageData(registry, request, language));
    if (found && answered.answer) {
      const shown = { ...found, answer: answered.answer };
      const document = await documents().renderPage(language, shown, { needs, atOnce: hasSessionCookie(request) });
      return { document, status: 200 };
    }
    const status = needs ? answered.status : 404;
    return { document: await documents().getShell(language, needs, request.path), status };
  }
}

/** They carry name and address of the installation: once these are others, all are made anew. */
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

/** What the page of an address shows; of one that is not drawn, only whether it leads somewhere. */
async function loadPageData(facts: PrerenderRegistry, request: Request, language: Language): Promise<object | null> {
  const found = facts.findPages(request.path);
  const network = clientNetworkOf(request);
  if (found) return found.pages.loadResponse(found.name, language, network);
  await facts.checkStatus(request.path, network);
  return null;
}

/** What the page of an address shows. When that cannot be told now, its program asks for itself and says what is wrong. */
async function toPageStatus(ask: () => Promise<object | null>): Promise<{ answer: object | null; status: number }> {
  try {
    return { answer: await ask(), status: 200 };
  } catch (error) {
    const status = error instanceof AppError ? error.status : 200;
    return { answer: null, status: GONE_STATUSES.includes(status) ? status : 200 };
  }
}

function isLandingRequest(request: Request): boolean {
  return (request.path === LANDING || request.path === DASHBOARD_OR_LANDING) && !hasSessionCookie(request);
}

const hasSessionCookie = ({ headers }: Request): boolean => SESSION_COOKIE.test(headers.cookie ?? '');
