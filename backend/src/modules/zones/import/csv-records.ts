import { Readable } from 'node:stream';
import { CsvError, parse, type CsvErrorCode } from 'csv-parse';
import type { LocalizedText } from '../../../platform/errors/app-error.js';

/** Maximum bytes of a record. A longer one has an unclosed quotation mark or is not a list of people. */
const MAX_RECORD_BYTES = 100_000;
/** Bytes per chunk; between chunks the event loop can process other work. */
const CHUNK_BYTES = 65_536;
const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

export interface CsvRecord {
  readonly fields: string[];
  /** Number of the record in the file, starting at 1; blank lines are not counted. */
  readonly record: number;
  /** The line on which it starts; the first line is 1. */
  readonly line: number;
}

/** Why a text is not valid CSV, and at which record. */
export class CsvParseError extends Error {
  constructor(
    readonly reason: LocalizedText,
    readonly record: number,
    /** The line on which the record starts. */
    readonly line: number,
  ) {
    super(`${reason.en} (record ${record}, line ${line})`);
  }
}

const quoteNotClosed: LocalizedText = {
  en: "a quotation mark isn't closed",
  tr: 'bir tırnak işareti kapatılmamış',
};
const textAfterQuote: LocalizedText = {
  en: 'there is text after a closing quotation mark',
  tr: 'kapanan bir tırnak işaretinden sonra metin var',
};
const recordTooLong: LocalizedText = {
  en: "a record is too long, perhaps because a quotation mark isn't closed",
  tr: 'bir kayıt çok uzun, bir tırnak işareti kapatılmamış olabilir',
};

const reasons: Partial<Record<CsvErrorCode, LocalizedText>> = {
  CSV_QUOTE_NOT_CLOSED: quoteNotClosed,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: textAfterQuote,
};

/**
 * Parses the records of a CSV text (RFC 4180) with their line numbers. Unquoted fields are trimmed. A quotation mark
 * inside an unquoted field is an ordinary character, as in spreadsheets.
 * @param delimiter a single character
 * @throws CsvParseError
 */
export async function* parseCsvRecords(text: string, delimiter: string): AsyncGenerator<CsvRecord> {
  const bytes = Buffer.from(text);
  const lines = new LineCounter(bytes, delimiter);
  // The starting lines of records, noted as they are parsed: a later parse error may be thrown before the records are
  // consumed.
  const recordLines: number[] = [];
  let end = 0;
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: MAX_RECORD_BYTES,
    on_record: (fields, context) => {
      recordLines.push(lines.lineOfRecordAfter(end));
      end = context.bytes;
      return fields;
    },
  });
  const source = Readable.from(splitIntoChunks(bytes));
  source.pipe(parser);
  try {
    let record = 0;
    for await (const fields of parser as AsyncIterable<string[]>) {
      record += 1;
      yield { fields, record, line: recordLines[record - 1]! };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CsvParseError(reasons[error.code] ?? recordTooLong, recordLines.length + 1, lines.lineOfRecordAfter(end));
  } finally {
    source.destroy();
  }
}

function* splitIntoChunks(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES);
}

/** Tracks line numbers, because the parser only reports on which line a record ends. */
class LineCounter {
  private offset = 0;
  private line = 1;
  private readonly delimiter: number;

  constructor(
    private readonly bytes: Buffer,
    delimiter: string,
  ) {
    this.delimiter = delimiter.charCodeAt(0);
  }

  /**
   * Returns the line of the first record that starts at or after the byte offset; blank lines are skipped.
   * @param end byte offset, never lower than in the previous call
   */
  lineOfRecordAfter(end: number): number {
    while (this.offset < end) this.advance();
    for (let next = this.endOfEmptyLine(); next !== null; next = this.endOfEmptyLine()) {
      while (this.offset < next) this.advance();
    }
    return this.line;
  }

  private advance(): void {
    const byte = this.bytes[this.offset];
    this.offset += byte === CR && this.bytes[this.offset + 1] === LF ? 2 : 1;
    if (byte === LF || byte === CR) this.line += 1;
  }

  private endOfEmptyLine(): number | null {
    let at = this.offset;
    while ((this.bytes[at] === SPACE || this.bytes[at] === TAB) && this.bytes[at] !== this.delimiter) at += 1;
    return this.bytes[at] === LF || this.bytes[at] === CR ? at + 1 : null;
  }
}
