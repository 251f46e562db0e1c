import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { unstorableField, unstorableText } from './storable-text.js';
import type { AppRequest } from './viewer.js';

const JUDGED_ONE_BY_ONE = 'zonary:texts-judged-one-by-one';

/** A field of the body that is a list of texts, each of which has an answer of its own, whatever it holds. */
export const JudgesEachText = (field: string) => SetMetadata(JUDGED_ONE_BY_ONE, field);

/** Refuses text in the body that PostgreSQL cannot store, before any rule of a DTO looks at it. */
@Injectable()
export class StorableTextGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const body: unknown = context.switchToHttp().getRequest<AppRequest>().body;
    const list = this.reflector.get<string | undefined>(JUDGED_ONE_BY_ONE, context.getHandler());
    const field = unstorableField(list === undefined ? body : withoutTexts(body, list), 'body');
    if (field === null) return true;
    throw unstorableText(field);
  }
}

function withoutTexts(body: unknown, list: string): unknown {
  const texts = (body as Record<string, unknown> | null | undefined)?.[list];
  if (!Array.isArray(texts)) return body;
  return { ...(body as object), [list]: texts.filter((text) => typeof text !== 'string') };
}
