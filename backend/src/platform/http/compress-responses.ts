import { constants } from 'node:zlib';
import compression from 'compression';
import type { Request, RequestHandler, Response } from 'express';

/** Answers below this size (bytes) fit into one packet either way. */
const MIN_COMPRESSED_BYTES = 1024;

/** Answers that hold what opens something: how small such an answer gets would tell of what is in it. */
const SECRET_ROUTES = /^\/api\/(?:user\/|zones\/[^/]+\/temporary-links)/;

/**
 * Compresses what reads of the API answer as JSON, by brotli or gzip as the client likes. What comes as a stream (files,
 * archives, tables) goes out as it is, and so does every answer that holds a secret; what is made or changed by other
 * methods is small, and may show a secret once.
 */
export function compressResponses(): RequestHandler {
  return compression({
    threshold: MIN_COMPRESSED_BYTES,
    // Slower levels gain a tenth of the size for several times the work. Of the usual window of 4 MB, which each answer
    // under way would hold, these answers fill a small part.
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } },
    level: 5,
    filter: (request: Request, response: Response) =>
      (request.method === 'GET' || request.method === 'HEAD') &&
      /^application\/json/.test(String(response.getHeader('Content-Type'))) &&
      !SECRET_ROUTES.test(request.originalUrl),
  });
}
