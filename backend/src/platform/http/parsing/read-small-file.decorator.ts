import type { Writable } from 'node:stream';
import { UseInterceptors, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import type { Request } from 'express';
import { catchError, type Observable } from 'rxjs';
import { SECOND } from '../../clock/clock.js';
import type { AppError } from '../../errors/app-error.js';
import { commonErrors } from '../../errors/common.errors.js';
import { MIB } from '../../text/byte-units.js';
import { rejectSlowRequest } from '../limits/slow-body.middleware.js';
import { fieldError } from './validation.js';

/** How many more bytes a rejected client may send before the connection is closed; this lets it read the error. */
const MAX_DRAINED_BYTES = 64 * MIB;

/** A file held in memory, as `@UploadedFile()` receives it. */
export interface SmallFile {
  readonly buffer: Buffer;
}

export interface SmallFileRules {
  /** Maximum size of the file, in bytes. */
  readonly maxBytes: number;
  /** Creates the error for a larger file. */
  readonly tooLarge: () => AppError;
  /** Creates the error for a file in a field other than `file`, and for a second file. */
  readonly wrongFile: (field: string) => AppError;
  /** Idle timeout of the body, in milliseconds; 30 seconds by default. */
  readonly idleTimeout?: number;
}

/**
 * Parses a multipart body with one file, in the field `file`, that is small enough to be held in memory, and a few
 * short fields. The file is the parameter with `@UploadedFile()`, the fields are the request's `body`.
 */
export function ReadSmallFile(rules: SmallFileRules) {
  const options = {
    limits: { fileSize: rules.maxBytes, fieldNameSize: 100, fieldSize: 1000, fields: 10 },
    streamHandler: (request: Request, parser: Writable) => {
      limitBody(request, rules.maxBytes + MAX_DRAINED_BYTES, rules.idleTimeout ?? 30 * SECOND);
      request.pipe(parser);
    },
  };
  return UseInterceptors(new SmallFileErrors(rules), FileInterceptor('file', options));
}

/** Rejects a body that stops arriving, and closes the connection if it continues long after it was rejected. */
function limitBody(request: Request, maxBytes: number, idleTimeout: number): void {
  let received = 0;
  request.setTimeout(idleTimeout, () => rejectSlowRequest(request, request.res!));
  request.once('end', () => request.setTimeout(0));
  request.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > maxBytes) request.destroy();
  });
}

/** Converts the errors of the parser. The others are BAD_REQUEST. */
class SmallFileErrors implements NestInterceptor {
  constructor(private readonly rules: SmallFileRules) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    // Of a request without a body, which no guard rejects. The parser would ignore it.
    if (!/^multipart\//i.test(request.headers['content-type'] ?? '')) throw commonErrors.BAD_REQUEST();
    return next.handle().pipe(
      catchError((error: unknown) => {
        throw request.complete ? this.toAppError(error) : commonErrors.BAD_REQUEST();
      }),
    );
  }

  private toAppError(error: unknown): unknown {
    const { code, field = 'file' } = ((error as Error).cause ?? {}) as { code?: string; field?: string };
    if (code === 'LIMIT_FILE_SIZE') return this.rules.tooLarge();
    if (code === 'LIMIT_UNEXPECTED_FILE') return this.rules.wrongFile(field);
    if (code === 'LIMIT_FIELD_VALUE')
      return fieldError(field, { en: 'This text is too long.', tr: 'Bu metin çok uzun.' });
    return code === 'LIMIT_FIELD_COUNT' ? commonErrors.BODY_TOO_COMPLEX() : error;
  }
}
