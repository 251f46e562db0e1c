import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { csvLine } from '../../platform/text/csv.js';

/** Tells spreadsheets that the bytes are UTF-8. */
const MARK = '\ufeff';

type Cell = string | number | boolean | Date | null;
/** The name of each column, and how its cell is read from a row. */
export type Columns<R> = Record<string, (row: R) => Cell>;

/**
 * Streams rows as a CSV file, so that memory does not grow with their number. Cells that a spreadsheet would run as a
 * formula are made harmless.
 */
export function csvFile<R>(name: string, columns: Columns<R>, rows: AsyncIterable<R>): StreamableFile {
  return new StreamableFile(Readable.from(lines(columns, rows)), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${name}.csv"`,
  });
}

async function* lines<R>(columns: Columns<R>, rows: AsyncIterable<R>): AsyncGenerator<string> {
  yield MARK + csvLine(Object.keys(columns));
  const cells = Object.values(columns);
  for await (const row of rows) yield csvLine(cells.map((cell) => cell(row)));
}
