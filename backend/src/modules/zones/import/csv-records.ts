import { Readable } from 'node:stream';
import { CsvError, parse, type CsvErrorCode } from 'csv-parse';
import type { Sentence } from '../../../platform/errors/app-error.js';

/** Most bytes of one record: a longer one has an open quotation mark somewhere, or is no list of people. */
const MAX_RECORD_BYTES = 100_000;
/** Bytes read at a time, after which other work of the process gets its turn. */
const CHUNK_BYTES = 65_536;
const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

export interface CsvRecord {
  readonly fields: string[];
  /** Its number in the file, the first being 1; lines without anything are no records. */
  readonly record: number;
  /** The line at which it begins, the first of the text being 1. */
  readonly line: number;
}

/** Why a text is no CSV, and at which record. */
export class CsvParseError extends Error {
  constructor(
    readonly reason: Sentence,
    readonly record: number,
    /** Where the record begins. */
    readonly line: number,
  ) {
    super(`${reason.en} (record ${record}, line ${line})`);
  }
}

const quoteNotClosed: Sentence = {
  en: "a quotation mark isn't closed",
  tr: 'bir tırnak işareti kapatılmamış',
};
const textAfterQuote: Sentence = {
  en: 'there is text after a closing quotation mark',
  tr: 'kapanan bir tırnak işaretinden sonra metin var',
};
const recordTooLong: Sentence = {
  en: "a record is too long, perhaps because a quotation mark isn't closed",
  tr: 'bir kayıt çok uzun, bir tırnak işareti kapatılmamış olabilir',
};

const reasons: Partial<Record<CsvErrorCode, Sentence>> = {
  CSV_QUOTE_NOT_CLOSED: quoteNotClosed,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: textAfterQuote,
};

/**
 * The records of a CSV text (RFC 4180), with the line at which each begins. Fields are without spaces around them unless
 * quoted; a quotation mark inside an unquoted field is a character like others, as spreadsheets read it.
 * @param delimiter one character
 * @throws CsvParseError
 */
export async function* parseCsvRecords(text: string, delimiter: string): AsyncGenerator<CsvRecord> {
  const bytes = Buffer.from(text);
  const lines = new LineCounter(bytes, delimiter);
  // Where records begin, noted as they are found: a fault behind them may be thrown before they have been taken.
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

/** Counts lines from record to record; the parser itself only says at which line a record ends. */
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
   * The line of the first record that begins at or after a byte; lines without anything are passed over.
   * @param end bytes before it, never fewer than the time before
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
