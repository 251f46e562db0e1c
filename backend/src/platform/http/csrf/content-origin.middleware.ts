import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { AppConfig } from '../../config/app-config.js';
import { commonErrors } from '../../errors/common.errors.js';

/** Signed addresses of contents, which need no session. */
const CONTENT_PATH = /^\/api\/files\/\d+\/content$/;

/**
 * Keeps what people have uploaded apart from the service: the host of CONTENT_URL answers signed addresses of contents
 * and nothing else, every other host anything but these. So nothing that runs in a file can reach the service as its own.
 */
export function separateContentOrigin({ contentUrl, appUrl }: AppConfig): RequestHandler {
  if (contentUrl === null) return (_request, _response, next) => next();
  const { host } = new URL(contentUrl);
  const page = new URL(appUrl).origin;
  return (request: Request, response: Response, next: NextFunction) => {
    const isContent = request.headers.host?.toLowerCase() === host;
    if (isContent !== CONTENT_PATH.test(request.path)) return next(commonErrors.NOT_FOUND());
    if (isContent) allowPageOrigin(response, page);
    next();
  };
}

/** The page may show what lies there, in frames too, and read texts. */
function allowPageOrigin(response: Response, page: string): void {
  response.removeHeader('X-Frame-Options');
  response.set({
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Access-Control-Allow-Origin': page,
    // The page's requests allow cookies; there are none here.
    'Access-Control-Allow-Credentials': 'true',
  });
}
