import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { csvLine } from '../../text/csv.js';

/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

type Cell = Parameters<typeof csvLine>[0][number];
/** Column names, and how to read each cell from a row. */
export type CsvColumns<R> = Record<string, (row: R) => Cell>;

/** Columns that contain fields of the row unchanged, under their own names. */
export const fieldColumns = <K extends string>(...names: K[]): CsvColumns<Readonly<Record<K, Cell>>> =>
  Object.fromEntries(names.map((name) => [name, (row: Readonly<Record<K, Cell>>) => row[name]]));

/**
 * Streams rows as a CSV file, so that memory use doesn't depend on their number. Cells that a spreadsheet would run as
 * a formula are escaped. If reading the rows fails, the connection is closed, so that a partial file isn't taken for
 * complete.
 * @param name file name without the extension
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
