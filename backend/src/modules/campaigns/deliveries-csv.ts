import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { DeliveryDto } from './dto/report.dto.js';

const COLUMNS = ['email', 'firstName', 'lastName', 'state', 'sentAt', 'openedAt', 'clickedAt', 'smtpCode', 'reason'];

/**
 * Recipients as UTF-8 CSV with a mark by which spreadsheets know it, written as they are read. A cell that a spreadsheet
 * would run as a formula gets an apostrophe before it.
 */
export function deliveriesAsCsv(rows: AsyncIterable<DeliveryDto>): Readable {
  const options = { header: true, columns: COLUMNS, bom: true, escape_formulas: true, record_delimiter: 'windows' };
  const file = stringify(options);
  const cells = Readable.from(cellsOf(rows));
  cells.on('error', (error) => file.destroy(error));
  return cells.pipe(file);
}

async function* cellsOf(rows: AsyncIterable<DeliveryDto>): AsyncGenerator<string[]> {
  const time = (at: Date | null): string => at?.toISOString() ?? '';
  for await (const row of rows) {
    const lastName = row.lastName === '.' ? '' : (row.lastName ?? '');
    const who = [row.email ?? '', row.firstName ?? '', lastName, row.state];
    const when = [time(row.sentAt), time(row.openedAt), time(row.clickedAt)];
    yield [...who, ...when, String(row.smtpCode ?? ''), row.reason ?? ''];
  }
}
