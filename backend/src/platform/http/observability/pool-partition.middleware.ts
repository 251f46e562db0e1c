import type { NextFunction, Request, Response } from 'express';
import { runInPoolPartition } from '../../database/pool/pool-partitioning.js';

/** Sign-in, sign-out and reauthentication, which must work even while everything else waits. */
const SIGN_IN_ROUTES =
  /^\/api\/(login(\/(factor|passkey)(\/[\w-]+)?)?|single-sign-on(\/[\w/-]+)?|logout|register|send-verification|complete-profile|((forgot|reset|change)-password|sign-in-\w+|user|session)(\/check)?|user\/confirm(\/[\w-]+)?)$/;

/** Selects the pool partition of a request, before anything queries the database. */
export function poolPartitionMiddleware({ path }: Request, _response: Response, next: NextFunction): void {
  runInPoolPartition(path === '/readyz' ? 'health' : SIGN_IN_ROUTES.test(path) ? 'entry' : 'common', next);
}
