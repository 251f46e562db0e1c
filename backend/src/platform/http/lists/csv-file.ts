import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { csvLine } from '../../text/csv.js';

/** Tells spreadsheets that the bytes are UTF-8. */
const MARK = '\ufeff';

type Cell = Parameters<typeof csvLine>[0][number];
/** The name of each column, and how its cell is read from a row. */
export type Columns<R> = Record<string, (row: R) => Cell>;

/** Columns that show a field of the row as it is, under its own name. */
export const plainColumns = <K extends string>(...names: K[]): Columns<Readonly<Record<K, Cell>>> =>
  Object.fromEntries(names.map((name) => [name, (row: Readonly<Record<K, Cell>>) => row[name]]));

/**
 * Rows as a CSV file, streamed, so that memory does not grow with their number. Cells that a spreadsheet would run as a
 * formula are made harmless. A fault among the rows ends the connection, so that nobody takes a part for the whole.
 * @param name of the file, without its ending
 */
export function csvFile<R>(name: string, columns: Columns<R>, rows: AsyncIterable<R> | Iterable<R>): StreamableFile {
  return new StreamableFile(Readable.from(lines(columns, rows)), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${name}.csv"`,
  });
}

async function* lines<R>(columns: Columns<R>, rows: AsyncIterable<R> | Iterable<R>): AsyncGenerator<string> {
  yield MARK + csvLine(Object.keys(columns));
  const cells = Object.values(columns);
  for await (const row of rows) yield csvLine(cells.map((cell) => cell(row)));
}
