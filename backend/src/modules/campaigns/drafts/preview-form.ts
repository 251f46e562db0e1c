import { urlencoded, type RequestHandler } from 'express';
import { MIB } from '../../../platform/text/byte-units.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';

/** Parses the form that displays unsaved content in a frame. Form encoding can triple its size. */
export function parsePreviewForm(): RequestHandler {
  const read = urlencoded({ extended: false, limit: 3 * MIB, parameterLimit: 10 });
  return (request, response, next) =>
    read(request, response, (error?: unknown) => {
      const { type } = (error ?? {}) as { type?: string };
      next(type === 'entity.too.large' ? commonErrors.BODY_TOO_LARGE() : error);
    });
}
