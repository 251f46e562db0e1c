import type { NextFunction, Request, Response } from 'express';
import { commonly, vitally } from '../../database/pool/places.js';

/** What must be answered while everything else waits: whether this process can serve, and ways in and out. */
const VITAL =
  /^\/(readyz|api\/(login|logout|register|send-verification|complete-profile|(forgot|reset|change)-password|sign-in-\w+|user|session)(\/check)?)$/;

/** Says for what a request takes connections, before anything asks the database. */
export function placesOfRequest({ path }: Request, _response: Response, next: NextFunction): void {
  if (VITAL.test(path)) vitally(next);
  else commonly(next);
}
