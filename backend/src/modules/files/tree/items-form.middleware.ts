import { urlencoded, type RequestHandler } from 'express';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { MIB } from '../../../platform/text/byte-units.js';

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Fields that one form may have: more than the most files and folders of one request. */
const MAX_FIELDS = 12_000;

/** Names of fields that are looked at: more than there are, so that an unknown one is still refused. */
const MAX_FIELD_NAMES = 20;

/**
 * Reads a form that names files and folders (`fileIds=1&fileIds=2&folderIds=3`, or with commas; `all=true`) into the same body as
 * JSON has. A browser sends a form when the answer is to be kept on its disk.
 */
export function parseItemsForm(): RequestHandler {
  const read = urlencoded({ extended: false, limit: MIB, parameterLimit: MAX_FIELDS });
  return (request, response, next) =>
    read(request, response, (fault?: unknown) => {
      if (fault) return next(toFormError(fault));
      if (request.is(FORM_TYPE)) request.body = toItems(request.body as Record<string, string | string[]>);
      next();
    });
}

function toFormError(fault: unknown): unknown {
  const { type } = fault as { type?: string };
  return type === 'parameters.too.many' ? commonErrors.BODY_TOO_COMPLEX() : fault;
}

/** Numbers for text; whatever is none stays for the rules of the DTO to refuse. */
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
