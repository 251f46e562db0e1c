import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy, { type Busboy } from 'busboy';
import { SECOND } from '../../../platform/clock/clock.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { fieldError } from '../../../platform/http/validation.js';
import { MIB } from '../../../platform/text/sizes.js';
import { importErrors } from './import.errors.js';

/** Most bytes of a file: far more than the most rows need. */
export const MAX_FILE = 8 * MIB;
/** A sender that is silent for this long is cut off. */
const IDLE = 30 * SECOND;
/** What a refused sender may still send before it is cut off: until then it can read why it was refused. */
const DRAINED_BYTES = 64 * MIB;

export type ImportMode = 'invite' | 'add';

export interface ImportForm {
  readonly file: Buffer;
  readonly dryRun: boolean;
  readonly mode: ImportMode;
  readonly consentConfirmed: boolean;
}

const missing = { en: 'Please choose a CSV file.', tr: 'Lütfen bir CSV dosyası seçin.' };
const unknown = { en: 'This field is not known.', tr: 'Bu alan bilinmiyor.' };
const yesOrNo = { en: 'This must be true or false', tr: 'Bu değer true veya false olmalıdır' };

/**
 * Reads the form of an import: one file in the field `file`, and what is to be done with it, in any order.
 * @throws IMPORT_TOO_LARGE while it comes in, VALIDATION_FAILED for a field, BAD_REQUEST for a broken body
 */
export async function readImportForm(request: IncomingMessage): Promise<ImportForm> {
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

function receive(request: IncomingMessage, parser: Busboy): Promise<ImportForm> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    let file: Buffer[] | null = null;
    parser.on('file', (name, stream) => {
      if (name !== 'file' || file) return reject(fieldError(name || 'file', name === 'file' ? missing : unknown));
      file = [];
      collect(stream, file, reject);
    });
    parser.on('field', (name, value) => fields.set(name, value));
    parser.on('error', () => reject(commonErrors.BAD_REQUEST()));
    parser.on('close', () => {
      try {
        resolve(formOf(Buffer.concat(file ?? []), fields));
      } catch (error) {
        reject(error as Error);
      }
    });
    request.on('close', () => {
      if (!request.complete) reject(commonErrors.BAD_REQUEST());
    });
    request.pipe(parser);
  });
}

function formOf(file: Buffer, fields: ReadonlyMap<string, string>): ImportForm {
  const stranger = [...fields.keys()].find((name) => !['dryRun', 'mode', 'consentConfirmed'].includes(name));
  if (stranger !== undefined) throw fieldError(stranger, unknown);
  if (file.length === 0) throw fieldError('file', missing);
  const mode = fields.get('mode') ?? 'invite';
  if (mode !== 'invite' && mode !== 'add') {
    throw fieldError('mode', { en: 'mode must be invite or add', tr: 'mode: invite veya add olmalıdır' });
  }
  const [dryRun, consentConfirmed] = [flag(fields, 'dryRun'), flag(fields, 'consentConfirmed')];
  if (mode === 'add' && !dryRun && !consentConfirmed) {
    throw fieldError('consentConfirmed', {
      en: 'Please confirm that these people agreed to receive your emails.',
      tr: 'Lütfen bu kişilerin e-postalarınızı almayı kabul ettiğini onaylayın.',
    });
  }
  return { file, dryRun, mode, consentConfirmed };
}

function flag(fields: ReadonlyMap<string, string>, name: string): boolean {
  const value = fields.get(name) ?? 'false';
  if (value !== 'true' && value !== 'false') throw fieldError(name, yesOrNo);
  return value === 'true';
}

function collect(stream: Readable, into: Buffer[], reject: (error: Error) => void): void {
  stream.on('data', (chunk: Buffer) => into.push(chunk));
  stream.on('limit', () => reject(importErrors.IMPORT_TOO_LARGE()));
  stream.on('error', () => reject(commonErrors.BAD_REQUEST()));
}

function parserFor(request: IncomingMessage): Busboy {
  try {
    const limits = { fieldNameSize: 100, fieldSize: 1000, fields: 10, files: 2, fileSize: MAX_FILE };
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
