import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { readInBatches, type RowStream } from '../../../platform/database/in-batches.js';
import { query } from '../../../platform/database/query.js';
import { decodeCursor } from '../../../platform/http/lists/cursor.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { fullName } from '../../auth/entities/user.entity.js';
import type { FileReaderDto, FileReadingDto, OwnReadingDto } from '../dto/reading.dto.js';
import type { FileReaderSchema } from '../entities/reading.entity.js';
import { PageSet } from './reading.policy.js';
import type { ReaderKey } from './reading.repository.js';

/** One content of a file. */
type Content = Omit<ReaderKey, 'userId'>;

type Figures = Omit<FileReadingDto, 'version' | 'isRecorded'>;
type ReaderRow = Omit<FileReaderDto, 'name'> & {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly total: number;
};

/** Days of `Figures`. */
const SHOWN_DAYS = 90;

/** Figures about the reading of a file. The caller must have checked that the viewer may see them. */
@Injectable()
export class ReadingFiguresRepository {
  constructor(private readonly em: EntityManager) {}

  async getFigures({ fileId, version }: Content): Promise<Figures> {
    const { rows } = await sql<Figures>`
      with document as (
        select d.page_count as pages from files f
        join file_documents d on d.file_id = f.id and d.content_key = f.object_key
        where f.id = ${fileId} and f.version = ${version}
      ), readers as materialized (
        select r.ms, r.pages_read, r.last_page, d.pages
        from file_readers r left join document d on true
        where r.file_id = ${fileId} and r.version = ${version}
      ), by_page as (
        select page, sum(readers)::int as readers, sum(ms)::bigint as ms from file_page_day
        where file_id = ${fileId} and version = ${version} group by page
      ), stops as (
        select last_page as page, count(*)::int as stops from readers
        where pages is null or pages_read < pages group by last_page
      ), by_day as (
        select day, readers, ms from file_reading_day where file_id = ${fileId} order by day desc limit ${SHOWN_DAYS}
      )
      select (select pages from document) as "pageCount",
        count(*)::int as readers,
        count(*) filter (where pages_read >= pages)::int as completed,
        avg(case when pages > 0 then least(pages_read::float8 / pages, 1) end) as completion,
        coalesce(sum(ms), 0)::bigint as ms,
        (select coalesce(jsonb_agg(jsonb_build_object('page', page, 'readers', coalesce(p.readers, 0),
            'ms', coalesce(p.ms, 0), 'stops', coalesce(s.stops, 0)) order by page), '[]')
          from by_page p full join stops s using (page)) as pages,
        (select coalesce(jsonb_agg(jsonb_build_object('day', day, 'readers', d.readers, 'ms', d.ms) order by day), '[]')
          from by_day d) as days
      from readers`.execute(query<typeof FileReaderSchema>(this.em));
    return rows[0]!;
  }

  /** Returns everyone who read this content, latest first. */
  async listReaders(content: Content, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<FileReaderDto>> {
    const from = cursor ? decodeCursor(cursor, ['timestamptz', 'bigint']) : null;
    const rows = await this.fetchReaders(content, from, limit + 1);
    const page = toPage(rows, limit, rows[0]?.total ?? 0, ({ lastAt, userId }) => [lastAt.toISOString(), userId]);
    return { ...page, items: page.items.map(toDto) };
  }

  /** Streams all readers in batches. */
  async *streamReaders(content: Content): RowStream {
    const rows = readInBatches((last: ReaderRow | null, limit) =>
      this.fetchReaders(content, last && [last.lastAt.toISOString(), last.userId], limit),
    );
    for await (const row of rows) yield toDto(row);
  }

  /** Returns what is recorded about a user's reading of this content. */
  async getOwnReading({ fileId, version, userId }: ReaderKey): Promise<OwnReadingDto> {
    const { rows } = await sql<Omit<OwnReadingDto, 'pages'> & { pagesHex: string }>`
      select first_at as "firstAt", last_at as "lastAt", ms, last_page as "lastPage", encode(pages, 'hex') as "pagesHex"
      from file_readers where file_id = ${fileId} and version = ${version} and user_id = ${userId}`.execute(
      query<typeof FileReaderSchema>(this.em),
    );
    if (!rows[0]) return { firstAt: null, lastAt: null, ms: 0, lastPage: null, pages: [] };
    const { pagesHex, ...own } = rows[0];
    return { ...own, pages: PageSet.fromHex(pagesHex).toList() };
  }

  /** A member who joined several times came by the last link before they first read the file. */
  private async fetchReaders(
    { fileId, version }: Content,
    after: readonly [at: string, userId: number] | null,
    limit: number,
  ): Promise<ReaderRow[]> {
    const isAfter = after ? sql`(r.last_at, r.user_id) < (${after[0]}::timestamptz, ${after[1]}::bigint)` : sql`true`;
    const { rows } = await sql<ReaderRow>`
      select r.user_id as "userId", u.first_name as "firstName", u.last_name as "lastName", u.email,
        r.first_at as "firstAt", r.last_at as "lastAt", r.ms, r.pages_read as "pagesRead", r.last_page as "lastPage",
        l.usage_id is not null as "joinedByLink", l.link_id as "linkId", l.link_name as "linkName",
        (select count(*)::int from file_readers where file_id = ${fileId} and version = ${version}) as total
      from file_readers r join users u on u.id = r.user_id
      left join lateral (
        select g.id as usage_id, g.link_id, t.name as link_name
        from link_usages g left join temporary_links t on t.id = g.link_id
        where g.user_id = r.user_id and g.zone_id = r.zone_id and g.joined_at <= r.first_at
        order by g.joined_at desc, g.id desc limit 1
      ) l on true
      where r.file_id = ${fileId} and r.version = ${version} and ${isAfter}
      order by r.last_at desc, r.user_id desc limit ${limit}`.execute(query<typeof FileReaderSchema>(this.em));
    return rows;
  }
}

function toDto({ firstName, lastName, total: _, ...row }: ReaderRow): FileReaderDto {
  return { ...row, name: fullName({ firstName, lastName }) || null };
}
