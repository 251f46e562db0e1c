import type { AppError } from '../../errors/app-error.js';
import { fieldError } from './validation.js';
import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AppRequest } from './viewer.js';
import type { NextFunction, Request, Response } from 'express';

/** Whether PostgreSQL can store a text: it takes neither NUL nor half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/**
 * The field, at any depth, whose name or text cannot be stored; null when there is none. Bytes are no text.
 * @param name what the value itself is called
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

/** A field of the body that is a list of texts, each of which has an answer of its own, whatever it holds. */
export const ValidatesEachText = (field: string) => SetMetadata(VALIDATED_INDIVIDUALLY, field);

/** Refuses text in the body that PostgreSQL cannot store, before any rule of a DTO looks at it. */
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

/** A field named like something that every object has (`__proto__`, `constructor`): rules of a DTO do not see it. */
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
 * Refuses names of fields that every object has, and text in the address that PostgreSQL cannot store, before anything
 * looks at the request. How deep and how large bodies are is bounded before; their texts are judged by
 * `StorableTextGuard`, which knows the route.
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
