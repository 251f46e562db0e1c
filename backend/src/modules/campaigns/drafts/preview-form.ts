import { urlencoded, type RequestHandler } from 'express';
import { MIB } from '../../../platform/text/byte-units.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';

/** Reads the form by which a page shows a wording in a frame; written as a form it may be three times as large. */
export function parsePreviewForm(): RequestHandler {
  const read = urlencoded({ extended: false, limit: 3 * MIB, parameterLimit: 10 });
  return (request, response, next) =>
    read(request, response, (fault?: unknown) => {
      const { type } = (fault ?? {}) as { type?: string };
      next(type === 'entity.too.large' ? commonErrors.BODY_TOO_LARGE() : fault);
    });
}
