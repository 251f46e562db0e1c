import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { dayInTimeZone, type Day } from './day.js';
import { counterColumnsSql, counters, isCountedSql } from './shared/roll-up-counters.js';
import { currentGaugesSql } from './shared/roll-up-gauges.js';
import { dayBoundsSql, rowDaySql, countersBetweenSql, type TimeZoneDays } from './time-zone-days.js';
import { fillMissingDays, zeroCounters, type DayFigures, type Gauges } from './series.js';

/** The subject of statistics: all zones of an owner, or one of them. */
export interface AnalyticsSubject {
  readonly ownerId: number;
  readonly zoneId?: number;
}

/** How far the roll-ups reach. What was recorded since is counted at query time, so that results are current. */
export const rolledUpUntilSql: RawBuilder<Date> = sql<Date>`
  coalesce((select through from roll_ups where name = 'activity'), 'epoch'::timestamptz)`;

const unknownGauges: Gauges = { zones: null, files: null, members: null, storage: null };
const zeroGauges: Gauges = { zones: 0, files: 0, members: 0, storage: 0 };

interface DaysResult {
  readonly rows: DayFigures[];
  readonly before: Gauges | null;
  readonly present: Gauges;
  /** Whether the account or the zone was created within the range or later. */
  readonly isNew: boolean;
  readonly downloads: number;
}

/** Daily statistics of an owner: roll-ups, plus what has been recorded since. */
@Injectable()
export class OwnerDaysService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns every day of the range in its time zone.
   * @returns also the downloads of all time
   */
  async getDays(subject: AnalyticsSubject, range: TimeZoneDays): Promise<{ days: DayFigures[]; downloads: number }> {
    const { rows, before, present, isNew, downloads } = await this.fetchDays(subject, range);
    const { first, last, timeZone } = range;
    const today = dayInTimeZone(this.clock.now(), timeZone);
    const known = [...rows, { ...(rows.find(({ day }) => day === today) ?? zeroCounters), ...present, day: today }];
    // A new account or zone had nothing before.
    return { days: fillMissingDays(known, first, last, before ?? (isNew ? zeroGauges : unknownGauges)), downloads };
  }

  /** Returns the day on which the owner's account, or the zone, was created; there is no earlier data. */
  async getFirstDay({ ownerId, zoneId }: AnalyticsSubject, timeZone: string): Promise<Day> {
    const { rows } = await sql<{ since: Date }>`
      select created_at as since from ${zoneId === undefined ? sql`users` : sql`zones`} where id = ${zoneId ?? ownerId}`.execute(
      this.em.getKysely(),
    );
    return dayInTimeZone(new Date(rows[0]!.since), timeZone);
  }

  private async fetchDays(subject: AnalyticsSubject, range: TimeZoneDays): Promise<DaysResult> {
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
        (${daysJsonSql(subjectKind, id)}) as rows`.execute(this.em.getKysely());
    const row = rows[0]!;
    return {
      ...row,
      rows: row.rows.map((day) => ({ ...unknownGauges, ...day })),
      before: row.before && { ...unknownGauges, ...row.before },
      present: { ...unknownGauges, ...row.present },
    };
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
