import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { isAddress, normaliseEmail } from '../../../platform/http/reading/fields.js';
import { foldForSearch } from '../../../platform/text/fold.js';
import { withoutAddress } from '../../../platform/text/plain-name.js';
import type { CsvText } from './csv-text.js';
import { importErrors } from '../zones.errors.js';

export const MAX_ROWS = 50_000;
const NAME_LENGTH = 50;
const EMAIL_LENGTH = 320;
const SLICE = 65_536;

/** One line of the file; `email` in the form in which addresses are kept. */
export interface ImportRow {
  /** Its line in the file, the first being 1. */
  readonly row: number;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

interface Columns {
  readonly email: number;
  readonly firstName: number;
  readonly lastName: number;
}

/** Headings by which a column is known, folded and without spaces, dashes and underscores. */
const headings: Record<keyof Columns, string[]> = {
  email: ['email', 'eposta', 'emailaddress', 'epostaadresi', 'mail', 'email1value'],
  firstName: ['firstname', 'name', 'givenname', 'ad', 'adi', 'isim'],
  lastName: ['lastname', 'surname', 'familyname', 'soyad', 'soyadi'],
};

/**
 * The rows of a file, one after the other. A file whose first line begins with an address has no headings: its columns
 * are address, first name and last name.
 * @throws IMPORT_NO_EMAIL_COLUMN, IMPORT_UNREADABLE with the line, IMPORT_TOO_LARGE after `MAX_ROWS`
 */
export async function* importRows({ text, delimiter, skippedLines }: CsvText): AsyncGenerator<ImportRow> {
  let columns: Columns | null = null;
  let count = 0;
  for await (const { record, line } of records(text, delimiter)) {
    if (columns === null) {
      columns = columnsOf(record);
      if (!isAddress(normaliseEmail(record[0] ?? ''))) continue;
    }
    if (++count > MAX_ROWS) throw importErrors.IMPORT_TOO_LARGE();
    yield rowOf(record, columns, line + skippedLines);
  }
  if (columns === null) throw importErrors.IMPORT_NO_EMAIL_COLUMN();
}

async function* records(text: string, delimiter: string): AsyncGenerator<{ record: string[]; line: number }> {
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
    max_record_size: 100_000,
  });
  const source = Readable.from(slices(text));
  source.pipe(parser);
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      yield { record, line: info.lines };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw importErrors.IMPORT_UNREADABLE({ line: Number(error.lines ?? 1) });
  } finally {
    source.destroy();
  }
}

function* slices(text: string): Generator<string> {
  for (let start = 0; start < text.length; start += SLICE) yield text.slice(start, start + SLICE);
}

function columnsOf(first: string[]): Columns {
  if (isAddress(normaliseEmail(first[0] ?? ''))) return { email: 0, firstName: 1, lastName: 2 };
  const names = first.map((name) => foldForSearch(name).replace(/[\s_-]/g, ''));
  const find = (column: keyof Columns) => names.findIndex((name) => headings[column].includes(name));
  const columns = { email: find('email'), firstName: find('firstName'), lastName: find('lastName') };
  if (columns.email < 0) throw importErrors.IMPORT_NO_EMAIL_COLUMN();
  return columns;
}

function rowOf(record: string[], { email, firstName, lastName }: Columns, row: number): ImportRow {
  const written = cell(record[email]);
  const address = normaliseEmail(written);
  return {
    row,
    email: (isAddress(address) ? address : written).slice(0, EMAIL_LENGTH),
    firstName: nameOf(record[firstName]),
    lastName: nameOf(record[lastName]),
  };
}

/** A cell as somebody wrote it: an apostrophe before a formula, which our own files have, is no part of it. */
function cell(written: string | undefined): string {
  return (written ?? '').replace(/^'(?=[=+\-@])/, '').toWellFormed();
}

/** A name as it is kept: one line, of bounded length, without the address of a page. */
function nameOf(written: string | undefined): string | null {
  const line = cell(written).replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ');
  return withoutAddress(line.trim().slice(0, NAME_LENGTH).trim().toWellFormed()) || null;
}
