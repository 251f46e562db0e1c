import type { NextFunction, Request, Response } from 'express';
import { commonErrors } from '../../errors/common.errors.js';
import { toErrorBody } from '../errors/error.filter.js';
import { requestLanguageOf } from '../parsing/request-language.js';
import type { AppRequest } from '../parsing/viewer.js';
import type { HttpTimeouts } from './timeouts.js';

/** Upload types may take long; their parsers have their own idle timeouts. */
const UPLOAD_TYPES = /^(multipart\/form-data|application\/offset\+octet-stream)\b/i;
/** Webhook bodies are read completely, whatever their content type. */
const WEBHOOK_PATH = '/api/webhooks/';

/**
 * Ends requests whose body arrives too slowly. JSON and other non-uploads have a total timeout and an idle timeout.
 * They also apply to the rest of an upload that has already been answered.
 */
export function rejectSlowBodies(timeouts: HttpTimeouts) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (hasBody(request)) watchBody(request, response, timeouts);
    next();
  };
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}

function watchBody(request: Request, response: Response, { body, idleBody }: HttpTimeouts): void {
  const timers: NodeJS.Timeout[] = [];
  const stop = () => timers.splice(0).forEach((timer) => clearInterval(timer));
  const end = () => {
    stop();
    if (!request.complete) rejectSlowRequest(request, response);
  };
  request.once('end', stop).once('close', stop);
  if (UPLOAD_TYPES.test(request.headers['content-type'] ?? '') && !request.path.startsWith(WEBHOOK_PATH)) {
    response.once('finish', () => request.complete || timers.push(setTimeout(end, body)));
    return;
  }
  const { socket } = request;
  let [seen, since] = [socket.bytesRead, performance.now()];
  const checkProgress = () => {
    if (socket.bytesRead !== seen) [seen, since] = [socket.bytesRead, performance.now()];
    else if (performance.now() - since >= idleBody) end();
  };
  timers.push(setTimeout(end, body), setInterval(checkProgress, Math.max(10, idleBody / 10)));
}

/**
 * Sends the error if nothing was sent yet, and closes the connection: anything else that arrives on it belongs to the
 * same body.
 */
export function rejectSlowRequest(request: Request, response: Response): void {
  if (response.headersSent) return void request.socket.destroy();
  const error = commonErrors.BODY_TOO_SLOW();
  const { id } = request as unknown as AppRequest;
  response.setHeader('Connection', 'close');
  response.once('finish', () => request.socket.destroySoon());
  response.status(error.status).json(toErrorBody(error, requestLanguageOf(request as unknown as AppRequest), id));
}
