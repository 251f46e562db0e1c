import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { AppConfig } from '../../config/app-config.js';
import { commonErrors } from '../../errors/common.errors.js';

/** Signed content URLs, which need no session. */
const CONTENT_PATH = /^\/api\/files\/\d+\/content$/;

/**
 * Isolates uploaded content from the app: the host of CONTENT_URL only serves signed content URLs, and all other hosts
 * serve everything else. So code in an uploaded file can't call the app with the app's own origin.
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

/** Allows the app to display this content, also in frames, and to read texts. */
function allowPageOrigin(response: Response, page: string): void {
  response.removeHeader('X-Frame-Options');
  response.set({
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Access-Control-Allow-Origin': page,
    // The frontend sends requests with credentials; this origin has no cookies.
    'Access-Control-Allow-Credentials': 'true',
  });
}
