import { constants } from 'node:zlib';
import compression from 'compression';
import type { Request, RequestHandler, Response } from 'express';

/** Smaller responses (in bytes) fit into a single packet anyway. */
const MIN_COMPRESSED_BYTES = 1024;

/** Routes whose responses contain secrets: the compressed size could reveal something about the content. */
const SECRET_ROUTES =
  /^\/api\/(?:user\/|zones\/[^/]+\/(?:temporary|item)-links|(?:files|folders)\/[^/]+\/links|item-links\/)/;

/**
 * Compresses JSON responses of API reads with Brotli or gzip. Streams (files, archives, tables) are sent as they are,
 * and so are responses with secrets. Responses of other methods are small, and may show a secret once.
 */
export function compressResponses(): RequestHandler {
  return compression({
    threshold: MIN_COMPRESSED_BYTES,
    // Higher levels save another tenth for several times the work. The default window of 4 MB, which each response in
    // progress would occupy, is far larger than these responses.
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } },
    level: 5,
    filter: (request: Request, response: Response) =>
      (request.method === 'GET' || request.method === 'HEAD') &&
      /^application\/json/.test(String(response.getHeader('Content-Type'))) &&
      !SECRET_ROUTES.test(request.originalUrl),
  });
}
