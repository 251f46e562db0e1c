import { ConnectionException } from '@mikro-orm/core';
import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { ThrottlerException } from '@nestjs/throttler';
import type { Response } from 'express';
import { AppError, type Language } from '../errors/app-error.js';
import { commonErrors } from '../errors/common.errors.js';
import { languageOf } from './language.js';
import type { AppRequest } from './viewer.js';

/** The one place where an error becomes an answer. Faults are logged with the request id and answered without detail. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Errors');

  catch(exception: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<AppRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    const error = toAppError(exception);
    if (error.status >= 500) this.logger.error({ err: exception, requestId: request.id }, error.code);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error.details.retryAfter !== undefined) response.setHeader('Retry-After', String(error.details.retryAfter));
    response.status(error.status).json(errorBody(error, languageOf(request), request.id));
  }
}

/** The body of an error answer, in one language. */
export function errorBody(error: AppError, language: Language, requestId: string): Record<string, unknown> {
  const { errors, retryAfter: _, ...details } = error.details;
  const fields = Object.entries(errors ?? {}).map(([field, list]) => [field, list.map((one) => one[language])]);
  return {
    statusCode: error.status,
    code: error.code,
    message: error.sentence[language],
    ...(errors ? { errors: Object.fromEntries(fields) } : {}),
    ...details,
    requestId,
  };
}

const byStatus: Record<number, () => AppError> = {
  400: commonErrors.BAD_REQUEST,
  401: commonErrors.NOT_SIGNED_IN,
  403: commonErrors.FORBIDDEN,
  404: commonErrors.NOT_FOUND,
  405: commonErrors.METHOD_NOT_ALLOWED,
  406: commonErrors.NOT_ACCEPTABLE,
  413: commonErrors.BODY_TOO_LARGE,
  415: commonErrors.UNSUPPORTED_TYPE,
  429: commonErrors.TOO_MANY_REQUESTS,
  503: commonErrors.SERVICE_UNAVAILABLE,
};

/** PostgreSQL: the server goes away or takes no more connections. */
const UNREACHABLE = /^(57P0[123]|53300|08\w{3}|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE)$/;
/** PostgreSQL: two transactions met; one of them was chosen to try again. */
const COLLIDED = /^(40001|40P01)$/;

function toAppError(exception: unknown): AppError {
  if (exception instanceof AppError) return exception;
  if (exception instanceof ThrottlerException) return commonErrors.TOO_MANY_REQUESTS({}, { retryAfter: 60 });
  if (exception instanceof HttpException) return (byStatus[exception.getStatus()] ?? commonErrors.INTERNAL)();
  const { code, status } = (exception ?? {}) as { code?: string; status?: number };
  if (exception instanceof ConnectionException || UNREACHABLE.test(code ?? ''))
    return commonErrors.SERVICE_UNAVAILABLE();
  if (COLLIDED.test(code ?? '')) return commonErrors.CONFLICT();
  if (status && status >= 400 && status < 500) return (byStatus[status] ?? commonErrors.BAD_REQUEST)();
  return commonErrors.INTERNAL();
}
