import { urlencoded, type RequestHandler } from 'express';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { MIB } from '../../../platform/text/byte-units.js';

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Maximum number of form fields: more than a request may have files and folders. */
const MAX_FIELDS = 12_000;

/** Number of distinct field names that are read: more than exist, so that unknown fields are still rejected. */
const MAX_FIELD_NAMES = 20;

/**
 * Parses a form with file and folder ids (`fileIds=1&fileIds=2&folderIds=3`, or separated by commas; `all=true`) into
 * the same body as JSON. Browsers submit a form when the response is to be saved to disk.
 */
export function parseItemsForm(): RequestHandler {
  const read = urlencoded({ extended: false, limit: MIB, parameterLimit: MAX_FIELDS });
  return (request, response, next) =>
    read(request, response, (error?: unknown) => {
      if (error) return next(toFormError(error));
      if (request.is(FORM_TYPE)) request.body = toItems(request.body as Record<string, string | string[]>);
      next();
    });
}

function toFormError(error: unknown): unknown {
  const { type } = error as { type?: string };
  return type === 'parameters.too.many' ? commonErrors.BODY_TOO_COMPLEX() : error;
}

/** Converts numeric text to numbers; other values are left for the DTO validation to reject. */
function toItems(fields: Record<string, string | string[]>): Record<string, unknown> {
  const entries = Object.entries(fields ?? {})
    .slice(0, MAX_FIELD_NAMES)
    .map(([name, value]) => {
      if (name === 'all') return [name, value === 'true' ? true : value];
      const texts = [value].flat().flatMap((text) => text.split(','));
      return [name, texts.filter((text) => text !== '').map((text) => (/^\d{1,16}$/.test(text) ? Number(text) : text))];
    });
  return Object.fromEntries(entries) as Record<string, unknown>;
}
