import { isValidEmail, normaliseEmail } from '../../../platform/http/parsing/fields.js';
import { normaliseForSearch } from '../../../platform/text/normalise-for-search.js';
import { truncateText } from '../../../platform/text/graphemes.js';
import { removeUrlsIfAny } from '../../../platform/text/plain-name.js';
import { CsvParseError, parseCsvRecords } from './csv-records.js';
import type { CsvText } from './csv-text.js';
import { importErrors } from '../zones.errors.js';

export const MAX_ROWS = 50_000;
const NAME_LENGTH = 50;
const EMAIL_LENGTH = 320;

/** One record of the file; `email` in the form in which addresses are kept. */
export interface ImportRow {
  /** The line of the file at which it begins, the first being 1. */
  readonly row: number;
  /** Its number among the records, headings included; the same as the line while no field has line breaks. */
  readonly record: number;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** Names that were too long and have been cut. */
  readonly cut: readonly TruncatedName[];
}

export type TruncatedName = 'firstName' | 'lastName';

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
 * @throws IMPORT_NO_EMAIL_COLUMN, IMPORT_UNREADABLE with the record and the line, IMPORT_TOO_LARGE after `MAX_ROWS`
 */
export async function* parseImportRows({ text, delimiter, skippedLines }: CsvText): AsyncGenerator<ImportRow> {
  let columns: Columns | null = null;
  let count = 0;
  try {
    for await (const { fields, record, line } of parseCsvRecords(text, delimiter)) {
      if (fields.every((field) => field === '')) continue;
      if (columns === null) {
        columns = detectColumns(fields);
        if (!isValidEmail(normaliseEmail(fields[0] ?? ''))) continue;
      }
      if (++count > MAX_ROWS) throw importErrors.IMPORT_TOO_LARGE();
      yield { ...toImportRow(fields, columns), record, row: line + skippedLines };
    }
  } catch (error) {
    if (!(error instanceof CsvParseError)) throw error;
    const { reason, record, line } = error;
    throw importErrors.IMPORT_UNREADABLE({ reason, record, line: line + skippedLines });
  }
  if (columns === null) throw importErrors.IMPORT_NO_EMAIL_COLUMN();
}

function detectColumns(first: string[]): Columns {
  if (isValidEmail(normaliseEmail(first[0] ?? ''))) return { email: 0, firstName: 1, lastName: 2 };
  const names = first.map((name) => normaliseForSearch(name).replace(/[\s_-]/g, ''));
  const find = (column: keyof Columns) => names.findIndex((name) => headings[column].includes(name));
  const columns = { email: find('email'), firstName: find('firstName'), lastName: find('lastName') };
  if (columns.email < 0) throw importErrors.IMPORT_NO_EMAIL_COLUMN();
  return columns;
}

function toImportRow(fields: string[], { email, firstName, lastName }: Columns): Omit<ImportRow, 'row' | 'record'> {
  const written = cleanCell(fields[email]);
  const address = normaliseEmail(written);
  const names = { firstName: toName(fields[firstName]), lastName: toName(fields[lastName]) };
  return {
    email: truncateText(isValidEmail(address) ? address : written, EMAIL_LENGTH),
    firstName: names.firstName.name,
    lastName: names.lastName.name,
    cut: (['firstName', 'lastName'] as const).filter((name) => names[name].isCut),
  };
}

/** A cell as somebody wrote it: an apostrophe before a formula, which our own files have, is no part of it. */
function cleanCell(written: string | undefined): string {
  return (written ?? '').replace(/^'(?=[=+\-@])/, '').toWellFormed();
}

/** A name as it is kept: one line, of bounded length, without the address of a page. */
function toName(written: string | undefined): { name: string | null; isCut: boolean } {
  const line = cleanCell(written)
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
  const cut = truncateText(line, NAME_LENGTH);
  return { name: removeUrlsIfAny(cut.trim()) || null, isCut: cut !== line };
}
