import type { AppError } from '../../errors/app-error.js';
import { fieldError } from './validation.js';
import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AppRequest } from './viewer.js';
import type { NextFunction, Request, Response } from 'express';

/** Whether PostgreSQL can store a text: it accepts neither NUL nor unpaired surrogates. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/**
 * Returns the field, at any depth, whose name or text can't be stored; null when there is none. Ignores binary data.
 * @param name name of the value itself
 */
export function findUnstorableField(value: unknown, name: string): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : name;
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = findUnstorableField(key, name) ?? findUnstorableField(inner, key);
    if (found !== null) return found;
  }
  return null;
}

export function unstorableTextError(field: string): AppError {
  return fieldError(field, {
    en: "This text contains a character that can't be stored.",
    tr: 'Bu metin saklanamayan bir karakter içeriyor.',
  });
}

const VALIDATED_INDIVIDUALLY = 'zonary:texts-judged-one-by-one';

/** Names a body field that is a list of texts which are validated individually, each with its own result. */
export const ValidatesEachText = (field: string) => SetMetadata(VALIDATED_INDIVIDUALLY, field);

/** Rejects text in the body that PostgreSQL can't store, before DTO validation. */
@Injectable()
export class StorableTextGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const body: unknown = context.switchToHttp().getRequest<AppRequest>().body;
    const list = this.reflector.get<string | undefined>(VALIDATED_INDIVIDUALLY, context.getHandler());
    const field = findUnstorableField(list === undefined ? body : withoutStrings(body, list), 'body');
    if (field === null) return true;
    throw unstorableTextError(field);
  }
}

function withoutStrings(body: unknown, list: string): unknown {
  const texts = (body as Record<string, unknown> | null | undefined)?.[list];
  if (!Array.isArray(texts)) return body;
  return { ...(body as object), [list]: texts.filter((text) => typeof text !== 'string') };
}

const unknownField = { en: 'Unknown field.', tr: 'Bilinmeyen alan.' };

/**
 * Finds a field named like a property of every object (`__proto__`, `constructor`), which DTO validation doesn't see.
 */
function findPrototypeField(body: unknown): string | null {
  if (body === null || typeof body !== 'object' || Buffer.isBuffer(body)) return null;
  for (const [key, inner] of Object.entries(body)) {
    if (key in Object.prototype) return key;
    const found = findPrototypeField(inner);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Rejects fields named like inherited object properties, and text in the URL that PostgreSQL can't store. Depth and
 * size of the body are limited before; its texts are checked by `StorableTextGuard`, which knows the route.
 */
export function rejectUnstorableText(request: Request, _response: Response, next: NextFunction): void {
  const inherited = findPrototypeField(request.body);
  if (inherited !== null) return next(fieldError(inherited, unknownField));
  const field = findUnstorableField({ ...request.query }, 'query') ?? findUnstorablePath(request);
  next(field === null ? undefined : unstorableTextError(field));
}

function findUnstorablePath(request: Request): string | null {
  try {
    return findUnstorableField(decodeURIComponent(request.path), 'path');
  } catch {
    return 'path';
  }
}
