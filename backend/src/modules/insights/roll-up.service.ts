import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, MINUTE } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { addDays, dayOf, startOf, type Day } from './day.js';
import { DirtyDaySchema } from './entities/dirty-day.entity.js';
import { RollUpSchema } from './entities/roll-up.entity.js';
import { writeFlows, writePlatformFlows, type Span } from './roll-up-flows.js';
import { writeOwnerStocks, writePlatformStocks, writeZoneStocks } from './roll-up-stocks.js';

/** Records younger than this are left to the questions: their transactions may be under way. */
const SETTLING = MINUTE;
/** Days counted by one statement when there is much to catch up on. */
const STRIDE = 31;

/**
 * Adds up the record of what happens into `zone_day`, `owner_day` and `platform_day`. Full values are written, so that
 * a run may be repeated, broken off, or done by two workers at once.
 */
@Injectable()
export class RollUpService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts today, yesterday, the days that nobody counted yet, and those of which something was recorded late.
   * @param signal aborted when the worker stops: the next run goes on
   */
  async run(signal?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const [through, today] = [after(now, -SETTLING), dayOf(now)];
    const recent = addDays(today, -1);
    for (const day of await this.dirtyDays()) {
      signal?.throwIfAborted();
      await this.inTurn((em) => this.countAgain(em, { first: day, last: day, through }, now));
    }
    for (let first = await this.firstUncounted(recent); first < recent; first = addDays(first, STRIDE)) {
      signal?.throwIfAborted();
      const last = [addDays(first, STRIDE - 1), addDays(recent, -1)].sort()[0]!;
      await this.inTurn((em) => this.count(em, { first, last, through }, now));
    }
    signal?.throwIfAborted();
    await this.inTurn((em) => this.countRecent(em, { first: recent, last: today, through }, now));
  }

  private async countRecent(em: EntityManager, span: Span, now: Date): Promise<void> {
    await this.count(em, span, now);
    await writeZoneStocks(em, span.last);
    await writeOwnerStocks(em, span.last);
    await writePlatformStocks(em, span.last);
    await query<typeof RollUpSchema>(em)
      .updateTable('roll_ups')
      .set({ through: sql<Date>`greatest(through, ${span.through}::timestamptz)` })
      .where('name', '=', 'activity')
      .execute();
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

  /** One run at a time writes: an older count never follows a newer one. */
  private inTurn(work: (em: EntityManager) => Promise<void>): Promise<void> {
    return inTransaction(this.em.fork(), async (em) => {
      const db = query<typeof RollUpSchema>(em);
      await db
        .insertInto('roll_ups')
        .values({ name: 'activity', through: startOf('1970-01-01') })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await db.selectFrom('roll_ups').select('name').where('name', '=', 'activity').forUpdate().execute();
      await work(em);
    });
  }

  private async dirtyDays(): Promise<Day[]> {
    const { rows } = await sql<{ day: Day }>`select day::text from dirty_days order by day`.execute(
      query<typeof DirtyDaySchema>(this.em.fork()),
    );
    return rows.map(({ day }) => day);
  }

  /** The day after the last one that was counted; at first that of the oldest record. @param recent when there is none */
  private async firstUncounted(recent: Day): Promise<Day> {
    const { rows } = await sql<{ day: Day | null }>`
      select coalesce((select max(day) + 1 from platform_day where day < ${recent}::date),
        (select min(created_at at time zone 'UTC')::date from activity))::text as day`.execute(
      this.em.fork().getKysely(),
    );
    return rows[0]!.day ?? recent;
  }
}
