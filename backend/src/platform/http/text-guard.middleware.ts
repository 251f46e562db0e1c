import type { NextFunction, Request, Response } from 'express';
import { fieldError } from './validation.js';

const sentence = {
  en: 'This text holds a character that cannot be stored.',
  tr: 'Bu metin saklanamayan bir karakter içeriyor.',
};

const unknownField = { en: 'This field is not known.', tr: 'Bu alan bilinmiyor.' };

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

/** Refuses NUL and lone surrogates, which PostgreSQL cannot store, before any rule of a DTO looks at the text. */
export function refuseUnstorableText(request: Request, _response: Response, next: NextFunction): void {
  const inherited = inheritedName(request.body);
  if (inherited !== null) return next(fieldError(inherited, unknownField));
  const field = unstorable(request.body, 'body') ?? unstorable({ ...request.query }, 'query') ?? pathField(request);
  next(field === null ? undefined : fieldError(field, sentence));
}

function pathField(request: Request): string | null {
  try {
    return unstorable(decodeURIComponent(request.path), 'path');
  } catch {
    return 'path';
  }
}

function unstorable(value: unknown, name: string): string | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? name : null;
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = unstorable(key, name) ?? unstorable(inner, key);
    if (found !== null) return found;
  }
  return null;
}
