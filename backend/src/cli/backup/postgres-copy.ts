import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type pg from 'pg';

const NEWLINE = 0x0a;

/**
 * Runs `COPY … TO STDOUT` and passes its bytes to `take` in chunks of about `chunkBytes`, each of whole rows, waiting
 * for `take` before reading on.
 * @returns the number of rows
 */
export async function copyOut(
  client: pg.Client,
  sql: string,
  chunkBytes: number,
  take: (chunk: Buffer) => Promise<void>,
): Promise<number> {
  const rows = client.query(copyTo(sql));
  let buffered: Buffer[] = [];
  let size = 0;
  for await (const bytes of rows as AsyncIterable<Buffer>) {
    buffered.push(bytes);
    size += bytes.length;
    // A line break within a value is escaped, so this one ends a row.
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (size < chunkBytes || end === 0) continue;
    buffered[buffered.length - 1] = bytes.subarray(0, end);
    await take(Buffer.concat(buffered));
    buffered = [bytes.subarray(end)];
    size = bytes.length - end;
  }
  if (size > 0) await take(Buffer.concat(buffered));
  // The number of rows follows the data; it has arrived once the next statement is answered.
  await client.query('');
  return rows.rowCount;
}

/** Runs `COPY … FROM STDIN` with the bytes of the source. @returns the number of rows */
export async function copyIn(client: pg.Client, sql: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  const rows = client.query(copyFrom(sql));
  await pipeline(source, rows);
  return rows.rowCount;
}
