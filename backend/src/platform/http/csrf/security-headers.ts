import helmet from 'helmet';
import type { NextFunction, Request, Response } from 'express';
import type { AppConfig } from '../../config/app-config.js';
import { directUploadSource } from '../../storage/s3/s3-location.js';

/** Pages with a token in the path or query; the URL must not leak to other sites through the Referer header. */
const TOKEN_PAGES =
  /^\/(api\/shared|api\/unsubscribe|dev\/mailbox(?:\.json)?|join|s|invite|zone\/temp|verify-email|unsubscribe|reset-password|change-email|undo-email-change|reply-to|setup)(\/|$|\?)/;

/** Browser features that no page uses, disabled so that injected code can't use them either. */
const PERMISSIONS = 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()';

/**
 * Security headers of all responses, with the content security policy of the app and Swagger UI.
 * @param scripts hashes of allowed inline scripts: `'sha256-…'`
 */
export function securityHeaders(config: AppConfig, scripts: readonly string[]) {
  const content = config.contentUrl === null ? [] : [config.contentUrl];
  const bucket = directUploadSource(config.storageUrl);
  const headers = helmet({
    contentSecurityPolicy: {
      useDefaults: true,
      directives: {
        'script-src': ["'self'", ...scripts],
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'data:', 'blob:', ...content],
        'media-src': ["'self'", 'blob:', ...content],
        'font-src': ["'self'", 'data:'],
        'connect-src': ["'self'", ...content, ...(bucket === null ? [] : [bucket])],
        'frame-src': ["'self'", 'blob:', ...content],
        'object-src': ["'none'"],
        'frame-ancestors': ["'self'"],
        'upgrade-insecure-requests': config.isSecure ? [] : null,
      },
    },
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: config.isSecure ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    crossOriginEmbedderPolicy: false,
  });
  return (request: Request, response: Response, next: NextFunction): void =>
    headers(request, response, () => {
      response.setHeader('Permissions-Policy', PERMISSIONS);
      if (TOKEN_PAGES.test(request.path)) response.setHeader('Referrer-Policy', 'no-referrer');
      next();
    });
}
