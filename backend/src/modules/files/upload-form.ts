import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy, { type Busboy } from 'busboy';
import { SECOND } from '../../platform/clock/clock.js';
import { fieldError } from '../../platform/http/validation.js';
import { fileErrors } from './files.errors.js';
import { drainRefused } from './refused-body.js';

/** Files that one request may bring. */
export const MAX_FILES = 200;
/** A sender that is silent for this long is cut off. */
const IDLE = 60 * SECOND;

/** A file as it comes in. */
export interface IncomingFile {
  /** As the client names it, untouched. */
  readonly name: string;
  /** The bytes; must be read, or skipped by `skip`, before the next file comes. */
  readonly content: AsyncIterable<Uint8Array>;
  skip(): Promise<void>;
}

type Part =
  { kind: 'field'; name: string; value: string } | { kind: 'file'; name: string; filename: string; stream: Readable };

/**
 * A multipart body, read as it comes in. The parser's callbacks lose the context of the request (its transaction and
 * its id), so they only queue what they find; whoever awaits the parts works on in the context of the request.
 */
export class UploadForm {
  /** Text fields that stand before the first file. */
  readonly fields: Record<string, string> = {};
  private readonly parser: Busboy;
  private readonly parts: Part[] = [];
  private wake: (() => void) | null = null;
  private ended = false;
  private failure: Error | null = null;

  private constructor(private readonly request: IncomingMessage) {
    this.parser = parserFor(request);
    this.parser.on('field', (name, value) => this.add({ kind: 'field', name: name ?? '', value }));
    this.parser.on('file', (name, stream, { filename }) => {
      // Whoever reads the stream learns of its errors; a stream that nobody reads must not end the process.
      stream.on('error', () => undefined);
      this.add({ kind: 'file', name: name ?? '', filename: filename ?? '', stream });
    });
    this.parser.on('filesLimit', () => this.fail(fileErrors.TOO_MANY_FILES({ allowed: MAX_FILES })));
    this.parser.on('error', () => this.fail(fileErrors.UPLOAD_MALFORMED()));
    this.parser.on('close', () => this.end());
    request.on('close', () => {
      if (!request.complete) this.fail(fileErrors.UPLOAD_MALFORMED());
    });
    request.on('error', () => this.fail(fileErrors.UPLOAD_MALFORMED()));
    request.setTimeout(IDLE, () => request.destroy());
    request.pipe(this.parser);
  }

  /**
   * Reads up to the first file. The caller must `close` the form in the end.
   * @throws UPLOAD_MALFORMED
   */
  static async open(request: IncomingMessage): Promise<UploadForm> {
    const form = new UploadForm(request);
    try {
      for (let part = await form.peek(); part?.kind === 'field'; part = await form.peek()) {
        form.fields[part.name] = part.value;
        form.parts.shift();
      }
      return form;
    } catch (error) {
      form.close();
      throw error;
    }
  }

  /**
   * The files, one after the other.
   * @throws UPLOAD_MALFORMED when the body breaks off, VALIDATION_FAILED for parts that do not belong here
   */
  async *files(): AsyncGenerator<IncomingFile> {
    for (let part = await this.peek(); part; part = await this.peek()) {
      this.parts.shift();
      if (part.kind === 'field') throw fieldError(part.name, afterFiles);
      if (part.name !== 'files') throw fieldError(part.name || 'files', wrongField);
      const content = this.read(part.stream);
      yield { name: part.filename, content, skip: () => exhaust(content) };
    }
  }

  /** Ends the reading. What a refused sender still sends is thrown away, within bounds. */
  close(): void {
    this.request.unpipe(this.parser);
    this.parser.destroy();
    drainRefused(this.request);
  }

  private async *read(stream: Readable): AsyncGenerator<Uint8Array> {
    try {
      yield* stream as AsyncIterable<Uint8Array>;
    } catch {
      throw this.failure ?? fileErrors.UPLOAD_MALFORMED();
    }
  }

  private async peek(): Promise<Part | null> {
    while (this.parts.length === 0 && !this.ended && !this.failure) {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    if (this.failure) throw this.failure;
    return this.parts[0] ?? null;
  }

  private add(part: Part): void {
    this.parts.push(part);
    this.wake?.();
  }

  private end(): void {
    this.ended = true;
    this.wake?.();
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.parser.destroy();
    this.wake?.();
  }
}

const afterFiles = {
  en: 'This field must come before the files.',
  tr: 'Bu alan dosyalardan önce gelmelidir.',
};
const wrongField = {
  en: 'Files are taken in the field "files".',
  tr: 'Dosyalar "files" alanında alınır.',
};

/** Names come as they are (UTF-8, with whatever path they claim), so that they can be judged rather than guessed. */
function parserFor(request: IncomingMessage): Busboy {
  try {
    return busboy({
      headers: request.headers,
      preservePath: true,
      defParamCharset: 'utf8',
      limits: { fieldNameSize: 100, fieldSize: 1000, fields: 10, files: MAX_FILES },
    });
  } catch {
    throw fileErrors.UPLOAD_MALFORMED();
  }
}

async function exhaust(content: AsyncGenerator<Uint8Array>): Promise<void> {
  while (!(await content.next()).done);
}
