import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { AppConfig } from '../config/app-config.js';
import { compressResponses } from './compress-responses.js';
import { separateContentOrigin } from './csrf/content-origin.middleware.js';
import { limitConnections } from './limits/connection-limits.js';
import { rejectAmbiguousHost } from './limits/host-header.middleware.js';
import { defaultHttpTimeouts } from './limits/timeouts.js';
import { parseJsonBody, parseWebhookBody } from './limits/body-parsers.js';
import { rejectSlowBodies } from './limits/slow-body.middleware.js';
import { serveOpenApi } from './openapi.js';
import { poolPartitionMiddleware } from './observability/pool-partition.middleware.js';
import { inlineScriptSources } from './page/built-page.js';
import { PrerenderRegistry } from './page/prerender-registry.js';
import { servePage } from './page/serve-page.js';
import { serveSearchEngines } from './page/search-engines.js';
import { serveWebManifest } from './page/web-manifest.js';
import { assignRequestId } from './observability/request-id.middleware.js';
import { RequestMetrics } from './observability/request-metrics.js';
import { securityHeaders } from './csrf/security-headers.js';
import { rejectUnstorableText } from './parsing/storable-text.js';
import { validationPipe } from './parsing/validation.js';

/**
 * Configures an application before it listens; the same for the process and the tests. The application must be created
 * with `bodyParser: false`.
 * @param timeouts shorter in tests
 */
export function configureHttp(app: NestExpressApplication, timeouts = defaultHttpTimeouts): void {
  const config = app.get(AppConfig);
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  // API responses are never cached, so ETags would be computed for nothing.
  app.set('etag', false);
  if (config.trustProxy !== null) app.set('trust proxy', config.trustProxy);
  limitConnections(app.getHttpServer() as Server, config.maxConnections, timeouts, new Logger('Connections'));
  app.use(app.get(RequestMetrics).middleware);
  app.use(assignRequestId);
  app.use(rejectAmbiguousHost);
  app.use(rejectSlowBodies(timeouts));
  app.use(securityHeaders(config, inlineScriptSources()));
  app.use(separateContentOrigin(config));
  app.use('/api', disableCaching);
  app.use('/api', compressResponses());
  app.use('/api/webhooks', parseWebhookBody);
  app.use(parseJsonBody);
  app.use(rejectUnstorableText);
  app.use(poolPartitionMiddleware);
  app.useGlobalPipes(validationPipe());
  serveOpenApi(app);
  serveSearchEngines(app, config);
  serveWebManifest(app, config);
  servePage(app, config, app.get(PrerenderRegistry));
}

/** By default no API response may be cached by browsers or proxies; some routes override this (files and pictures). */
function disableCaching(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'no-store');
  next();
}
