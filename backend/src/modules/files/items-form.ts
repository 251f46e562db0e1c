import { urlencoded, type RequestHandler } from 'express';
import { JSON_LIMIT } from '../../platform/http/bootstrap.js';

const FORM = 'application/x-www-form-urlencoded';

/** Fields that one form may have: more than the most files and folders of one request. */
const MAX_FIELDS = 12_000;

/**
 * Reads a form that names files and folders (`fileIds=1&fileIds=2&folderIds=3`, or with commas) into the same body as
 * JSON has. A browser sends a form when the answer is to be kept on its disk.
 */
export function readItemsForm(): RequestHandler {
  const read = urlencoded({ extended: false, limit: JSON_LIMIT, parameterLimit: MAX_FIELDS });
  return (request, response, next) =>
    read(request, response, (fault?: unknown) => {
      if (fault) return next(fault);
      if (request.is(FORM)) request.body = itemsOf(request.body as Record<string, string | string[]>);
      next();
    });
}

/** Numbers for text; whatever is none stays for the rules of the DTO to refuse. */
function itemsOf(fields: Record<string, string | string[]>): Record<string, unknown> {
  const entries = Object.entries(fields ?? {}).map(([name, value]) => {
    const texts = [value].flat().flatMap((text) => text.split(','));
    return [name, texts.filter((text) => text !== '').map((text) => (/^\d{1,16}$/.test(text) ? Number(text) : text))];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}
