import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { csvLine } from '../../text/csv.js';

/** Tells spreadsheets that the bytes are UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

type Cell = Parameters<typeof csvLine>[0][number];
/** The name of each column, and how its cell is read from a row. */
export type CsvColumns<R> = Record<string, (row: R) => Cell>;

/** Columns that show a field of the row as it is, under its own name. */
export const fieldColumns = <K extends string>(...names: K[]): CsvColumns<Readonly<Record<K, Cell>>> =>
  Object.fromEntries(names.map((name) => [name, (row: Readonly<Record<K, Cell>>) => row[name]]));

/**
 * Rows as a CSV file, streamed, so that memory does not grow with their number. Cells that a spreadsheet would run as a
 * formula are made harmless. A fault among the rows ends the connection, so that nobody takes a part for the whole.
 * @param name of the file, without its ending
 */
export function streamCsvFile<R>(
  name: string,
  columns: CsvColumns<R>,
  rows: AsyncIterable<R> | Iterable<R>,
): StreamableFile {
  return new StreamableFile(Readable.from(csvLines(columns, rows)), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${name}.csv"`,
  });
}

async function* csvLines<R>(columns: CsvColumns<R>, rows: AsyncIterable<R> | Iterable<R>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(Object.keys(columns));
  const cells = Object.values(columns);
  for await (const row of rows) yield csvLine(cells.map((cell) => cell(row)));
}
