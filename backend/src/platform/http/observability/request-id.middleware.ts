import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

const REQUEST_ID = /^[\w-]{8,64}$/;

/** Assigns an id to each request, the client's own if it is valid, before anything can fail. */
export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  const id = requestIdFrom(request.get('x-request-id'));
  Object.assign(request, { id });
  response.setHeader('X-Request-Id', id);
  next();
}

/** Returns the client's id, or a new one. */
export function requestIdFrom(provided: string | string[] | undefined): string {
  return typeof provided === 'string' && REQUEST_ID.test(provided) ? provided : randomUUID();
}
