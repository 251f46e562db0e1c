import type { NestExpressApplication } from '@nestjs/platform-express';
import { json } from 'express';
import { AppConfig } from '../config/app-config.js';
import { serveOpenApi } from './openapi.js';
import { servePage } from './page.js';
import { securityHeaders } from './security-headers.js';
import { refuseUnstorableText } from './text-guard.middleware.js';
import { validationPipe } from './validation.js';

/** Largest JSON body in bytes; uploads and webhooks have their own. */
export const JSON_LIMIT = 1024 * 1024;

/** What an application needs before it listens, the same in the process and in the tests. Made with `bodyParser: false`. */
export function configureHttp(app: NestExpressApplication): void {
  const config = app.get(AppConfig);
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  if (config.trustProxy !== null) {
    app.set('trust proxy', /^\d+$/.test(config.trustProxy) ? Number(config.trustProxy) : config.trustProxy.split(','));
  }
  app.use(securityHeaders(config));
  app.use(json({ limit: JSON_LIMIT }));
  app.use(refuseUnstorableText);
  app.useGlobalPipes(validationPipe());
  serveOpenApi(app);
  servePage(app, config.appName);
}
