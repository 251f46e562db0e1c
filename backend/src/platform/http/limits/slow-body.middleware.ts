import type { NextFunction, Request, Response } from 'express';
import { commonErrors } from '../../errors/common.errors.js';
import { errorBody } from '../errors/error.filter.js';
import { languageOf } from '../reading/language.js';
import type { AppRequest } from '../reading/viewer.js';
import type { Patience } from './patience.js';

/** Bodies that may take long: whoever reads them watches that they do not stand still. */
const UPLOAD = /^(multipart\/form-data|application\/offset\+octet-stream)\b/i;
/** Where a body is read whole, whatever it says it is. */
const WEBHOOKS = '/api/webhooks/';

/**
 * Ends requests whose body does not come: JSON, and whatever else is no upload, has a time in all and a time between two
 * pieces. Of an upload that has been answered already, what still comes has the same time.
 */
export function endSlowBodies(patience: Patience) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (hasBody(request)) watch(request, response, patience);
    next();
  };
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}

function watch(request: Request, response: Response, { body, idleBody }: Patience): void {
  const timers: NodeJS.Timeout[] = [];
  const stop = () => timers.splice(0).forEach((timer) => clearInterval(timer));
  const end = () => {
    stop();
    if (!request.complete) refuse(request, response);
  };
  request.once('end', stop).once('close', stop);
  if (UPLOAD.test(request.headers['content-type'] ?? '') && !request.path.startsWith(WEBHOOKS)) {
    response.once('finish', () => request.complete || timers.push(setTimeout(end, body)));
    return;
  }
  const { socket } = request;
  let [seen, since] = [socket.bytesRead, performance.now()];
  const look = () => {
    if (socket.bytesRead !== seen) [seen, since] = [socket.bytesRead, performance.now()];
    else if (performance.now() - since >= idleBody) end();
  };
  timers.push(setTimeout(end, body), setInterval(look, Math.max(10, idleBody / 10)));
}

/** Says why, where nothing was said yet, and closes the connection: what else comes on it belongs to the same body. */
function refuse(request: Request, response: Response): void {
  if (response.headersSent) return void request.socket.destroy();
  const error = commonErrors.BODY_TOO_SLOW();
  const { id } = request as unknown as AppRequest;
  response.setHeader('Connection', 'close');
  response.once('finish', () => request.socket.destroySoon());
  response.status(error.status).json(errorBody(error, languageOf(request as unknown as AppRequest), id));
}
