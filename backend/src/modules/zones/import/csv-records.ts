import type { Sentence } from '../../../platform/errors/app-error.js';

/** Most UTF-16 units of one record: what is longer has an open quotation mark somewhere, or is no list of people. */
const LONGEST_RECORD = 100_000;

export interface CsvRecord {
  readonly fields: string[];
  /** Its number in the file, the first being 1; lines without anything are no records. */
  readonly record: number;
  /** The line at which it begins, the first of the text being 1. */
  readonly line: number;
}

/** Why a text is no CSV, and where. */
export class CsvFault extends Error {
  constructor(
    readonly reason: Sentence,
    readonly record: number,
    /** Where the field begins that is at fault. */
    readonly line: number,
  ) {
    super(`${reason.en} (record ${record}, line ${line})`);
  }
}

const notClosed: Sentence = {
  en: 'a quotation mark is opened and not closed',
  tr: 'bir tırnak işareti açılmış ve kapatılmamış',
};
const afterQuote: Sentence = {
  en: 'something follows a closing quotation mark',
  tr: 'kapanan bir tırnak işaretinden sonra başka bir şey geliyor',
};
const tooLong: Sentence = { en: 'a record is too long', tr: 'bir kayıt çok uzun' };

/**
 * The records of a CSV text (RFC 4180), with the line at which each begins. Fields are without spaces around them unless
 * quoted; a quotation mark inside an unquoted field is a character like others, as spreadsheets read it.
 * @param delimiter one character
 * @throws CsvFault
 */
export function* csvRecords(text: string, delimiter: string): Generator<CsvRecord> {
  const reader = new CsvReader(text, delimiter);
  for (let record = reader.next(); record; record = reader.next()) yield record;
}

class CsvReader {
  private at = 0;
  private line = 1;
  private records = 0;

  constructor(
    private readonly text: string,
    private readonly delimiter: string,
  ) {}

  next(): CsvRecord | null {
    while (this.at < this.text.length) {
      const { line } = this;
      const fields = this.fields();
      this.endLine();
      // An empty line, or one of spaces, is no record.
      if (fields.length === 1 && fields[0] === '') continue;
      this.records += 1;
      return { fields, record: this.records, line };
    }
    return null;
  }

  private fields(): string[] {
    const { at: begin } = this;
    const fields = [this.field(begin)];
    while (this.text[this.at] === this.delimiter) {
      this.at += 1;
      fields.push(this.field(begin));
    }
    return fields;
  }

  private field(begin: number): string {
    const start = this.at;
    this.skipSpaces();
    const value = this.text[this.at] === '"' ? this.quoted(begin) : this.plain(start);
    if (this.at - begin > LONGEST_RECORD) throw this.fault(tooLong, this.line);
    return value;
  }

  private plain(start: number): string {
    while (this.at < this.text.length && this.text[this.at] !== this.delimiter && !this.isLineEnd()) this.at += 1;
    return this.text.slice(start, this.at).trim();
  }

  private quoted(begin: number): string {
    const { line } = this;
    let value = '';
    for (let from = this.at + 1; ;) {
      const quote = this.text.indexOf('"', from);
      if (quote < 0 || quote - begin > LONGEST_RECORD) throw this.fault(notClosed, line);
      value += this.text.slice(from, quote);
      this.line += countLines(this.text, from, quote);
      if (this.text[quote + 1] === '"') {
        value += '"';
        from = quote + 2;
        continue;
      }
      this.at = quote + 1;
      this.skipSpaces();
      const isEnd = this.at >= this.text.length || this.text[this.at] === this.delimiter || this.isLineEnd();
      if (!isEnd) throw this.fault(afterQuote, line);
      return value;
    }
  }

  private fault(reason: Sentence, line: number): CsvFault {
    return new CsvFault(reason, this.records + 1, line);
  }

  private skipSpaces(): void {
    while (this.at < this.text.length && this.isSpace(this.text[this.at]!)) this.at += 1;
  }

  private isSpace(character: string): boolean {
    return character !== this.delimiter && character !== '\n' && character !== '\r' && /\s/.test(character);
  }

  private isLineEnd(): boolean {
    return this.text[this.at] === '\n' || this.text[this.at] === '\r';
  }

  /** Goes behind a line end: LF, CR LF, or the CR of old programs. */
  private endLine(): void {
    if (!this.isLineEnd()) return;
    this.at += this.text.startsWith('\r\n', this.at) ? 2 : 1;
    this.line += 1;
  }
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at++) {
    if (text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n')) lines += 1;
  }
  return lines;
}
