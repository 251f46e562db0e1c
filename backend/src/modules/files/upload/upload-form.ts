import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy, { type Busboy } from 'busboy';
import { SECOND } from '../../../platform/clock/clock.js';
import { drainRejectedBody } from '../../../platform/http/parsing/drain-rejected-body.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import { consumeChunks } from '../../../platform/streams/stop-on-shutdown.js';
import { MIB } from '../../../platform/text/byte-units.js';
import { fileErrors } from '../files.errors.js';

/** Maximum number of files per request. */
export const MAX_FILES = 200;
/** Maximum number of text fields before the files, and of bytes per field. */
const MAX_FIELDS = 10;
const MAX_FIELD_BYTES = 1000;
/** Clients that send nothing for this long are disconnected. */
const IDLE_TIMEOUT = 60 * SECOND;
/** Bytes that a rejected client may still send before it is disconnected. */
const MAX_DRAINED_BYTES = 256 * MIB;

/** What a form may contain. */
interface FormLimits {
  /** Name of the field with the files. */
  readonly field: string;
  readonly maxFiles: number;
}

/** An incoming file. */
export interface IncomingFile {
  /** The unmodified name sent by the client. */
  readonly name: string;
  /**
   * The bytes. They must be read, or discarded with `skip`, before the next file is requested. Each chunk is valid
   * until the next one.
   */
  readonly content: AsyncIterable<Uint8Array>;
  skip(): void;
}

/**
 * Parses a multipart body (RFC 7578) with busboy on demand: backpressure pauses the client while nothing is read. Code
 * that awaits the parts stays in the request's async context (its transaction and request id).
 */
export class UploadForm {
  /** Text fields before the first file. */
  readonly fields: Record<string, string> = {};
  private readonly parser: Busboy;
  /** Parsed parts that were not requested yet, in order: files, and finally the error, or null at the end. */
  private readonly parts: (IncomingFile | Error | null)[] = [];
  private hasFiles = false;
  private isEnded = false;
  private notifyWaiting: () => void = () => undefined;

  private constructor(
    private readonly request: IncomingMessage,
    private readonly limits: FormLimits,
  ) {
    this.parser = createParser(request, limits.maxFiles);
    this.parser
      .on('field', (name, value, { valueTruncated }) => this.onField(name ?? '', value, valueTruncated))
      .on('file', (field, content, { filename }) => this.onFile(field ?? '', content, filename ?? ''))
      .on('fieldsLimit', () => this.finish(fileErrors.UPLOAD_MALFORMED()))
      .on('filesLimit', () => this.finish(fileErrors.TOO_MANY_FILES({ allowed: limits.maxFiles })))
      .on('error', () => this.finish(fileErrors.UPLOAD_MALFORMED()))
      .on('close', () => this.finish(null));
    request.setTimeout(IDLE_TIMEOUT, () => request.destroy());
    request.on('close', this.onAborted).pipe(this.parser);
  }

  /**
   * Reads up to the first file. The caller must `close` the form eventually.
   * @throws UPLOAD_MALFORMED, VALIDATION_FAILED
   */
  static async open(
    request: IncomingMessage,
    limits: FormLimits = { field: 'files', maxFiles: MAX_FILES },
  ): Promise<UploadForm> {
    const form = new UploadForm(request, limits);
    await form.waitForPart();
    const [first] = form.parts;
    if (!(first instanceof Error)) return form;
    form.close();
    throw first;
  }

  /**
   * Yields the files in order.
   * @throws UPLOAD_MALFORMED if the body is incomplete; VALIDATION_FAILED for unexpected parts
   */
  async *files(): AsyncGenerator<IncomingFile> {
    for (;;) {
      await this.waitForPart();
      const part = this.parts.shift()!;
      if (part === null) return;
      if (part instanceof Error) throw part;
      yield part;
    }
  }

  /** Upper bound of the bytes in the form, from Content-Length if present. */
  get contentLength(): number | null {
    const length = this.request.headers['content-length'];
    return length === undefined ? null : Number(length);
  }

  /** Stops reading. Remaining bytes of a rejected client are discarded up to a limit. */
  close(): void {
    this.request.off('close', this.onAborted).unpipe(this.parser);
    this.parser.destroy();
    drainRejectedBody(this.request, MAX_DRAINED_BYTES);
  }

  private async waitForPart(): Promise<void> {
    while (this.parts.length === 0) await new Promise<void>((resolve) => (this.notifyWaiting = resolve));
  }

  private readonly onAborted = (): void => {
    if (!this.request.complete) this.parser.destroy();
  };

  private onField(name: string, value: string, truncated: boolean): void {
    if (this.hasFiles) this.finish(fieldError(name, fieldAfterFiles));
    else if (truncated) this.finish(fileErrors.UPLOAD_MALFORMED());
    else this.fields[name] = value;
  }

  private onFile(field: string, content: Readable, name: string): void {
    // Errors of an incomplete body reach the consumer of `content` or the parser. This handler covers the moments
    // when nobody reads.
    content.on('error', () => undefined);
    this.hasFiles = true;
    const expected = this.limits.field;
    if (field !== expected) return this.finish(fieldError(field || expected, wrongField(expected)));
    this.addPart({ name: unescapeName(name), content: readContent(content), skip: () => void content.resume() });
  }

  private finish(result: Error | null): void {
    this.addPart(result);
    this.isEnded = true;
  }

  private addPart(part: IncomingFile | Error | null): void {
    if (!this.isEnded) this.parts.push(part);
    this.notifyWaiting();
  }
}

const fieldAfterFiles = {
  en: 'This field must come before the files.',
  tr: 'Bu alan dosyalardan önce gelmelidir.',
};
const wrongField = (field: string) => ({
  en: `Files must be sent in the field "${field}".`,
  tr: `Dosyalar "${field}" alanında gönderilmelidir.`,
});

/** @throws UPLOAD_MALFORMED if the content type has no boundary */
function createParser(request: IncomingMessage, maxFiles: number): Busboy {
  // Busboy treats a field that reaches the limit exactly as truncated.
  const limits = { fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES + 1, files: maxFiles };
  try {
    const { headers } = request;
    return busboy({ headers, defParamCharset: 'utf8', preservePath: true, limits });
  } catch {
    throw fileErrors.UPLOAD_MALFORMED();
  }
}

/** A dropped connection is treated like a malformed body: there is nothing to store. */
async function* readContent(content: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* consumeChunks(content as AsyncIterable<Uint8Array>);
  } catch {
    throw fileErrors.UPLOAD_MALFORMED();
  }
}

/** Browsers escape exactly these three characters in file names. */
const ESCAPES = new Map([
  ['%22', '"'],
  ['%0d', '\r'],
  ['%0a', '\n'],
]);

const unescapeName = (name: string) => name.replace(/%(?:22|0d|0a)/gi, (escape) => ESCAPES.get(escape.toLowerCase())!);
