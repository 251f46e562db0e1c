import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy, { type Busboy } from 'busboy';
import { SECOND } from '../../../platform/clock/clock.js';
import { drainRefused } from '../../../platform/http/reading/refused-body.js';
import { fieldError } from '../../../platform/http/reading/validation.js';
import { usedPieces } from '../../../platform/streams/until-drained.js';
import { MIB } from '../../../platform/text/sizes.js';
import { fileErrors } from '../files.errors.js';

/** Files that one request may bring. */
export const MAX_FILES = 200;
/** Text fields that may stand before them, and the bytes of one. */
const MAX_FIELDS = 10;
const FIELD_BYTES = 1000;
/** A sender that is silent for this long is cut off. */
const IDLE = 60 * SECOND;
/** What a refused sender may still send before it is cut off. */
const DRAINED_BYTES = 256 * MIB;

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
  private readonly arrived: (IncomingFile | Error | null)[] = [];
  private hasFiles = false;
  private ended = false;
  private wake: () => void = () => undefined;

  private constructor(private readonly request: IncomingMessage) {
    this.parser = parserFor(request);
    this.parser
      .on('field', (name, value, { valueTruncated }) => this.onField(name ?? '', value, valueTruncated))
      .on('file', (field, content, { filename }) => this.onFile(field ?? '', content, filename ?? ''))
      .on('fieldsLimit', () => this.end(fileErrors.UPLOAD_MALFORMED()))
      .on('filesLimit', () => this.end(fileErrors.TOO_MANY_FILES({ allowed: MAX_FILES })))
      .on('error', () => this.end(fileErrors.UPLOAD_MALFORMED()))
      .on('close', () => this.end(null));
    request.setTimeout(IDLE, () => request.destroy());
    request.on('close', this.onCut).pipe(this.parser);
  }

  /**
   * Reads up to the first file. The caller must `close` the form in the end.
   * @throws UPLOAD_MALFORMED, VALIDATION_FAILED
   */
  static async open(request: IncomingMessage): Promise<UploadForm> {
    const form = new UploadForm(request);
    await form.waitForPart();
    const [first] = form.arrived;
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
      const part = this.arrived.shift()!;
      if (part === null) return;
      if (part instanceof Error) throw part;
      yield part;
    }
  }

  /** Ends the reading. What a refused sender still sends is thrown away, within bounds. */
  close(): void {
    this.request.off('close', this.onCut).unpipe(this.parser);
    this.parser.destroy();
    drainRefused(this.request, DRAINED_BYTES);
  }

  private async waitForPart(): Promise<void> {
    while (this.arrived.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
  }

  private readonly onCut = (): void => {
    if (!this.request.complete) this.parser.destroy();
  };

  private onField(name: string, value: string, truncated: boolean): void {
    if (this.hasFiles) this.end(fieldError(name, afterFiles));
    else if (truncated) this.end(fileErrors.UPLOAD_MALFORMED());
    else this.fields[name] = value;
  }

  private onFile(field: string, content: Readable, name: string): void {
    // A body that breaks off is met by whoever reads it, or by the parser: nobody may be reading at that moment.
    content.on('error', () => undefined);
    this.hasFiles = true;
    if (field !== 'files') return this.end(fieldError(field || 'files', wrongField));
    this.add({ name: unescaped(name), content: bytesOf(content), skip: () => void content.resume() });
  }

  private end(how: Error | null): void {
    this.add(how);
    this.ended = true;
  }

  private add(part: IncomingFile | Error | null): void {
    if (!this.ended) this.arrived.push(part);
    this.wake();
  }
}

const afterFiles = {
  en: 'This field must come before the files.',
  tr: 'Bu alan dosyalardan önce gelmelidir.',
};
const wrongField = {
  en: 'Files must be sent in the field "files".',
  tr: 'Dosyalar "files" alanında gönderilmelidir.',
};

/** @throws UPLOAD_MALFORMED for a type without a boundary */
function parserFor(request: IncomingMessage): Busboy {
  // A field that fills its limit counts as cut off.
  const limits = { fields: MAX_FIELDS, fieldSize: FIELD_BYTES + 1, files: MAX_FILES };
  try {
    const { headers } = request;
    return busboy({ headers, defParamCharset: 'utf8', preservePath: true, limits });
  } catch {
    throw fileErrors.UPLOAD_MALFORMED();
  }
}

/** A line that is cut is the same to us as a body that is no form: nothing that could be stored. */
async function* bytesOf(content: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* usedPieces(content as AsyncIterable<Uint8Array>);
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

const unescaped = (name: string) => name.replace(/%(?:22|0d|0a)/gi, (escape) => ESCAPES.get(escape.toLowerCase())!);
