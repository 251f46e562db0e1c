import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { AppConfig } from '../config/app-config.js';
import { compressedAnswers } from './compressed-answers.js';
import { contentOrigin } from './origins/content-origin.middleware.js';
import { boundConnections } from './limits/connections.js';
import { refuseUnclearHost } from './limits/host-header.middleware.js';
import { usualPatience } from './limits/patience.js';
import { readJson, readWebhook } from './limits/read-body.js';
import { endSlowBodies } from './limits/slow-body.middleware.js';
import { serveOpenApi } from './openapi.js';
import { placesOfRequest } from './watching/places-of-request.middleware.js';
import { inlineScriptSources } from './page/built-page.js';
import { PageFacts } from './page/page-facts.js';
import { servePage } from './page/page.js';
import { serveSearchEngines } from './page/search-engines.js';
import { nameRequest } from './watching/request-id.middleware.js';
import { RequestMetrics } from './watching/request-metrics.js';
import { securityHeaders } from './origins/security-headers.js';
import { refuseUnstorableText } from './reading/storable-text.js';
import { validationPipe } from './reading/validation.js';

/**
 * What an application needs before it listens, the same in the process and in the tests. Made with `bodyParser: false`.
 * @param patience shorter in tests
 */
export function configureHttp(app: NestExpressApplication, patience = usualPatience): void {
  const config = app.get(AppConfig);
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  // Answers of the API are never kept, so a digest of each would be made for nothing.
  app.set('etag', false);
  if (config.trustProxy !== null) app.set('trust proxy', config.trustProxy);
  boundConnections(app.getHttpServer() as Server, config.maxConnections, patience, new Logger('Connections'));
  app.use(app.get(RequestMetrics).middleware);
  app.use(nameRequest);
  app.use(refuseUnclearHost);
  app.use(endSlowBodies(patience));
  app.use(securityHeaders(config, inlineScriptSources()));
  app.use(contentOrigin(config));
  app.use('/api', keepPrivate);
  app.use('/api', compressedAnswers());
  app.use('/api/webhooks', readWebhook);
  app.use(readJson);
  app.use(refuseUnstorableText);
  app.use(placesOfRequest);
  app.useGlobalPipes(validationPipe());
  serveOpenApi(app);
  serveSearchEngines(app, config);
  servePage(app, config, app.get(PageFacts));
}

/** Nothing of the API may be kept by a browser or a proxy, unless a route says otherwise (files and pictures do). */
function keepPrivate(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'no-store');
  next();
}
