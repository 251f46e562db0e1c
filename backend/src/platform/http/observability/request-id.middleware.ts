import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

const REQUEST_ID = /^[\w-]{8,64}$/;

/** Gives every request an id, the caller's own where it is a plain one, before anything can go wrong with it. */
export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  const id = requestIdFrom(request.get('x-request-id'));
  Object.assign(request, { id });
  response.setHeader('X-Request-Id', id);
  next();
}

/** The id that a caller gave, or a new one. */
export function requestIdFrom(provided: string | string[] | undefined): string {
  return typeof provided === 'string' && REQUEST_ID.test(provided) ? provided : randomUUID();
}
