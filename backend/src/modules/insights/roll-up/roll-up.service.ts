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

/** Adds up what happened a day, by zone, by owner and for the whole installation. */
export const rollUp = defineJob('insights.roll-up', {
  queue: 'clock',
  cron: '* * * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Records younger than this are left to the questions: their transactions may be under way. */
const SETTLE_DELAY = MINUTE;
/** Days counted by one statement when there is much to catch up on. */
const DAYS_PER_BATCH = 31;
/** How often the last two days are counted anew, in milliseconds. */
const RECOUNT_INTERVAL = 10 * MINUTE;
const NEVER = utcStartOf('1970-01-01');

/**
 * Adds up the record of what happens by the day (UTC) and by the quarter of an hour, of zones, of owners and of the
 * platform (`zone_day`, `zone_quarter` and so on). Each minute adds what was recorded
 * since the last one; now and then, and for days of which something was recorded late, full values are written. How far
 * the rows reach moves in the same transaction, so a run may be broken off, or done by two workers at once.
 */
@Injectable()
export class RollUpService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** @param signal aborted when the worker stops: the next run goes on */
  async runRollUp(signal?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const steps = (await this.findDirtyDays()).map(
      (day) => () =>
        this.withRollUpLock((em, from) => this.recountDirtyDay(em, { first: day, last: day, through: from })),
    );
    // A day that cannot be counted again keeps nobody from today's figures.
    await forEachIsolated([...steps, () => this.catchUp(now, signal)], (step) => step(), signal);
  }

  private async catchUp(now: Date, signal?: AbortSignal): Promise<void> {
    if (isRecountDue(await this.getState('recount'), now)) await this.recountRecentDays(now, signal);
    else await this.withRollUpLock((em, from) => this.addNewRecords(em, from, now));
  }

  /** The next minute's job does all that one left which failed for good. */
  @OnJob(rollUp)
  onRollUpDue(_tick: object, { signal }: JobContext): Promise<void> {
    return this.runRollUp(signal);
  }

  /** Counts the days that nobody counted to their end, then today and yesterday, and writes what there is. */
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

  /** Takes the mark away first: what is recorded late from here on marks the day again. */
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

  /** One run at a time writes: an older count never follows a newer one. `work` is told how far the rows reach. */
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

  /** The day that the rows reach into; at first that of the oldest record. @param recent when there is none */
  private async findFirstUncounted(recent: Day): Promise<Day> {
    const through = await this.getState('activity');
    if (through > NEVER) return utcDayOf(through);
    const { rows } = await sql<{ day: Day | null }>`
      select (min(created_at at time zone 'UTC')::date)::text as day from activity`.execute(this.em.fork().getKysely());
    return rows[0]!.day ?? recent;
  }
}

/** On each new day, and in the last minute of every ten, so also in the last one of a day. */
function isRecountDue(last: Date, now: Date): boolean {
  const slotOf = (at: Date) => Math.floor(addMilliseconds(at, MINUTE).getTime() / RECOUNT_INTERVAL);
  return utcDayOf(last) !== utcDayOf(now) || slotOf(last) !== slotOf(now);
}

const laterOf = (a: Date, b: Date): Date => (a > b ? a : b);
