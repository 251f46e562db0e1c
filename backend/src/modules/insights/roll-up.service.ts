import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, MINUTE } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { addDays, dayOf, startOf, type Day } from './day.js';
import { DirtyDaySchema } from './entities/dirty-day.entity.js';
import { RollUpSchema } from './entities/roll-up.entity.js';
import { addFlows, writeFlows, writePlatformFlows, type Span } from './roll-up-flows.js';
import { writeOwnerStocks, writePlatformStocks, writeZoneStocks } from './roll-up-stocks.js';

/** Records younger than this are left to the questions: their transactions may be under way. */
const SETTLING = MINUTE;
/** Days counted by one statement when there is much to catch up on. */
const STRIDE = 31;
/** How often the last two days are counted anew, in milliseconds. */
const RECOUNT_EVERY = 10 * MINUTE;

const NEVER = startOf('1970-01-01');

/**
 * Adds up the record of what happens into `zone_day`, `owner_day` and `platform_day`. Each minute adds what was recorded
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
    for (const day of await this.dirtyDays()) {
      signal?.throwIfAborted();
      await this.inTurn((em, reached) => this.countAgain(em, { first: day, last: day, through: reached }, now));
    }
    signal?.throwIfAborted();
    if (isRecountDue(await this.stateOf('recount'), now)) await this.recount(now, signal);
    else await this.inTurn((em, reached) => this.addSince(em, reached, now));
  }

  /** Counts the days that nobody counted to their end, then today and yesterday, and writes what there is. */
  private async recount(now: Date, signal?: AbortSignal): Promise<void> {
    const [recent, today] = [addDays(dayOf(now), -1), dayOf(now)];
    for (let first = await this.firstUncounted(recent); first < recent; first = addDays(first, STRIDE)) {
      signal?.throwIfAborted();
      const last = [addDays(first, STRIDE - 1), addDays(recent, -1)].sort()[0]!;
      await this.inTurn(async (em, reached) => {
        const through = later(reached, startOf(addDays(last, 1)));
        await this.count(em, { first, last, through }, now);
        await this.setState(em, 'activity', through);
      });
    }
    signal?.throwIfAborted();
    await this.inTurn(async (em, reached) => {
      const through = later(reached, after(now, -SETTLING));
      await this.count(em, { first: recent, last: today, through }, now);
      await writeZoneStocks(em, today);
      await writeOwnerStocks(em, today);
      await writePlatformStocks(em, today);
      await this.setState(em, 'activity', through);
      await this.setState(em, 'recount', now);
    });
  }

  private async addSince(em: EntityManager, reached: Date, now: Date): Promise<void> {
    const through = after(now, -SETTLING);
    if (through <= reached) return;
    await addFlows(em, reached, through, now);
    await this.setState(em, 'activity', through);
  }

  /** Takes the mark away first: what is recorded late from here on marks the day again. */
  private async countAgain(em: EntityManager, span: Span, now: Date): Promise<void> {
    await sql`delete from dirty_days where day = ${span.first}::date`.execute(query<typeof DirtyDaySchema>(em));
    await this.count(em, span, now);
  }

  private async count(em: EntityManager, span: Span, now: Date): Promise<void> {
    await writeFlows(em, 'zone', span);
    await writeFlows(em, 'owner', span);
    await writePlatformFlows(em, span, now);
  }

  /** One run at a time writes: an older count never follows a newer one. `work` is told how far the rows reach. */
  private inTurn(work: (em: EntityManager, reached: Date) => Promise<void>): Promise<void> {
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
    const reached = await this.stateOf('activity');
    if (reached > NEVER) return dayOf(reached);
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
