import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { csvLine } from '../../platform/text/csv.js';
import type { FileOpeningDto, ZoneFiguresDto } from './dto/analytics.dto.js';
import type { DayFigures } from './series.js';

/** Tells spreadsheets that the bytes are UTF-8. */
const MARK = '\ufeff';

type Cells = Parameters<typeof csvLine>[0];

/** A CSV file, streamed line by line. @param name of the file, without its ending */
function csvFile(name: string, head: Cells, rows: AsyncIterable<Cells> | Iterable<Cells>): StreamableFile {
  return new StreamableFile(Readable.from(lines(head, rows)), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${name}.csv"`,
  });
}

async function* lines(head: Cells, rows: AsyncIterable<Cells> | Iterable<Cells>): AsyncGenerator<string> {
  yield MARK + csvLine(head);
  for await (const row of rows) yield csvLine(row);
}

/** One line a day (UTC). */
export function daysAsCsv(days: readonly DayFigures[]): StreamableFile {
  const head = ['day', 'views', 'downloads', 'joins', 'leaves', 'storageBytes'];
  const rows = days.map((d) => [d.day, d.views, d.downloads, d.joins, d.leaves, d.storage]);
  return csvFile(`analytics-${days[0]!.day}-${days.at(-1)!.day}`, head, rows);
}

/** One line a zone. */
export function zonesAsCsv(zones: readonly ZoneFiguresDto[]): StreamableFile {
  const head = ['id', 'name', 'description', 'type', 'files', 'members', 'storageBytes'];
  const rows = zones.map((z) => [
    ...[z.id, z.name, z.description, z.type, z.fileCount, z.memberCount, z.storage],
    ...[z.views, z.downloads, z.joins, z.leaves],
  ]);
  return csvFile('analytics-zones', [...head, 'views', 'downloads', 'joins', 'leaves'], rows);
}

/** One line a person who opened the file. */
export function openingsAsCsv(fileId: number, openings: AsyncIterable<object>): StreamableFile {
  const head = ['name', 'email', 'firstOpened', 'lastOpened', 'views', 'downloads'];
  return csvFile(`file-${fileId}-openings`, head, openingCells(openings as AsyncIterable<FileOpeningDto>));
}

async function* openingCells(openings: AsyncIterable<FileOpeningDto>): AsyncGenerator<Cells> {
  for await (const o of openings) yield [o.name, o.email, o.firstAt, o.lastAt, o.views, o.downloads];
}
