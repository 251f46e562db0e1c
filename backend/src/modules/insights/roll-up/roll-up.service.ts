import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, MINUTE } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { defineJob, LONG_STATEMENTS, type JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { eachOnItsOwn } from '../../../platform/jobs/running/each-on-its-own.js';
import { addDays, dayOf, startOf, type Day } from '../day.js';
import type { DirtyDaySchema, RollUpSchema } from '../entities/roll-ups.entity.js';
import { addFlows, writeFlows, writePlatformFlows, type Span } from '../shared/roll-up-flows.js';
import { writeOwnerStocks, writePlatformStocks, writeZoneStocks } from '../shared/roll-up-stocks.js';

/** Adds up what happened a day, by zone, by owner and for the whole installation. */
export const rollUp = defineJob('insights.roll-up', {
  queue: 'clock',
  cron: '* * * * *',
  statementLimit: LONG_STATEMENTS,
});

/** Records younger than this are left to the questions: their transactions may be under way. */
const SETTLING = MINUTE;
/** Days counted by one statement when there is much to catch up on. */
const STRIDE = 31;
/** How often the last two days are counted anew, in milliseconds. */
const RECOUNT_EVERY = 10 * MINUTE;
const NEVER = startOf('1970-01-01');

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
  async run(signal?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const steps = (await this.dirtyDays()).map(
      (day) => () => this.inTurn((em, from) => this.countAgain(em, { first: day, last: day, through: from })),
    );
    // A day that cannot be counted again keeps nobody from today's figures.
    await eachOnItsOwn([...steps, () => this.catchUp(now, signal)], (step) => step(), signal);
  }

  private async catchUp(now: Date, signal?: AbortSignal): Promise<void> {
    if (isRecountDue(await this.stateOf('recount'), now)) await this.recount(now, signal);
    else await this.inTurn((em, from) => this.addSince(em, from, now));
  }

  /** The next minute's job does all that one left which failed for good. */
  @OnJob(rollUp)
  runDue(_tick: object, { signal }: JobContext): Promise<void> {
    return this.run(signal);
  }

  /** Counts the days that nobody counted to their end, then today and yesterday, and writes what there is. */
  private async recount(now: Date, signal?: AbortSignal): Promise<void> {
    const [recent, today] = [addDays(dayOf(now), -1), dayOf(now)];
    for (let first = await this.firstUncounted(recent); first < recent; first = addDays(first, STRIDE)) {
      signal?.throwIfAborted();
      const last = [addDays(first, STRIDE - 1), addDays(recent, -1)].sort()[0]!;
      await this.inTurn(async (em, from) => {
        const through = later(from, startOf(addDays(last, 1)));
        await this.count(em, { first, last, through });
        await this.setState(em, 'activity', through);
      });
    }
    signal?.throwIfAborted();
    await this.inTurn(async (em, from) => {
      const through = later(from, after(now, -SETTLING));
      await this.count(em, { first: recent, last: today, through });
      await writeZoneStocks(em, now);
      await writeOwnerStocks(em, now);
      await writePlatformStocks(em, now);
      await this.setState(em, 'activity', through);
      await this.setState(em, 'recount', now);
    });
  }

  private async addSince(em: EntityManager, from: Date, now: Date): Promise<void> {
    const through = after(now, -SETTLING);
    if (through <= from) return;
    await addFlows(em, from, through);
    await this.setState(em, 'activity', through);
  }

  /** Takes the mark away first: what is recorded late from here on marks the day again. */
  private async countAgain(em: EntityManager, span: Span): Promise<void> {
    await sql`delete from dirty_days where day = ${span.first}::date`.execute(query<typeof DirtyDaySchema>(em));
    await this.count(em, span);
  }

  private async count(em: EntityManager, span: Span): Promise<void> {
    for (const unit of ['day', 'quarter'] as const) {
      await writeFlows(unit, em, 'zone', span);
      await writeFlows(unit, em, 'owner', span);
      await writePlatformFlows(unit, em, span);
    }
  }

  /** One run at a time writes: an older count never follows a newer one. `work` is told how far the rows reach. */
  private inTurn(work: (em: EntityManager, from: Date) => Promise<void>): Promise<void> {
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
      await work(em, new Date(row.through));
    });
  }

  private async dirtyDays(): Promise<Day[]> {
    const { rows } = await sql<{ day: Day }>`select day::text from dirty_days order by day`.execute(
      query<typeof DirtyDaySchema>(this.em.fork()),
    );
    return rows.map(({ day }) => day);
  }

  private async stateOf(name: 'activity' | 'recount'): Promise<Date> {
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
  private async firstUncounted(recent: Day): Promise<Day> {
    const through = await this.stateOf('activity');
    if (through > NEVER) return dayOf(through);
    const { rows } = await sql<{ day: Day | null }>`
      select (min(created_at at time zone 'UTC')::date)::text as day from activity`.execute(this.em.fork().getKysely());
    return rows[0]!.day ?? recent;
  }
}

/** On each new day, and in the last minute of every ten, so also in the last one of a day. */
function isRecountDue(last: Date, now: Date): boolean {
  const slotOf = (at: Date) => Math.floor(after(at, MINUTE).getTime() / RECOUNT_EVERY);
  return dayOf(last) !== dayOf(now) || slotOf(last) !== slotOf(now);
}

const later = (a: Date, b: Date): Date => (a > b ? a : b);
