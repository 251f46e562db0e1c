import { ConnectionException } from '@mikro-orm/core';
import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { ThrottlerException } from '@nestjs/throttler';
import type { Response } from 'express';
import { isRetryableError } from '../../database/transaction-conflicts.js';
import { AppError, type Language } from '../../errors/app-error.js';
import { commonErrors, tooManyRequests } from '../../errors/common.errors.js';
import { isExternalServiceError } from '../../errors/external-service-error.js';
import { requestLanguageOf } from '../parsing/request-language.js';
import type { AppRequest } from '../parsing/viewer.js';

/**
 * Converts every error into a response. Unexpected errors are logged with the request id, and answered without details.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Errors');

  catch(exception: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<AppRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    const error = toAppError(exception);
    if (error.status >= 500) this.logError(exception, error, request.id);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const retryAfter = error.details.retryAfter ?? (error.status === 503 ? UNAVAILABLE_RETRY_AFTER : undefined);
    if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter));
    // `@Header` has already set the headers of the result.
    response.removeHeader('Content-Disposition');
    response.setHeader('Cache-Control', 'no-store');
    response
      .status(error.status)
      .type('json')
      .send(toErrorBody(error, requestLanguageOf(request), request.id));
  }

  /** A missing setting or a full queue is no fault. Anybody can cause such an error, so it gets one line without stack. */
  private logError(exception: unknown, { code }: AppError, requestId: string): void {
    if (/_(NOT_CONFIGURED|BUSY)$/.test(code)) this.logger.warn({ requestId }, code);
    else this.logger.error({ err: exception, requestId }, code);
  }
}

/** Returns the body of an error response in one language. */
export function toErrorBody(error: AppError, language: Language, requestId: string): Record<string, unknown> {
  const { errors, retryAfter, ...details } = error.details;
  const fields = Object.entries(errors ?? {}).map(([field, list]) => [field, list.map((text) => text[language])]);
  return {
    statusCode: error.status,
    code: error.code,
    message: error.sentence[language],
    ...(errors ? { errors: Object.fromEntries(fields) } : {}),
    ...(error.status === 429 && retryAfter !== undefined ? { retryAfter } : {}),
    ...details,
    requestId,
  };
}

/** The window of the general rate limit, in seconds. */
const RATE_LIMIT_RETRY_AFTER = 60;

const errorByStatus: Record<number, () => AppError> = {
  400: commonErrors.BAD_REQUEST,
  401: commonErrors.NOT_SIGNED_IN,
  403: commonErrors.FORBIDDEN,
  404: commonErrors.NOT_FOUND,
  405: commonErrors.METHOD_NOT_ALLOWED,
  406: commonErrors.NOT_ACCEPTABLE,
  413: commonErrors.BODY_TOO_LARGE,
  415: commonErrors.UNSUPPORTED_TYPE,
  429: () => tooManyRequests(RATE_LIMIT_RETRY_AFTER),
  503: commonErrors.SERVICE_UNAVAILABLE,
};

/** Retry-After for errors of external services, in seconds. */
const UNAVAILABLE_RETRY_AFTER = 5;
/** Retry-After for a transaction that conflicted on all attempts, in seconds; the others have finished by then. */
const CONFLICT_RETRY_AFTER = 1;

/** Converts an exception into the error to return. Exported for tests. */
export function toAppError(exception: unknown): AppError {
  if (exception instanceof AppError) return exception;
  if (exception instanceof ThrottlerException) return tooManyRequests(RATE_LIMIT_RETRY_AFTER);
  if (exception instanceof HttpException) return (errorByStatus[exception.getStatus()] ?? commonErrors.INTERNAL)();
  const { status } = (exception ?? {}) as { status?: number };
  if (exception instanceof ConnectionException || isExternalServiceError(exception))
    return commonErrors.SERVICE_UNAVAILABLE({}, { retryAfter: UNAVAILABLE_RETRY_AFTER });
  // The request is valid; other transactions were faster on each attempt.
  if (isRetryableError(exception)) return commonErrors.SERVICE_UNAVAILABLE({}, { retryAfter: CONFLICT_RETRY_AFTER });
  if (status && status >= 400 && status < 500) return (errorByStatus[status] ?? commonErrors.BAD_REQUEST)();
  return commonErrors.INTERNAL();
}
