import type { IncomingMessage } from 'node:http';
import { SECOND } from '../../platform/clock/clock.js';
import { AppError } from '../../platform/errors/app-error.js';
import { fieldError } from '../../platform/http/validation.js';
import { fileErrors } from './files.errors.js';
import { FormReader, type PartHead } from './form-reader.js';
import { GatheredBody } from './gathered-body.js';
import { drainRefused } from './refused-body.js';

/** Files that one request may bring. */
export const MAX_FILES = 200;
/** Text fields that may stand before them, and the bytes of one. */
const MAX_FIELDS = 10;
const FIELD_BYTES = 1000;
/** A sender that is silent for this long is cut off. */
const IDLE = 60 * SECOND;

/** A file as it comes in. */
export interface IncomingFile {
  /** As the client names it, untouched. */
  readonly name: string;
  /** The bytes; must be read, or skipped by `skip`, before the next file comes. Each piece stays until the next. */
  readonly content: AsyncIterable<Uint8Array>;
  skip(): Promise<void>;
}

/**
 * A multipart body, read as it is asked for, so that whoever awaits its parts works on in the context of the request
 * (its transaction and its id).
 */
export class UploadForm {
  /** Text fields that stand before the first file. */
  readonly fields: Record<string, string> = {};
  private readonly bytes: GatheredBody;
  private readonly reader: FormReader;
  /** The head of the part that comes next; null after the last one. */
  private head: PartHead | null = null;

  private constructor(private readonly request: IncomingMessage) {
    this.bytes = new GatheredBody(request);
    this.reader = new FormReader(request.headers['content-type'], this.bytes);
    request.setTimeout(IDLE, () => request.destroy());
  }

  /**
   * Reads up to the first file. The caller must `close` the form in the end.
   * @throws UPLOAD_MALFORMED
   */
  static async open(request: IncomingMessage): Promise<UploadForm> {
    const form = await sound(async () => new UploadForm(request));
    try {
      await sound(() => form.readFields());
      return form;
    } catch (error) {
      await form.close();
      throw error;
    }
  }

  /**
   * The files, one after the other.
   * @throws UPLOAD_MALFORMED when the body breaks off, VALIDATION_FAILED for parts that do not belong here
   */
  async *files(): AsyncGenerator<IncomingFile> {
    for (let count = 1; this.head; count++) {
      const { name: field, filename: name } = this.head;
      if (name === null) throw fieldError(field, afterFiles);
      if (field !== 'files') throw fieldError(field || 'files', wrongField);
      if (count > MAX_FILES) throw fileErrors.TOO_MANY_FILES({ allowed: MAX_FILES });
      const content = this.content();
      yield { name, content, skip: () => exhaust(content) };
      this.head = await sound(() => this.reader.next());
    }
  }

  /** Ends the reading. What a refused sender still sends is thrown away, within bounds. */
  async close(): Promise<void> {
    await this.bytes.return();
    drainRefused(this.request);
  }

  private async readFields(): Promise<void> {
    for (let count = 1; ; count++) {
      const head = (this.head = await this.reader.next());
      if (head?.filename !== null) return;
      if (count > MAX_FIELDS) throw fileErrors.UPLOAD_MALFORMED();
      this.fields[head.name] = await this.readField();
    }
  }

  private async readField(): Promise<string> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of this.reader.content()) {
      length += chunk.length;
      if (length > FIELD_BYTES) throw fileErrors.UPLOAD_MALFORMED();
      chunks.push(Buffer.from(chunk));
    }
    return Buffer.concat(chunks).toString();
  }

  private async *content(): AsyncGenerator<Uint8Array> {
    const content = this.reader.content();
    for (;;) {
      const { done, value } = await sound(() => content.next());
      if (done) return;
      yield value;
    }
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

/** A body that is no form and a line that is cut are the same to us: nothing that could be stored. */
async function sound<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof AppError ? error : fileErrors.UPLOAD_MALFORMED();
  }
}

async function exhaust(content: AsyncGenerator<Uint8Array>): Promise<void> {
  while (!(await content.next()).done);
}
