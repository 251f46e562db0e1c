import { freezeList } from '../../../platform/constants/freeze-list.js';

/** Delimiters that spreadsheets use. */
const DELIMITERS = freezeList([',', ';', '\t']);

export interface CsvText {
  readonly text: string;
  readonly delimiter: string;
  /** Number of lines before the first record: a spreadsheet's `sep=;` hint. */
  readonly skippedLines: number;
}

/**
 * Decodes a CSV file. Detects UTF-8 and UTF-16 (by the byte order mark or a zero byte in the first character);
 * otherwise uses Windows-1254, the default of Turkish spreadsheets, which includes Western European letters.
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

/** Returns the delimiter that occurs most often outside quotes in the first non-blank line. */
function detectDelimiter(text: string): string {
  const line = /^\s*(.*)/.exec(text.slice(0, 10_000))![1]!.replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}
