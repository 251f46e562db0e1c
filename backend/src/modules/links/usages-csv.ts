import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { csvLine } from '../../platform/text/csv.js';
import type { UsageRow } from './link-analytics.service.js';

/** Tells spreadsheets that the bytes are UTF-8. */
const MARK = '\ufeff';
const HEAD = ['time', 'outcome', 'joinedAt', 'name', 'email', 'newUser', 'country', 'city'];

/** Streams tries to join as CSV, so that memory does not grow with their number. */
export function usagesAsCsv(rows: AsyncIterable<object>, fileName: string): StreamableFile {
  return new StreamableFile(Readable.from(linesOf(rows as AsyncIterable<UsageRow>)), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${fileName}"`,
  });
}

async function* linesOf(rows: AsyncIterable<UsageRow>): AsyncGenerator<string> {
  yield MARK + csvLine(HEAD);
  for await (const row of rows) {
    const person = row.joinedAt ? [row.userName, row.userEmail, row.wasNewUser] : [null, null, null];
    yield csvLine([row.attemptedAt, row.outcome, row.joinedAt, ...person, row.country, row.city]);
  }
}
