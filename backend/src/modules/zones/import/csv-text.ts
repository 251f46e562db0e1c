import { freezeList } from '../../../platform/constants/freeze-list.js';

/** Delimiters that spreadsheets write. */
const DELIMITERS = freezeList([',', ';', '\t']);

export interface CsvText {
  readonly text: string;
  readonly delimiter: string;
  /** Lines before the first record: the hint `sep=;` of a spreadsheet. */
  readonly skippedLines: number;
}

/**
 * The text of a CSV file: UTF-8 or UTF-16 where the bytes say so (by their mark, or by the empty half of their first
 * letter), else Turkish Windows (1254), which a Turkish spreadsheet writes by default and which contains Western European
 * letters as well.
 */
export function readCsvText(bytes: Buffer): CsvText {
  const text = decode(bytes);
  const hint = /^sep=([,;\t])\r?\n/i.exec(text);
  if (hint) return { text: text.slice(hint[0].length), delimiter: hint[1]!, skippedLines: 1 };
  return { text, delimiter: detectDelimiter(text), skippedLines: 0 };
}

function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) return new TextDecoder('utf-16le').decode(bytes);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second)) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1254').decode(bytes);
  }
}

/** The one that stands most often in the first line that has something, outside quotes. */
function detectDelimiter(text: string): string {
  const line = /^\s*(.*)/.exec(text.slice(0, 10_000))![1]!.replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}
