import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { dayOf, startOf, type Day } from './day.js';
import { activityDay, flowCounts, isCounted } from './roll-up-flows.js';
import { presentStocks } from './roll-up-stocks.js';
import { dense, nothing, type DayFigures, type Stocks } from './series.js';

/** Whose days: all zones of an owner, or one of them. */
export interface Subject {
  readonly ownerId: number;
  readonly zoneId?: number;
}

/** How far the roll-ups reach: what was recorded since is counted with the question, so that answers are of this moment. */
export const reached: RawBuilder<Date> = sql<Date>`
  coalesce((select through from roll_ups where name = 'activity'), 'epoch'::timestamptz)`;

const unknown: Stocks = { zones: null, files: null, members: null, storage: null };
const none: Stocks = { zones: 0, files: 0, members: 0, storage: 0 };

interface Known {
  readonly rows: DayFigures[];
  readonly before: Stocks | null;
  readonly present: Stocks;
  readonly since: Date;
  readonly downloads: number;
}

/** The figures of an owner's days: those added up, and what has been recorded since. */
@Injectable()
export class OwnerDaysService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Every day from the first to the last.
   * @returns also the downloads of all time
   */
  async of(subject: Subject, first: Day, last: Day): Promise<{ days: DayFigures[]; downloads: number }> {
    const { rows, before, present, since, downloads } = await this.read(subject, first, last);
    // Who came later had nothing before.
    const wasNotThere = since >= startOf(first);
    const today = dayOf(this.clock.now());
    const known = [...rows, { ...(rows.find(({ day }) => day === today) ?? nothing), ...present, day: today }];
    return { days: dense(known, first, last, before ?? (wasNotThere ? none : unknown)), downloads };
  }

  /** The day on which the owner's account, or the zone, was made: nothing is known of an earlier one. */
  async beginOf({ ownerId, zoneId }: Subject): Promise<Day> {
    const { rows } = await sql<{ since: Date }>`
      select created_at as since from ${zoneId === undefined ? sql`users` : sql`zones`} where id = ${zoneId ?? ownerId}`.execute(
      this.em.getKysely(),
    );
    return dayOf(new Date(rows[0]!.since));
  }

  private async read(subject: Subject, first: Day, last: Day): Promise<Known> {
    const { zoneId, ownerId } = subject;
    const [rolled, parents, id] =
      zoneId === undefined ? [sql`owner_day`, sql`users`, ownerId] : [sql`zone_day`, sql`zones`, zoneId];
    const key = zoneId === undefined ? sql.ref('owner_id') : sql.ref('zone_id');
    const stocks = zoneId === undefined ? ['zones', 'files', 'members', 'bytes'] : ['bytes'];
    const asJson = sql.join(
      stocks.map((name) => sql`${sql.lit(name === 'bytes' ? 'storage' : name)}, ${sql.ref(name)}`),
    );
    const { rows } = await sql<Row>`
      with recent as (
        select ${activityDay} as day, ${flowCounts} from activity
        where owner_id = ${ownerId} and ${zoneId === undefined ? sql`true` : sql`zone_id = ${zoneId}`}
          and created_at >= ${reached} and ${isCounted} group by 1
      ), rolled as (
        select * from ${rolled} where ${key} = ${id} and day between ${first}::date and ${last}::date
      )
      select (select created_at from ${parents} where id = ${id}) as since,
        (select coalesce(sum(downloads), 0) from ${rolled} where ${key} = ${id})::int
          + (select coalesce(sum(downloads), 0) from recent)::int as downloads,
        (select jsonb_build_object(${asJson}) from ${rolled}
          where ${key} = ${id} and day < ${first}::date and ${sql.ref(stocks[0]!)} is not null
          order by day desc limit 1) as before,
        (select jsonb_build_object(${asJson}) from (${presentStocks(subject)}) present) as present,
        (select coalesce(jsonb_agg(jsonb_build_object('day', day, 'views', coalesce(w.views, 0) + coalesce(r.views, 0),
            'downloads', coalesce(w.downloads, 0) + coalesce(r.downloads, 0),
            'joins', coalesce(w.joins, 0) + coalesce(r.joins, 0),
            'leaves', coalesce(w.leaves, 0) + coalesce(r.leaves, 0), ${asJson}) order by day), '[]')
          from rolled w full join recent r using (day)
          where day between ${first}::date and ${last}::date) as rows`.execute(this.em.getKysely());
    const row = rows[0]!;
    return {
      ...row,
      rows: row.rows.map((one) => ({ ...unknown, ...one })),
      since: new Date(row.since),
      before: row.before && { ...unknown, ...row.before },
      present: { ...unknown, ...row.present },
    };
  }
}

interface Row {
  readonly since: Date;
  readonly downloads: number;
  readonly before: Partial<Stocks> | null;
  readonly present: Partial<Stocks>;
  readonly rows: DayFigures[];
}
