import type { NextFunction, Request, Response } from 'express';
import { commonErrors } from '../errors/common.errors.js';
import { unstorableField, unstorableText } from './storable-text.js';
import { fieldError } from './validation.js';

/** Lists and objects inside one another. No body of ours has more than a few; what reads a body climbs into it. */
const DEEPEST = 32;

const unknownField = { en: 'This field is not known.', tr: 'Bu alan bilinmiyor.' };

function isTooDeep(body: unknown, left = DEEPEST): boolean {
  if (body === null || typeof body !== 'object' || Buffer.isBuffer(body)) return false;
  return left === 0 || Object.values(body).some((inner) => isTooDeep(inner, left - 1));
}

/** A field named like something that every object has (`__proto__`, `constructor`): rules of a DTO do not see it. */
function inheritedName(body: unknown): string | null {
  if (body === null || typeof body !== 'object' || Buffer.isBuffer(body)) return null;
  for (const [key, inner] of Object.entries(body)) {
    if (key in Object.prototype) return key;
    const found = inheritedName(inner);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Refuses bodies nested so deeply that looking into them would exhaust the stack, names of fields that every object has,
 * and text in the address that PostgreSQL cannot store, before anything looks at the request. The texts of the body are
 * judged by `StorableTextGuard`, which knows the route.
 */
export function refuseUnstorableText(request: Request, _response: Response, next: NextFunction): void {
  if (isTooDeep(request.body)) return next(commonErrors.MALFORMED_JSON());
  const inherited = inheritedName(request.body);
  if (inherited !== null) return next(fieldError(inherited, unknownField));
  const field = unstorableField({ ...request.query }, 'query') ?? pathField(request);
  next(field === null ? undefined : unstorableText(field));
}

function pathField(request: Request): string | null {
  try {
    return unstorableField(decodeURIComponent(request.path), 'path');
  } catch {
    return 'path';
  }
}
