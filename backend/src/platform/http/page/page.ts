import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AppConfig } from '../../config/app-config.js';
import { AppError, type Language } from '../../errors/app-error.js';
import { networkOfClient } from '../networks/client-network.js';
import { languageOf } from '../reading/language.js';
import type { AppRequest } from '../reading/viewer.js';
import { pageFolder, readBuiltPage, type BuiltPage, type FirstNeeds } from './built-page.js';
import { type CompressedText, compressedFiles } from './compressed.js';
import { PageDrawing } from './drawing.js';
import { ReadyDocuments } from './ready-documents.js';
import type { PageFacts } from './page-facts.js';
import { isMissing, publicPaths } from './search-engines.js';

import express, { type NextFunction, type Request, type Response } from 'express';

/** Paths that never answer with the page. */
const NOT_PAGE = /^\/(api|dev|healthz|readyz|metrics|assets|\.well-known)(\/|$)/;
/** Where the landing page is shown to somebody signed out; signed in, the first is the dashboard. */
const DASHBOARD_OR_LANDING = '/';
const LANDING = '/home';
/** What is said in this way of an address is true of its page as well. */
const GONE = [404, 410];
/** Somebody signed in is shown more than was drawn. */
const SESSION_COOKIE = /(?:^|;\s*)(?:__Host-)?zonary_session=/;

/**
 * Serves the built page: assets for ever (their names carry a digest), the document fresh, for every other address; one
 * without a page answers 404 with the page that says so.
 */
export function servePage(app: NestExpressApplication, config: AppConfig, facts: PageFacts, folder = pageFolder): void {
  const built = readBuiltPage(folder);
  if (!built) return;
  const documents = documentsOf(config, built, facts);
  app.use('/assets', compressedFiles(join(folder, 'assets')));
  const files = express.static(folder, { index: false, redirect: false, maxAge: '1h' });
  // Calls of the API need not wait until the disk says that no file is named so.
  app.use((request: Request, response: Response, next: NextFunction) =>
    NOT_PAGE.test(request.path) ? next() : files(request, response, next),
  );
  app.use(async (request: Request, response: Response, next: NextFunction) => {
    const asksForPage = (request.method === 'GET' || request.method === 'HEAD') && !NOT_PAGE.test(request.path);
    if (!asksForPage) return next();
    const missing = isMissing(request.path, config);
    const needs = missing ? null : built.needsOf(request.path, hasSession(request));
    const { document, status } = await documentFor(request, needs);
    response.setHeader('Cache-Control', 'no-cache');
    response.vary('Accept-Language').vary('Cookie').type('html');
    response.status(status);
    if (missing || !publicPaths.includes(request.path)) response.setHeader('X-Robots-Tag', 'noindex');
    document.send(request, response);
  });

  async function documentFor(request: Request, needs: FirstNeeds | null): Promise<Answer> {
    const language = languageOf(request as unknown as AppRequest);
    if (showsLanding(request)) return { document: await documents().landingPage(language), status: 200 };
    const found = facts.at(request.path);
    const answered = await answerOf(() => ask(facts, request, language));
    if (found && answered.answer) {
      const shown = { ...found, answer: answered.answer };
      const document = await documents().drawn(language, shown, { needs, atOnce: hasSession(request) });
      return { document, status: 200 };
    }
    const status = needs ? answered.status : 404;
    return { document: await documents().plain(language, needs, request.path), status };
  }
}

/** They carry name and address of the installation: once these are others, all are made anew. */
function documentsOf(config: AppConfig, built: BuiltPage, facts: PageFacts): () => ReadyDocuments {
  const make = () => new ReadyDocuments(built, config, new PageDrawing(built.drawing, config), facts);
  let made = { generation: config.generation, documents: make() };
  return () => {
    const { generation } = config;
    if (made.generation !== generation) made = { generation, documents: make() };
    return made.documents;
  };
}

interface Answer {
  readonly document: CompressedText;
  readonly status: number;
}

/** What the page of an address shows; of one that is not drawn, only whether it leads somewhere. */
async function ask(facts: PageFacts, request: Request, language: Language): Promise<object | null> {
  const found = facts.at(request.path);
  const network = networkOfClient(request);
  if (found) return found.pages.answer(found.name, language, network);
  await facts.look(request.path, network);
  return null;
}

/** What the page of an address shows. When that cannot be told now, its program asks for itself and says what is wrong. */
async function answerOf(ask: () => Promise<object | null>): Promise<{ answer: object | null; status: number }> {
  try {
    return { answer: await ask(), status: 200 };
  } catch (error) {
    const status = error instanceof AppError ? error.status : 200;
    return { answer: null, status: GONE.includes(status) ? status : 200 };
  }
}

function showsLanding(request: Request): boolean {
  return (request.path === LANDING || request.path === DASHBOARD_OR_LANDING) && !hasSession(request);
}

const hasSession = ({ headers }: Request): boolean => SESSION_COOKIE.test(headers.cookie ?? '');
