import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, MINUTE } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { defineJob, LONG_STATEMENT_LIMIT, type JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { addDays, utcDayOf, utcStartOf, type Day } from '../day.js';
import type { DirtyDaySchema, RollUpSchema } from '../entities/roll-ups.entity.js';
import { addCounters, writeCounters, writePlatformCounters, type Span } from '../shared/roll-up-counters.js';
import { writeOwnerGauges, writePlatformGauges, writeZoneGauges } from '../shared/roll-up-gauges.js';

/** Rolls up the activity by zone, by owner and for the whole installation. */
export const rollUp = defineJob('insights.roll-up', {
  queue: 'clock',
  cron: '* * * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Newer records are counted at query time, because their transactions may not have committed yet. */
const SETTLE_DELAY = MINUTE;
/** Days per statement when catching up. */
const DAYS_PER_BATCH = 31;
/** How often the last two days are recounted, in milliseconds. */
const RECOUNT_INTERVAL = 10 * MINUTE;
const NEVER = utcStartOf('1970-01-01');

/**
 * Rolls up `activity` by day (UTC) and by quarter of an hour for zones, owners and the platform (`zone_day`,
 * `zone_quarter` and so on). Every minute adds what was recorded since the last run. Every ten minutes, and for days
 * with late records, full values are written. The position advances in the same transaction, so a run may be
 * interrupted, or done by two workers concurrently.
 */
@Injectable()
export class RollUpService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** @param signal aborted when the worker stops; the next run continues */
  async runRollUp(signal?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const steps = (await this.findDirtyDays()).map(
      (day) => () =>
        this.withRollUpLock((em, from) => this.recountDirtyDay(em, { first: day, last: day, through: from })),
    );
    // A day that can't be recounted must not delay today's statistics.
    await forEachIsolated([...steps, () => this.catchUp(now, signal)], (step) => step(), signal);
  }

  private async catchUp(now: Date, signal?: AbortSignal): Promise<void> {
    if (isRecountDue(await this.getState('recount'), now)) await this.recountRecentDays(now, signal);
    else await this.withRollUpLock((em, from) => this.addNewRecords(em, from, now));
  }

  /** After a permanent failure, the job of the next minute catches up. */
  @OnJob(rollUp)
  onRollUpDue(_payload: object, { signal }: JobContext): Promise<void> {
    return this.runRollUp(signal);
  }

  /** Counts the days that were never counted completely, then yesterday and today, and writes the gauges. */
  private async recountRecentDays(now: Date, signal?: AbortSignal): Promise<void> {
    const [recent, today] = [addDays(utcDayOf(now), -1), utcDayOf(now)];
    for (let first = await this.findFirstUncounted(recent); first < recent; first = addDays(first, DAYS_PER_BATCH)) {
      signal?.throwIfAborted();
      const last = [addDays(first, DAYS_PER_BATCH - 1), addDays(recent, -1)].sort()[0]!;
      await this.withRollUpLock(async (em, from) => {
        const through = laterOf(from, utcStartOf(addDays(last, 1)));
        await this.writeSpan(em, { first, last, through });
        await this.setState(em, 'activity', through);
      });
    }
    signal?.throwIfAborted();
    await this.withRollUpLock(async (em, from) => {
      const through = laterOf(from, addMilliseconds(now, -SETTLE_DELAY));
      await this.writeSpan(em, { first: recent, last: today, through });
      await writeZoneGauges(em, now);
      await writeOwnerGauges(em, now);
      await writePlatformGauges(em, now);
      await this.setState(em, 'activity', through);
      await this.setState(em, 'recount', now);
    });
  }

  private async addNewRecords(em: EntityManager, from: Date, now: Date): Promise<void> {
    const through = addMilliseconds(now, -SETTLE_DELAY);
    if (through <= from) return;
    await addCounters(em, from, through);
    await this.setState(em, 'activity', through);
  }

  /** Deletes the mark first, so that records that arrive later mark the day again. */
  private async recountDirtyDay(em: EntityManager, span: Span): Promise<void> {
    await sql`delete from dirty_days where day = ${span.first}::date`.execute(query<typeof DirtyDaySchema>(em));
    await this.writeSpan(em, span);
  }

  private async writeSpan(em: EntityManager, span: Span): Promise<void> {
    for (const unit of ['day', 'quarter'] as const) {
      await writeCounters(unit, em, 'zone', span);
      await writeCounters(unit, em, 'owner', span);
      await writePlatformCounters(unit, em, span);
    }
  }

  /**
   * Serialises writes, so that an older count never overwrites a newer one. Passes the current position to the
   * callback.
   */
  private withRollUpLock(callback: (em: EntityManager, from: Date) => Promise<void>): Promise<void> {
    return inTransaction(this.em.fork(), async (em) => {
      const db = query<typeof RollUpSchema>(em);
      await db
        .insertInto('roll_ups')
        .values({ name: 'activity', through: NEVER })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const row = await db
        .selectFrom('roll_ups')
        .select('through')
        .where('name', '=', 'activity')
        .forUpdate()
        .executeTakeFirstOrThrow();
      await callback(em, new Date(row.through));
    });
  }

  private async findDirtyDays(): Promise<Day[]> {
    const { rows } = await sql<{ day: Day }>`select day::text from dirty_days order by day`.execute(
      query<typeof DirtyDaySchema>(this.em.fork()),
    );
    return rows.map(({ day }) => day);
  }

  private async getState(name: 'activity' | 'recount'): Promise<Date> {
    const row = await query<typeof RollUpSchema>(this.em.fork())
      .selectFrom('roll_ups')
      .select('through')
      .where('name', '=', name)
      .executeTakeFirst();
    return row ? new Date(row.through) : NEVER;
  }

  private async setState(em: EntityManager, name: 'activity' | 'recount', through: Date): Promise<void> {
    await query<typeof RollUpSchema>(em)
      .insertInto('roll_ups')
      .values({ name, through })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ through }))
      .execute();
  }

  /**
   * Returns the first day not completely counted; at first the day of the oldest record. @param recent used without
   * records
   */
  private async findFirstUncounted(recent: Day): Promise<Day> {
    const through = await this.getState('activity');
    if (through > NEVER) return utcDayOf(through);
    const { rows } = await sql<{ day: Day | null }>`
      select (min(created_at at time zone 'UTC')::date)::text as day from activity`.execute(this.em.fork().getKysely());
    return rows[0]!.day ?? recent;
  }
}

/** Returns true on each new day, and in the last minute of every ten, and so also in the last minute of a day. */
function isRecountDue(last: Date, now: Date): boolean {
  const slotOf = (at: Date) => Math.floor(addMilliseconds(at, MINUTE).getTime() / RECOUNT_INTERVAL);
  return utcDayOf(last) !== utcDayOf(now) || slotOf(last) !== slotOf(now);
}

const laterOf = (a: Date, b: Date): Date => (a > b ? a : b);
