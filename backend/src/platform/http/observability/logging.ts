import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Logger, type Params } from 'nestjs-pino';
import type { AppConfig } from '../../config/app-config.js';
import { isEventStream } from '../event-streams/event-streams.service.js';
import type { AppRequest } from '../parsing/viewer.js';

/**
 * JSON lines with the request id. The route's pattern is logged, never the path, the query, headers or a body:
 * they hold tokens and addresses of people.
 */
export function loggingOptions(config: AppConfig): Params {
  return {
    pinoHttp: {
      level: config.logLevel,
      base: { role: config.role },
      genReqId: (request: IncomingMessage) => (request as AppRequest).id,
      // The serializers below take things as they are: wrapped, `err` would get a copy that is no Error any more.
      wrapSerializers: false,
      serializers: {
        req: (request: { id: string; method: string }) => ({ id: request.id, method: request.method }),
        res: (response: { statusCode: number }) => ({ statusCode: response.statusCode }),
        err: describeError,
      },
      customSuccessObject: (request: IncomingMessage, _response: ServerResponse, entry: object) =>
        withRoute(request, entry),
      customErrorObject: (request: IncomingMessage, _response: ServerResponse, _error: Error, entry: object) =>
        withRoute(request, entry),
      customLogLevel: (_request, response, error) => {
        // Its line would say how long somebody read, and that a reader who left was a fault.
        if (isEventStream(response)) return 'silent';
        return error || response.statusCode >= 500 ? 'error' : 'info';
      },
      autoLogging: { ignore: (request) => request.url === '/healthz' || request.url === '/readyz' },
    },
  };
}

function withRoute(request: IncomingMessage, entry: object): object {
  return { ...entry, route: (request as { route?: { path?: string } }).route?.path ?? null };
}

/** What Nest says of each module and route while it starts; of use to nobody who runs the product. */
const STARTUP_CONTEXTS = new Set([
  'InstanceLoader',
  'RouterExplorer',
  'RoutesResolver',
  'NestFactory',
  'NestApplication',
]);

/** Nest's logger, without the chatter of the start. */
@Injectable()
export class AppLogger extends Logger {
  override log(message: unknown, ...parameters: unknown[]): void {
    if (!STARTUP_CONTEXTS.has(String(parameters.at(-1)))) super.log(message, ...(parameters as [unknown]));
  }
}

/**
 * A fault as it is logged: kind, code and stack. The text of a driver's message is left out where it may repeat
 * values of a row ("Key (email)=(…) already exists"); the stack's first line with it.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint } = error as Error & { code?: string; constraint?: string };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const safe = code === undefined && constraint === undefined && !/ - /.test(error.message);
  return {
    type: error.name,
    ...(safe ? { message: error.message } : {}),
    ...(code ? { code } : {}),
    ...(constraint ? { constraint } : {}),
    stack: frames.slice(0, 20).join('\n'),
  };
}
