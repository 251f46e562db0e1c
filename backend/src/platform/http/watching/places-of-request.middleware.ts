import type { NextFunction, Request, Response } from 'express';
import { inLane } from '../../database/pool/places.js';

/** Ways in and out, and what is asked to show once more who one is: answered while everything else waits. */
const ENTRY =
  /^\/api\/(login(\/(factor|passkey)(\/[\w-]+)?)?|single-sign-on(\/[\w/-]+)?|logout|register|send-verification|complete-profile|((forgot|reset|change)-password|sign-in-\w+|user|session)(\/check)?|user\/confirm(\/[\w-]+)?)$/;

/** Says for what a request takes connections, before anything asks the database. */
export function placesOfRequest({ path }: Request, _response: Response, next: NextFunction): void {
  inLane(path === '/readyz' ? 'health' : ENTRY.test(path) ? 'entry' : 'common', next);
}
