import type { StreamableFile } from '@nestjs/common';
import { streamCsvFile } from '../../platform/http/lists/csv-file.js';
import type { FileOpeningDto, ZoneFiguresDto } from './dto/analytics.dto.js';
import type { FileReaderDto } from './dto/reading.dto.js';
import type { DayFigures } from './series.js';

/** One line per day. */
export function createDaysCsv(days: readonly DayFigures[]): StreamableFile {
  const columns = {
    day: (row: DayFigures) => row.day,
    views: (row: DayFigures) => row.views,
    downloads: (row: DayFigures) => row.downloads,
    joins: (row: DayFigures) => row.joins,
    leaves: (row: DayFigures) => row.leaves,
    storageBytes: (row: DayFigures) => row.storage,
  };
  return streamCsvFile(`analytics-${days[0]!.day}-${days.at(-1)!.day}`, columns, days);
}

/** One line per zone. */
export function createZonesCsv(zones: readonly ZoneFiguresDto[]): StreamableFile {
  const columns = {
    id: (zone: ZoneFiguresDto) => zone.id,
    name: (zone: ZoneFiguresDto) => zone.name,
    description: (zone: ZoneFiguresDto) => zone.description,
    type: (zone: ZoneFiguresDto) => zone.type,
    files: (zone: ZoneFiguresDto) => zone.fileCount,
    members: (zone: ZoneFiguresDto) => zone.memberCount,
    storageBytes: (zone: ZoneFiguresDto) => zone.storage,
    views: (zone: ZoneFiguresDto) => zone.views,
    downloads: (zone: ZoneFiguresDto) => zone.downloads,
    joins: (zone: ZoneFiguresDto) => zone.joins,
    leaves: (zone: ZoneFiguresDto) => zone.leaves,
  };
  return streamCsvFile('analytics-zones', columns, zones);
}

/** One line per user who opened the file. */
export function createOpeningsCsv(fileId: number, openings: AsyncIterable<object>): StreamableFile {
  const columns = {
    name: (row: FileOpeningDto) => row.name,
    email: (row: FileOpeningDto) => row.email,
    firstOpened: (row: FileOpeningDto) => row.firstAt,
    lastOpened: (row: FileOpeningDto) => row.lastAt,
    views: (row: FileOpeningDto) => row.views,
    downloads: (row: FileOpeningDto) => row.downloads,
  };
  return streamCsvFile(`file-${fileId}-openings`, columns, openings as AsyncIterable<FileOpeningDto>);
}

/** One line per member who read the file. */
export function createReadersCsv(fileId: number, readers: AsyncIterable<object>): StreamableFile {
  const columns = {
    name: (row: FileReaderDto) => row.name,
    email: (row: FileReaderDto) => row.email,
    firstRead: (row: FileReaderDto) => row.firstAt,
    lastRead: (row: FileReaderDto) => row.lastAt,
    seconds: (row: FileReaderDto) => Math.round(row.ms / 1000),
    pagesRead: (row: FileReaderDto) => row.pagesRead,
    lastPage: (row: FileReaderDto) => row.lastPage,
    joinedByLink: (row: FileReaderDto) => row.joinedByLink,
    link: (row: FileReaderDto) => row.linkName,
  };
  return streamCsvFile(`file-${fileId}-readers`, columns, readers as AsyncIterable<FileReaderDto>);
}
