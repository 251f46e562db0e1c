import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { FileReaderSchema, PageReadSchema, ReaderBatchesSchema } from '../entities/reading.entity.js';
import type { PageTime } from './reading.policy.js';

type Tables = typeof FileReaderSchema | typeof PageReadSchema | typeof ReaderBatchesSchema;

/** A user and one content of a file. */
export interface ReaderKey {
  readonly fileId: number;
  readonly version: number;
  readonly userId: number;
}

/** The latest batches of a user. */
export interface RecentBatches {
  /** When the last one was received; null if there was none. */
  readonly lastAt: Date | null;
  /** Oldest first. */
  readonly ids: readonly string[];
}

/** What a batch adds to the record of a reader. */
export interface RecordedBatch {
  readonly zoneId: number;
  readonly at: Date;
  readonly reads: readonly (PageTime & { readonly isFirst: boolean })[];
  /** All pages that the reader has read, as in `PageSet`. */
  readonly pagesHex: string;
}

/** Stores what members read, and rolls it up by page and day. */
@Injectable()
export class ReadingRepository {
  constructor(private readonly em: EntityManager) {}

  /**
   * Locks and returns the latest batches of a user until the commit; null if the account was deleted meanwhile. Locks
   * the account first, like its deletion.
   */
  async lockRecentBatches(em: EntityManager, userId: number): Promise<RecentBatches | null> {
    const { rows } = await sql<RecentBatches>`
      insert into reader_batches (user_id, recent_ids)
      select id, '{}'::uuid[] from users where id = ${userId} for key share
      on conflict (user_id) do update set user_id = excluded.user_id
      returning last_at as "lastAt", recent_ids::text[] as ids`.execute(query<Tables>(em));
    return rows[0] ?? null;
  }

  async saveRecentBatches(em: EntityManager, userId: number, { lastAt, ids }: RecentBatches): Promise<void> {
    await sql`
      update reader_batches set last_at = ${lastAt}::timestamptz, recent_ids = ${[...ids]}::uuid[]
      where user_id = ${userId}`.execute(query<Tables>(em));
  }

  /** Returns the pages that the user has read, as in `PageSet`; empty without any. */
  async findPagesHex(em: EntityManager, { fileId, version, userId }: ReaderKey): Promise<string> {
    const { rows } = await sql<{ pages: string }>`
      select encode(pages, 'hex') as pages from file_readers
      where file_id = ${fileId} and version = ${version} and user_id = ${userId}`.execute(query<Tables>(em));
    return rows[0]?.pages ?? '';
  }

  /**
   * Adds a batch with at least one read to the record of the reader. Stores nothing if the file is being deleted
   * permanently. The caller holds the lock of `lockRecentBatches`.
   */
  async addReads(em: EntityManager, { fileId, version, userId }: ReaderKey, batch: RecordedBatch): Promise<void> {
    const { zoneId, at, reads, pagesHex } = batch;
    const total = reads.reduce((sum, { ms }) => sum + ms, 0);
    const added = reads.filter(({ isFirst }) => isFirst).length;
    await sql`
      with file as (
        select id from files where id = ${fileId} for key share
      ), reader as (
        insert into file_readers as r (
          file_id, version, user_id, zone_id, first_at, last_at, ms, pages, pages_read, last_page)
        select id, ${version}::int, ${userId}::bigint, ${zoneId}::bigint, ${at}::timestamptz, ${at}::timestamptz,
          ${total}::bigint, decode(${pagesHex}, 'hex'), ${added}::int, ${reads.at(-1)!.page}::int
        from file
        on conflict (file_id, version, user_id) do update set last_at = greatest(r.last_at, excluded.last_at),
          ms = r.ms + excluded.ms, pages = excluded.pages, pages_read = r.pages_read + excluded.pages_read,
          last_page = excluded.last_page
        returning file_id, version, user_id
      )
      insert into page_reads (created_at, file_id, version, user_id, page, ms, is_first)
      select ${at}::timestamptz, file_id, version, user_id, page, ms, is_first
      from reader cross join unnest(
        ${reads.map(({ page }) => page)}::int[], ${reads.map(({ ms }) => ms)}::int[],
        ${reads.map(({ isFirst }) => isFirst)}::boolean[]) as n(page, ms, is_first)`.execute(query<Tables>(em));
  }

  /**
   * Writes full values by page and day for the files and days (UTC) with reads in a range of time. Idempotent, so ranges
   * may overlap. Files that are being deleted permanently are left out.
   */
  async rollUpDays(em: EntityManager, from: Date, until: Date): Promise<void> {
    await sql`
      with changed as (
        select distinct file_id, (created_at at time zone 'UTC')::date as day from page_reads
        where created_at >= ${from} and created_at < ${until}
      ), standing as (
        select id from files where id in (select file_id from changed) order by id for key share
      ), reads as materialized (
        select r.file_id, c.day, r.version, r.page, r.user_id, r.ms, r.is_first
        from changed c join standing s on s.id = c.file_id
        join page_reads r on r.file_id = c.file_id and r.created_at >= c.day::timestamp at time zone 'UTC'
          and r.created_at < (c.day + 1)::timestamp at time zone 'UTC'
      ), days_written as (
        insert into file_reading_day (file_id, day, readers, ms)
        select file_id, day, count(distinct user_id), sum(ms) from reads group by 1, 2 order by 1, 2
        on conflict (file_id, day) do update set readers = excluded.readers, ms = excluded.ms
      )
      insert into file_page_day (file_id, version, page, day, readers, ms)
      select file_id, version, page, day, count(*) filter (where is_first), sum(ms)
      from reads group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (file_id, version, page, day) do update set readers = excluded.readers, ms = excluded.ms`.execute(
      query<Tables>(em),
    );
  }
}
