import utils from 'busboy/lib/utils.js';

/** Most bytes that the headers of one part may have. */
const MAX_HEADERS = 16 * 1024;
const LINE_END = Buffer.from('\r\n');
const HEADERS_END = Buffer.from('\r\n\r\n');
/** So many bytes `indexOf` looks for several times as fast as for more. */
const FAST = 7;
/** Beginnings of a delimiter that turn out to be none, before it is looked for as a whole: a body may be full of them. */
const MAX_BEGINNINGS = 64;

/** What stands before the bytes of a part. */
export interface PartHead {
  readonly name: string;
  /** As the client names the file; null for a text field. */
  readonly filename: string | null;
}

/** A body that is no form, or that breaks off. */
export class MalformedForm extends Error {}

/**
 * Reads a multipart form (RFC 7578) part by part, as it is asked for: `next`, then `content`, and so on. Boundaries are
 * looked for by `indexOf`, which is several times as fast as a search in JavaScript; what passes is not copied. A piece of
 * the source, and so of a content, need only stay as it is until the next one is asked for.
 */
export class FormReader {
  private readonly delimiter: Buffer;
  /** Read and not yet given out. The first line is a delimiter too. */
  private ahead: Buffer = LINE_END;
  private begun = false;

  /** @throws MalformedForm for a type without a boundary */
  constructor(
    contentType: string | undefined,
    private readonly source: AsyncIterator<Buffer>,
  ) {
    const boundary = utils.parseContentType(contentType ?? '')?.params.boundary;
    if (!boundary) throw new MalformedForm();
    this.delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /**
   * The head of the next part, or null after the last one. The content of the part before must have been read.
   * @throws MalformedForm
   */
  async next(): Promise<PartHead | null> {
    if (!this.begun) await this.skip();
    await this.atLeast(2);
    if (this.ahead.subarray(0, 2).equals(Buffer.from('--'))) return null;
    if (!this.ahead.subarray(0, 2).equals(LINE_END)) throw new MalformedForm();
    return headOf(await this.headers());
  }

  /**
   * The bytes of the part whose head was read last.
   * @throws MalformedForm when the body ends before the part
   */
  async *content(): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.delimiterAt();
      const safe = at >= 0 ? at : this.ahead.length - this.begunDelimiter();
      const bytes = this.ahead.subarray(0, safe);
      this.ahead = this.ahead.subarray(at >= 0 ? at + this.delimiter.length : safe);
      if (bytes.length > 0) yield bytes;
      if (at >= 0) return;
      await this.more();
    }
  }

  /** What stands before the first part belongs to nobody. */
  private async skip(): Promise<void> {
    this.begun = true;
    const before = this.content();
    while (!(await before.next()).done);
  }

  /** From the end of the line of the delimiter to the empty line, both left out. */
  private async headers(): Promise<string> {
    for (let end = this.ahead.indexOf(HEADERS_END); ; end = this.ahead.indexOf(HEADERS_END)) {
      if (end > MAX_HEADERS || (end < 0 && this.ahead.length > MAX_HEADERS)) throw new MalformedForm();
      if (end >= 0) {
        const text = this.ahead.toString('latin1', LINE_END.length, Math.max(end, LINE_END.length));
        this.ahead = this.ahead.subarray(end + HEADERS_END.length);
        return text;
      }
      await this.more();
    }
  }

  /** Where the delimiter begins in what was read; -1 when it is not there. */
  private delimiterAt(): number {
    const beginning = this.delimiter.subarray(0, FAST);
    let at = -1;
    for (let tries = 0; tries < MAX_BEGINNINGS; tries++) {
      at = this.ahead.indexOf(beginning, at + 1);
      if (at < 0 || this.delimiter.equals(this.ahead.subarray(at, at + this.delimiter.length))) return at;
    }
    return this.ahead.indexOf(this.delimiter, at);
  }

  /** How many of the last bytes may be the beginning of a delimiter. */
  private begunDelimiter(): number {
    const from = Math.max(0, this.ahead.length - this.delimiter.length + 1);
    for (let at = this.ahead.indexOf(0x0d, from); at >= 0; at = this.ahead.indexOf(0x0d, at + 1)) {
      const rest = this.ahead.subarray(at);
      if (this.delimiter.subarray(0, rest.length).equals(rest)) return rest.length;
    }
    return 0;
  }

  private async atLeast(bytes: number): Promise<void> {
    while (this.ahead.length < bytes) await this.more();
  }

  private async more(): Promise<void> {
    const kept = Buffer.from(this.ahead);
    const { done, value } = await this.source.next();
    if (done) throw new MalformedForm();
    this.ahead = kept.length === 0 ? value : Buffer.concat([kept, value]);
  }
}

/** A part whose name or kind is not told is none of a form. */
function headOf(headers: string): PartHead {
  const [, disposition] = /^content-disposition:[ \t]*(.*)$/im.exec(headers) ?? [];
  const { type, params } = utils.parseDisposition(disposition?.trim() ?? '', utils.getDecoder('utf8')) ?? {};
  if (type !== 'form-data' || !params) throw new MalformedForm();
  const { name = '', filename } = params;
  return { name, filename: params['filename*'] ?? (filename === undefined ? null : unescaped(filename)) };
}

/** Browsers send these three characters of a name so, and no other ones. */
const ESCAPES = new Map([
  ['%22', '"'],
  ['%0d', '\r'],
  ['%0a', '\n'],
]);

const unescaped = (name: string) => name.replace(/%(?:22|0d|0a)/gi, (escape) => ESCAPES.get(escape.toLowerCase())!);
