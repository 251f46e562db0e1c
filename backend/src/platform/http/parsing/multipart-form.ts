import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy, { type Busboy } from 'busboy';
import { SECOND } from '../../clock/clock.js';
import type { AppError } from '../../errors/app-error.js';
import { commonErrors } from '../../errors/common.errors.js';
import { MIB } from '../../text/byte-units.js';
import { drainRejectedBody } from './drain-rejected-body.js';

/** Idle timeout of the body, in milliseconds. */
const IDLE_TIMEOUT = 30 * SECOND;
/** How many more bytes a rejected client may send before the connection is closed; this lets it read the error. */
const MAX_DRAINED_BYTES = 64 * MIB;

export interface MultipartForm {
  /** Empty when there was none. */
  readonly file: Buffer;
  readonly fields: ReadonlyMap<string, string>;
}

export interface MultipartFormRules {
  /** Maximum size of the file, in bytes. */
  readonly maxFile: number;
  /** Creates the error for a larger file. */
  readonly tooLarge: () => AppError;
  /** Creates the error for a file in a field other than `file`, and for a second file. */
  readonly wrongFile: (field: string) => AppError;
}

/**
 * Parses a multipart body with one file, in the field `file`, that is small enough to be held in memory, and a few
 * short fields.
 * @throws the errors of the rules, while the body is received; BAD_REQUEST for an invalid body
 */
export async function readMultipartForm(request: IncomingMessage, rules: MultipartFormRules): Promise<MultipartForm> {
  const parser = createParser(request, rules.maxFile);
  request.setTimeout(IDLE_TIMEOUT, () => request.destroy());
  try {
    return await parseForm(request, parser, rules);
  } finally {
    request.unpipe(parser);
    parser.destroy();
    drainRejectedBody(request, MAX_DRAINED_BYTES);
  }
}

function parseForm(request: IncomingMessage, parser: Busboy, rules: MultipartFormRules): Promise<MultipartForm> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    let file: Buffer[] | null = null;
    parser.on('file', (name, stream) => {
      if (name !== 'file' || file) return reject(rules.wrongFile(name || 'file'));
      file = [];
      collectFile(stream, file, rules, reject);
    });
    parser.on('field', (name, value) => fields.set(name || 'file', value));
    parser.on('error', () => reject(commonErrors.BAD_REQUEST()));
    parser.on('close', () => resolve({ file: Buffer.concat(file ?? []), fields }));
    request.on('close', () => {
      if (!request.complete) reject(commonErrors.BAD_REQUEST());
    });
    request.pipe(parser);
  });
}

function collectFile(
  stream: Readable,
  into: Buffer[],
  rules: MultipartFormRules,
  reject: (error: Error) => void,
): void {
  stream.on('data', (chunk: Buffer) => into.push(chunk));
  stream.on('limit', () => reject(rules.tooLarge()));
  stream.on('error', () => reject(commonErrors.BAD_REQUEST()));
}

function createParser(request: IncomingMessage, fileSize: number): Busboy {
  try {
    const limits = { fieldNameSize: 100, fieldSize: 1000, fields: 10, files: 2, fileSize };
    return busboy({ headers: request.headers, limits });
  } catch {
    throw commonErrors.BAD_REQUEST();
  }
}
