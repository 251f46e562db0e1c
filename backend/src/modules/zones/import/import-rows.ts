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

/** One record of the file; `email` is normalised. */
export interface ImportRow {
  /** Line of the file on which the record starts; the first line is 1. */
  readonly row: number;
  /** Number of the record, counting the header; equals the line number unless a field contains line breaks. */
  readonly record: number;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** Names that were truncated because they were too long. */
  readonly cut: readonly TruncatedName[];
}

export type TruncatedName = 'firstName' | 'lastName';

interface Columns {
  readonly email: number;
  readonly firstName: number;
  readonly lastName: number;
}

/** Accepted column headers, normalised and without spaces, hyphens and underscores. */
const headings: Record<keyof Columns, string[]> = {
  email: ['email', 'eposta', 'emailaddress', 'epostaadresi', 'mail', 'email1value'],
  firstName: ['firstname', 'name', 'givenname', 'ad', 'adi', 'isim'],
  lastName: ['lastname', 'surname', 'familyname', 'soyad', 'soyadi'],
};

/**
 * Yields the rows of a file. If the first line starts with an email address, there is no header and the columns are
 * email, first name and last name.
 * @throws IMPORT_NO_EMAIL_COLUMN; IMPORT_UNREADABLE with record and line; IMPORT_TOO_LARGE after `MAX_ROWS`
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

/** Cleans a cell. An apostrophe before a formula character, as in our own exports, is removed. */
function cleanCell(written: string | undefined): string {
  return (written ?? '').replace(/^'(?=[=+\-@])/, '').toWellFormed();
}

/** Normalises a name: a single line of limited length, without URLs. */
function toName(written: string | undefined): { name: string | null; isCut: boolean } {
  const line = cleanCell(written)
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
  const cut = truncateText(line, NAME_LENGTH);
  return { name: removeUrlsIfAny(cut.trim()) || null, isCut: cut !== line };
}
