import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { NestExpressApplication } from '@nestjs/platform-express';

/** Built page, beside the built backend in dist/. Run from its sources (tests, reload), the backend serves none. */
export const pageFolder = fileURLToPath(new URL('../../../../frontend/', import.meta.url));

/** Paths that never answer with the page. */
const NOT_PAGE = /^\/(api|dev|healthz|readyz|metrics|assets)(\/|$)/;

/**
 * Serves the built page: assets for ever (their names carry a digest), the document fresh, for every other address;
 * with the status 404 where the page has nothing but a word of regret.
 * @param appName stands in the document, so that the page has its name before anything else is loaded
 */
export function servePage(app: NestExpressApplication, appName: string, folder = pageFolder): void {
  if (!existsSync(join(folder, 'assets'))) return;
  const document = named(readFileSync(join(folder, 'index.html'), 'utf8'), appName);
  const pages = new RegExp((JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8')) as string[]).join('|'), 'i');
  app.use('/assets', express.static(join(folder, 'assets'), { immutable: true, maxAge: '365d', index: false }));
  app.use(express.static(folder, { index: false, maxAge: '1h' }));
  app.use((request: Request, response: Response, next: NextFunction) => {
    const asksForPage = (request.method === 'GET' || request.method === 'HEAD') && !NOT_PAGE.test(request.path);
    if (!asksForPage) return next();
    response.setHeader('Cache-Control', 'no-cache');
    response
      .status(pages.test(request.path) ? 200 : 404)
      .type('html')
      .send(document);
  });
}

function named(document: string, appName: string): string {
  const name = appName.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
  return document
    .replace(/(<meta name="application-name" content=")[^"]*/, (_, start: string) => start + name)
    .replace(/<title>[^<]*/, () => `<title>${name}`);
}
