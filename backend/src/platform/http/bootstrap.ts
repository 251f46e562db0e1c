import type { NestExpressApplication } from '@nestjs/platform-express';
import { json, raw, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { AppConfig } from '../config/app-config.js';
import type { AppError } from '../errors/app-error.js';
import { commonErrors } from '../errors/common.errors.js';
import { contentOrigin } from './content-origin.middleware.js';
import { serveOpenApi } from './openapi.js';
import { PageFacts } from './page/page-facts.js';
import { servePage } from './page/page.js';
import { nameRequest } from './request-id.middleware.js';
import { RequestMetrics } from './request-metrics.js';
import { securityHeaders } from './security-headers.js';
import { refuseUnstorableText } from './text-guard.middleware.js';
import { validationPipe } from './validation.js';

/** Largest JSON body in bytes, webhooks included; uploads have their own. */
export const JSON_LIMIT = 1024 * 1024;

/** What an application needs before it listens, the same in the process and in the tests. Made with `bodyParser: false`. */
export function configureHttp(app: NestExpressApplication): void {
  const config = app.get(AppConfig);
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  // Answers of the API are never kept, so a digest of each would be made for nothing.
  app.set('etag', false);
  if (config.trustProxy !== null) {
    app.set('trust proxy', /^\d+$/.test(config.trustProxy) ? Number(config.trustProxy) : config.trustProxy.split(','));
  }
  app.use(app.get(RequestMetrics).middleware);
  app.use(nameRequest);
  app.use(securityHeaders(config));
  app.use(contentOrigin(config));
  app.use('/api', keepPrivate);
  app.use('/api/webhooks', orFault(raw({ type: () => true, limit: JSON_LIMIT })));
  app.use(orFault(json({ limit: JSON_LIMIT })));
  app.use(refuseUnstorableText);
  app.useGlobalPipes(validationPipe());
  serveOpenApi(app);
  servePage(app, config, app.get(PageFacts));
}

/**
 * Reads a body: of webhooks as the bytes that were signed (a Buffer), of everything else as JSON. A fault of the body
 * is ours to answer before Nest makes a nameless error of it.
 */
function orFault(read: RequestHandler): RequestHandler {
  return (request, response, next) =>
    read(request, response, (fault?: unknown) => {
      const { type, status } = (fault ?? {}) as { type?: string; status?: number };
      const known = type === undefined ? undefined : bodyFaults[type];
      next(known ? known() : status === 400 ? commonErrors.MALFORMED_JSON() : fault);
    });
}

const bodyFaults: Record<string, () => AppError> = {
  'entity.parse.failed': commonErrors.MALFORMED_JSON,
  'entity.too.large': commonErrors.BODY_TOO_LARGE,
  'encoding.unsupported': commonErrors.UNSUPPORTED_TYPE,
  'charset.unsupported': commonErrors.UNSUPPORTED_TYPE,
};

/** Nothing of the API may be kept by a browser or a proxy, unless a route says otherwise (files and pictures do). */
function keepPrivate(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'no-store');
  next();
}
