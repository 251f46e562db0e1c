import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Logger, type Params } from 'nestjs-pino';
import type { AppConfig } from '../../config/app-config.js';
import { toSourceStack } from '../../errors/source-stack.js';
import { isEventStream } from '../event-streams/event-streams.service.js';
import type { AppRequest } from '../parsing/viewer.js';

/**
 * Options for JSON logs with the request id. Logs the route's pattern, never the path, the query, headers or body,
 * which contain tokens and email addresses.
 */
export function loggingOptions(config: AppConfig): Params {
  return {
    pinoHttp: {
      level: config.logLevel,
      base: { role: config.role },
      genReqId: (request: IncomingMessage) => (request as AppRequest).id,
      // The serializers below need the original objects: wrapped, `err` would be a copy that is no longer an Error.
      wrapSerializers: false,
      serializers: {
        req: (request: { id: string; method: string }) => ({ id: request.id, method: request.method }),
        res: (response: { statusCode: number }) => ({ statusCode: response.statusCode }),
        err: describeError,
      },
      customSuccessObject: (request: IncomingMessage, _response: ServerResponse, entry: object) =>
        withRoute(request, entry),
      // The error filter has logged the error; this one only says that the response has an error status.
      customErrorObject: (request: IncomingMessage, _response: ServerResponse, _error: Error, entry: object) =>
        withRoute(request, { ...entry, err: undefined }),
      customLogLevel: (_request, response, error) => {
        // An event stream's entry would only show how long it was open, and report a disconnect as an error.
        if (isEventStream(response)) return 'silent';
        if (response.statusCode === 503) return 'warn';
        return error || response.statusCode >= 500 ? 'error' : 'info';
      },
      autoLogging: { ignore: (request) => request.url === '/healthz' || request.url === '/readyz' },
    },
  };
}

function withRoute(request: IncomingMessage, entry: object): object {
  return { ...entry, route: (request as { route?: { path?: string } }).route?.path ?? null };
}

/** Contexts of Nest's startup messages about modules and routes, which are of no use to operators. */
const STARTUP_CONTEXTS = new Set([
  'InstanceLoader',
  'RouterExplorer',
  'RoutesResolver',
  'NestFactory',
  'NestApplication',
]);

/** Nest's logger without the startup messages. */
@Injectable()
export class AppLogger extends Logger {
  override log(message: unknown, ...parameters: unknown[]): void {
    if (!STARTUP_CONTEXTS.has(String(parameters.at(-1)))) super.log(message, ...(parameters as [unknown]));
  }
}

/**
 * Returns what is logged of an error: type, code and stack. The message is omitted where it may contain values of a row
 * ("Key (email)=(…) already exists"), and with it the first line of the stack.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint } = error as Error & { code?: string; constraint?: string };
  const frames = toSourceStack(error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  const safe = code === undefined && constraint === undefined && !/ - /.test(error.message);
  return {
    type: error.name,
    ...(safe ? { message: error.message } : {}),
    ...(code ? { code } : {}),
    ...(constraint ? { constraint } : {}),
    stack: frames.slice(0, 20).join('\n'),
  };
}
