import type { Request as HttpRequest, Response as HttpResponse } from 'express';
import { SECOND } from '../../../platform/clock/clock.js';
import { drainRefused } from '../refused-body.js';

/** A sender that is silent for this long is cut off. */
const IDLE = 60 * SECOND;

/** Headers that other origins would need, and there are none; and those of bodies, which are ours. */
const WITHHELD = /^(?:access-control-.+|content-.+)$/;

/** A request as the protocol's library takes it. `close` ends the reading: what still comes is thrown away, within bounds. */
export function toWebRequest(request: HttpRequest): { request: Request; close: () => void } {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && !name.startsWith(':')) headers.set(name, value);
  }
  const bringsBytes = request.method === 'POST' || request.method === 'PATCH';
  if (bringsBytes) request.setTimeout(IDLE, () => request.destroy());
  // A reader that stops must not close the connection, over which the answer goes.
  const body = bringsBytes ? ReadableStream.from(bytesOf(request)) : null;
  const init = { method: request.method, headers, body, duplex: 'half' };
  return {
    request: new Request(`http://uploads${request.path}`, init as RequestInit),
    close: () => drainRefused(request),
  };
}

async function* bytesOf(request: HttpRequest): AsyncGenerator<Uint8Array> {
  yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
}

/**
 * Sends what the library answers.
 * @param body JSON, instead of nothing
 */
export function sendAnswer(answer: Response, response: HttpResponse, body?: object): void {
  response.status(answer.status);
  for (const [name, value] of answer.headers) if (!WITHHELD.test(name)) response.setHeader(name, value);
  if (body) response.json(body);
  else response.end();
}
