import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { UseInterceptors, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { catchError, type Observable } from 'rxjs';
import { SECOND } from '../../clock/clock.js';
import type { AppError } from '../../errors/app-error.js';
import { commonErrors } from '../../errors/common.errors.js';
import { MIB } from '../../text/byte-units.js';

/** Idle timeout of the body, in milliseconds. */
const IDLE_TIMEOUT = 30 * SECOND;
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
}

/**
 * Parses a multipart body with one file, in the field `file`, that is small enough to be held in memory, and a few
 * short fields. The file is the parameter with `@UploadedFile()`, the fields are the request's `body`.
 */
export function ReadSmallFile(rules: SmallFileRules) {
  const options = {
    limits: { fileSize: rules.maxBytes, fieldNameSize: 100, fieldSize: 1000, fields: 10 },
    streamHandler: (request: IncomingMessage, parser: Writable) => {
      limitBody(request, rules.maxBytes + MAX_DRAINED_BYTES);
      request.pipe(parser);
    },
  };
  return UseInterceptors(new SmallFileErrors(rules), FileInterceptor('file', options));
}

/** Closes the connection if the body stops arriving, or continues after it was rejected. */
function limitBody(request: IncomingMessage, maxBytes: number): void {
  let received = 0;
  request.setTimeout(IDLE_TIMEOUT, () => request.destroy());
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
    const request = context.switchToHttp().getRequest<IncomingMessage>();
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
    return code === 'LIMIT_UNEXPECTED_FILE' ? this.rules.wrongFile(field) : error;
  }
}
