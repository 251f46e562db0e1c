import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy, { type Busboy } from 'busboy';
import { SECOND } from '../../../platform/clock/clock.js';
import { drainRejectedBody } from '../../../platform/http/parsing/drain-rejected-body.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import { consumeChunks } from '../../../platform/streams/stop-on-shutdown.js';
import { MIB } from '../../../platform/text/byte-units.js';
import { fileErrors } from '../files.errors.js';

/** Files that one request may bring. */
export const MAX_FILES = 200;
/** Text fields that may stand before them, and the bytes of one. */
const MAX_FIELDS = 10;
const MAX_FIELD_BYTES = 1000;
/** A sender that is silent for this long is cut off. */
const IDLE_TIMEOUT = 60 * SECOND;
/** What a refused sender may still send before it is cut off. */
const MAX_DRAINED_BYTES = 256 * MIB;

/** A file as it comes in. */
export interface IncomingFile {
  /** As the client names it, untouched. */
  readonly name: string;
  /** The bytes; must be read, or skipped by `skip`, before the next file comes. Each piece stays until the next. */
  readonly content: AsyncIterable<Uint8Array>;
  skip(): void;
}

/**
 * A multipart body (RFC 7578), read by busboy as its files are asked for: a sender waits while nobody reads. Whoever
 * awaits the parts works on in the context of the request (its transaction and its id).
 */
export class UploadForm {
  /** Text fields that stand before the first file. */
  readonly fields: Record<string, string> = {};
  private readonly parser: Busboy;
  /** What came and was not asked for yet, in its order: files, and at last what is wrong, or null for the end. */
  private readonly parts: (IncomingFile | Error | null)[] = [];
  private hasFiles = false;
  private isEnded = false;
  private notifyWaiting: () => void = () => undefined;

  private constructor(private readonly request: IncomingMessage) {
    this.parser = createParser(request);
    this.parser
      .on('field', (name, value, { valueTruncated }) => this.onField(name ?? '', value, valueTruncated))
      .on('file', (field, content, { filename }) => this.onFile(field ?? '', content, filename ?? ''))
      .on('fieldsLimit', () => this.finish(fileErrors.UPLOAD_MALFORMED()))
      .on('filesLimit', () => this.finish(fileErrors.TOO_MANY_FILES({ allowed: MAX_FILES })))
      .on('error', () => this.finish(fileErrors.UPLOAD_MALFORMED()))
      .on('close', () => this.finish(null));
    request.setTimeout(IDLE_TIMEOUT, () => request.destroy());
    request.on('close', this.onAborted).pipe(this.parser);
  }

  /**
   * Reads up to the first file. The caller must `close` the form in the end.
   * @throws UPLOAD_MALFORMED, VALIDATION_FAILED
   */
  static async open(request: IncomingMessage): Promise<UploadForm> {
    const form = new UploadForm(request);
    await form.waitForPart();
    const [first] = form.parts;
    if (!(first instanceof Error)) return form;
    form.close();
    throw first;
  }

  /**
   * The files, one after the other.
   * @throws UPLOAD_MALFORMED when the body breaks off, VALIDATION_FAILED for parts that do not belong here
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

  /** Ends the reading. What a refused sender still sends is thrown away, within bounds. */
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
    // A body that breaks off is met by whoever reads it, or by the parser: nobody may be reading at that moment.
    content.on('error', () => undefined);
    this.hasFiles = true;
    if (field !== 'files') return this.finish(fieldError(field || 'files', wrongField));
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
const wrongField = {
  en: 'Files must be sent in the field "files".',
  tr: 'Dosyalar "files" alanında gönderilmelidir.',
};

/** @throws UPLOAD_MALFORMED for a type without a boundary */
function createParser(request: IncomingMessage): Busboy {
  // A field that fills its limit counts as cut off.
  const limits = { fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES + 1, files: MAX_FILES };
  try {
    const { headers } = request;
    return busboy({ headers, defParamCharset: 'utf8', preservePath: true, limits });
  } catch {
    throw fileErrors.UPLOAD_MALFORMED();
  }
}

/** A line that is cut is the same to us as a body that is no form: nothing that could be stored. */
async function* readContent(content: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* consumeChunks(content as AsyncIterable<Uint8Array>);
  } catch {
    throw fileErrors.UPLOAD_MALFORMED();
  }
}

/** Browsers send these three characters of a name so, and no other ones. */
const ESCAPES = new Map([
  ['%22', '"'],
  ['%0d', '\r'],
  ['%0a', '\n'],
]);

const unescapeName = (name: string) => name.replace(/%(?:22|0d|0a)/gi, (escape) => ESCAPES.get(escape.toLowerCase())!);
