import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../platform/database/query.js';
import { addDays } from './day.js';
import type { ZoneFiguresDto } from './dto/analytics.dto.js';
import type { DayFigures, Gauges } from './series.js';
import { counterColumnsSql, counters, isCountedSql, rolledUpUntilSql } from './shared/roll-up-counters.sql.js';
import { currentGaugesSql } from './shared/roll-up-gauges.sql.js';
import {
  countersBetweenSql,
  dayBoundsSql,
  dayStartSql,
  rowDaySql,
  type TimeZoneDays,
} from './shared/time-zone-days.sql.js';

/** The subject of statistics: all zones of an owner, or one of them. */
export interface AnalyticsSubject {
  readonly ownerId: number;
  readonly zoneId?: number;
}

export const unknownGauges: Gauges = { zones: null, files: null, members: null, storage: null };

interface DaysResult {
  readonly rows: DayFigures[];
  readonly before: Gauges | null;
  readonly present: Gauges;
  /** Whether the account or the zone was created within the range or later. */
  readonly isNew: boolean;
  /** Of all time. */
  readonly downloads: number;
}

/** Statistics of an owner's zones: roll-ups, plus what has been recorded since. */
@Injectable()
export class OwnerStatisticsRepository {
  constructor(private readonly em: EntityManager) {}

  async ownsZone(ownerId: number, zoneId: number): Promise<boolean> {
    const { rows } = await sql`
      select 1 from zones where id = ${zoneId} and owner_id = ${ownerId} and deleted_at is null`.execute(
      query(this.em),
    );
    return rows.length > 0;
  }

  /** Returns when the owner's account, or the zone, was created. */
  async getCreationTime({ ownerId, zoneId }: AnalyticsSubject): Promise<Date> {
    const { rows } = await sql<{ since: Date }>`
      select created_at as since from ${zoneId === undefined ? sql`users` : sql`zones`} where id = ${zoneId ?? ownerId}`.execute(
      query(this.em),
    );
    return new Date(rows[0]!.since);
  }

  /** Returns the days of a range that have roll-ups or records, and what the gauges were before it and are now. */
  async fetchDays(subject: AnalyticsSubject, range: TimeZoneDays): Promise<DaysResult> {
    const { zoneId, ownerId } = subject;
    const subjectKind = zoneId === undefined ? 'owner' : 'zone';
    const [key, id] = [sql.ref(`${subjectKind}_id`), zoneId ?? ownerId];
    const parents = subjectKind === 'owner' ? sql`users` : sql`zones`;
    const [rolled, quarters] = [sql.table(`${subjectKind}_day`), sql.table(`${subjectKind}_quarter`)];
    const { rows } = await sql<DaysResult>`
      with bounds as (${dayBoundsSql(range)}), recent as (
        select ${rowDaySql(range.timeZone)} as day, ${counterColumnsSql} from activity
        where owner_id = ${ownerId} and ${subjectKind === 'owner' ? sql`true` : sql`zone_id = ${zoneId}`}
          and created_at >= ${rolledUpUntilSql} and ${isCountedSql} group by 1
      )
      select (select p.created_at >= (select min(starts) from bounds) from ${parents} p where p.id = ${id}) as "isNew",
        (select coalesce(sum(downloads), 0) from ${rolled} where ${key} = ${id})::int
          + (select coalesce(sum(downloads), 0) from recent)::int as downloads,
        (select jsonb_build_object(${gaugesJsonSql(subjectKind, 'q')}) from ${quarters} q
          where q.${key} = ${id} and q.at < (select min(starts) from bounds) and q.${hasGaugesSql(subjectKind)}
          order by q.at desc limit 1) as before,
        (select jsonb_build_object(${gaugesJsonSql(subjectKind, 'present')}) from (${currentGaugesSql(subject)}) present) as present,
        (${daysJsonSql(subjectKind, id)}) as rows`.execute(query(this.em));
    const row = rows[0]!;
    return {
      ...row,
      rows: row.rows.map((day) => ({ ...unknownGauges, ...day })),
      before: row.before && { ...unknownGauges, ...row.before },
      present: { ...unknownGauges, ...row.present },
    };
  }

  /**
   * Returns the activity of the owner's zones in a range, by ascending id.
   * @param after id of the last zone of the previous page
   */
  async listZoneFigures(
    ownerId: number,
    { first, last, timeZone }: TimeZoneDays,
    { after, limit }: { after: number | string; limit: number },
  ): Promise<{ zones: ZoneFiguresDto[]; total: number }> {
    const [starts, ends] = [dayStartSql(first, timeZone), dayStartSql(addDays(last, 1), timeZone)];
    const { rows } = await sql<ZoneFiguresDto & { total: number }>`
      with page as (
        select z.id, z.name, z.description, z.type, s.files, s.members, s.bytes
        from zones z join zone_stats s on s.zone_id = z.id
        where z.owner_id = ${ownerId} and z.deleted_at is null and z.id > ${after}
        order by z.id limit ${limit}
      ), recent as (
        select zone_id, ${counterColumnsSql} from activity
        where owner_id = ${ownerId} and created_at >= ${rolledUpUntilSql} and created_at >= ${starts} and created_at < ${ends}
          and ${isCountedSql} group by zone_id
      )
      select p.id, p.name, p.description, p.type, p.files as "fileCount", p.members as "memberCount",
        p.bytes as storage, w.views + coalesce(r.views, 0) as views, w.downloads + coalesce(r.downloads, 0) as downloads,
        w.joins + coalesce(r.joins, 0) as joins, w.leaves + coalesce(r.leaves, 0) as leaves,
        (select count(*)::int from zones where owner_id = ${ownerId} and deleted_at is null) as total
      from page p cross join lateral ${countersBetweenSql('zone', sql`p.id`, [starts, ends])} w
        left join recent r on r.zone_id = p.id
      order by p.id`.execute(query(this.em));
    return { zones: rows.map(({ total: _, ...zone }) => zone), total: rows[0]?.total ?? 0 };
  }
}

type SubjectKind = 'owner' | 'zone';
const gaugeColumns = { owner: ['zones', 'files', 'members', 'bytes'], zone: ['bytes'] } as const;

/** SQL condition on a row by quarter: its gauges are known. */
const hasGaugesSql = (subjectKind: SubjectKind): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(gaugeColumns[subjectKind][0])} is not null`;

/** The gauges as key-value pairs for `jsonb_build_object`. */
const gaugesJsonSql = (subjectKind: SubjectKind, from: string): RawBuilder<unknown> =>
  sql.join(
    gaugeColumns[subjectKind].map(
      (name) => sql`${sql.lit(name === 'bytes' ? 'storage' : name)}, ${sql.ref(`${from}.${name}`)}`,
    ),
  );

/**
 * Returns the days of `bounds` as one JSON value: roll-ups plus `recent` counters, and gauges at the end of each day.
 */
function daysJsonSql(subjectKind: SubjectKind, id: number): RawBuilder<unknown> {
  const [key, quarters] = [sql.ref(`${subjectKind}_id`), sql.table(`${subjectKind}_quarter`)];
  const sums = Object.keys(counters).map(
    (name) => sql`${sql.lit(name)}, ${sql.ref(`f.${name}`)} + coalesce(${sql.ref(`r.${name}`)}, 0)`,
  );
  return sql`
    select coalesce(jsonb_agg(
      jsonb_build_object('day', b.day, ${sql.join(sums)}, ${gaugesJsonSql(subjectKind, 'k')}) order by b.day), '[]')
    from bounds b
    cross join lateral ${countersBetweenSql(subjectKind, sql`${id}::bigint`, [sql`b.starts`, sql`b.ends`])} f
    left join recent r on r.day = b.day
    left join lateral (
      select * from ${quarters} q where q.${key} = ${id} and q.at >= b.starts and q.at < b.ends and q.${hasGaugesSql(subjectKind)}
      order by q.at desc limit 1
    ) k on true`;
}
