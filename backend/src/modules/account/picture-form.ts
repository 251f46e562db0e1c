import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy, { type Busboy } from 'busboy';
import { SECOND } from '../../platform/clock/clock.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { fieldError } from '../../platform/http/validation.js';
import { MIB } from '../../platform/text/sizes.js';
import { accountErrors } from './account.errors.js';

/** Most bytes of a picture. */
export const MAX_PICTURE = 5 * MIB;
/** A sender that is silent for this long is cut off. */
const IDLE = 30 * SECOND;
/** What a refused sender may still send before it is cut off: until then it can read why it was refused. */
const DRAINED_BYTES = 64 * MIB;

const missing = { en: 'Please choose a picture.', tr: 'Lütfen bir resim seçin.' };

/**
 * Reads the one picture of a multipart body, from the field `file`. It is small enough to be held in memory.
 * @throws PICTURE_TOO_LARGE while it comes in, VALIDATION_FAILED without a picture, BAD_REQUEST for a broken body
 */
export async function readPicture(request: IncomingMessage): Promise<Buffer> {
  const parser = parserFor(request);
  request.setTimeout(IDLE, () => request.destroy());
  try {
    return await receive(request, parser);
  } finally {
    request.unpipe(parser);
    parser.destroy();
    drain(request);
  }
}

function receive(request: IncomingMessage, parser: Busboy): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let picture: Buffer[] | null = null;
    parser.on('file', (name, stream) => {
      if (name !== 'file' || picture) return reject(fieldError(name || 'file', missing));
      picture = [];
      collect(stream, picture, reject);
    });
    parser.on('field', (name) => reject(fieldError(name || 'file', missing)));
    parser.on('error', () => reject(commonErrors.BAD_REQUEST()));
    parser.on('close', () => {
      const bytes = Buffer.concat(picture ?? []);
      if (bytes.length > 0) resolve(bytes);
      else reject(fieldError('file', missing));
    });
    request.on('close', () => {
      if (!request.complete) reject(commonErrors.BAD_REQUEST());
    });
    request.pipe(parser);
  });
}

function collect(stream: Readable, into: Buffer[], reject: (error: Error) => void): void {
  stream.on('data', (chunk: Buffer) => into.push(chunk));
  stream.on('limit', () => reject(accountErrors.PICTURE_TOO_LARGE()));
  stream.on('error', () => reject(commonErrors.BAD_REQUEST()));
}

function parserFor(request: IncomingMessage): Busboy {
  try {
    const limits = { fieldNameSize: 100, fieldSize: 1000, fields: 5, files: 2, fileSize: MAX_PICTURE };
    return busboy({ headers: request.headers, limits });
  } catch {
    throw commonErrors.BAD_REQUEST();
  }
}

/** Throws away, within bounds, what a refused sender still sends. */
function drain(request: IncomingMessage): void {
  if (request.complete || request.destroyed) {
    request.setTimeout(0);
    return;
  }
  let drained = 0;
  request.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > DRAINED_BYTES) request.destroy();
  });
  request.on('end', () => request.setTimeout(0));
  request.resume();
}
