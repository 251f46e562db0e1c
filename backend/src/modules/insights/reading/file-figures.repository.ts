import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { DayRange } from '../analytics-range.js';
import type { ReadFileDto, UnopenedFileDto } from '../dto/analytics.dto.js';
import type { AnalyticsSubject } from '../owner-statistics.repository.js';

/** Length of each list. */
const SHOWN_FILES = 20;

/** Compares the files of an owner's zones, or of one of them. The caller must have checked that it is their zone. */
@Injectable()
export class FileFiguresRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns the files on which members spent the most time in a range of days (UTC), most time first. */
  async listMostRead(subject: AnalyticsSubject, { first, last }: DayRange): Promise<ReadFileDto[]> {
    const { rows } = await sql<ReadFileDto>`
      with most_read as (
        select f.id, f.version, f.original_name, f.zone_id, sum(d.ms)::bigint as ms
        from files f join file_reading_day d on d.file_id = f.id
        where ${isOwnFileSql(subject)} and d.day between ${first}::date and ${last}::date
        group by f.id order by ms desc, f.id limit ${SHOWN_FILES}
      )
      select m.id, m.original_name as name, m.zone_id as "zoneId", z.name as "zoneName", m.ms,
        (select count(*)::int from file_readers r where r.file_id = m.id and r.version = m.version) as readers,
        coalesce(s.views, 0) as views, coalesce(s.downloads, 0) as downloads
      from most_read m join zones z on z.id = m.zone_id left join file_stats s on s.file_id = m.id
      order by m.ms desc, m.id`.execute(query(this.em));
    return rows;
  }

  /** Returns the latest files that nobody has opened or downloaded, and how many there are. */
  async listUnopened(subject: AnalyticsSubject): Promise<{ files: UnopenedFileDto[]; count: number }> {
    const { rows } = await sql<UnopenedFileDto & { count: number }>`
      select f.id, f.original_name as name, f.zone_id as "zoneId", z.name as "zoneName", f.created_at as "createdAt",
        count(*) over ()::int as count
      from files f join zones z on z.id = f.zone_id left join file_stats s on s.file_id = f.id
      where ${isOwnFileSql(subject)} and coalesce(s.views + s.downloads, 0) = 0
      order by f.created_at desc, f.id desc limit ${SHOWN_FILES}`.execute(query(this.em));
    return { files: rows.map(({ count: _, ...file }) => file), count: rows[0]?.count ?? 0 };
  }
}

/** SQL condition on a row `f` of `files`. */
function isOwnFileSql({ ownerId, zoneId }: AnalyticsSubject): RawBuilder<boolean> {
  const zones =
    zoneId === undefined
      ? sql`f.zone_id in (select id from zones where owner_id = ${ownerId} and deleted_at is null)`
      : sql`f.zone_id = ${zoneId}`;
  return sql<boolean>`f.trashed_at is null and ${zones}`;
}
