import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, MINUTE } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { defineJob, LONG_STATEMENT_LIMIT, type JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { addDays, utcDayOf, utcStartOf, type Day } from '../day.js';
import { NEVER, RollUpRepository, type Span } from './roll-up.repository.js';

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
    private readonly rollUps: RollUpRepository,
  ) {}

  /** @param signal aborted when the worker stops; the next run continues */
  async runRollUp(signal?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const steps = (await this.rollUps.findDirtyDays()).map(
      (day) => () =>
        this.withRollUpLock((em, from) => this.recountDirtyDay(em, { first: day, last: day, through: from })),
    );
    // A day that can't be recounted must not delay today's statistics.
    await forEachIsolated([...steps, () => this.catchUp(now, signal)], (step) => step(), signal);
  }

  private async catchUp(now: Date, signal?: AbortSignal): Promise<void> {
    if (isRecountDue(await this.rollUps.getState('recount'), now)) await this.recountRecentDays(now, signal);
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
        await this.rollUps.setState(em, 'activity', through);
      });
    }
    signal?.throwIfAborted();
    await this.withRollUpLock(async (em, from) => {
      const through = laterOf(from, addMilliseconds(now, -SETTLE_DELAY));
      await this.writeSpan(em, { first: recent, last: today, through });
      await this.rollUps.writeZoneGauges(em, now);
      await this.rollUps.writeOwnerGauges(em, now);
      await this.rollUps.writePlatformGauges(em, now);
      await this.rollUps.setState(em, 'activity', through);
      await this.rollUps.setState(em, 'recount', now);
    });
  }

  private async addNewRecords(em: EntityManager, from: Date, now: Date): Promise<void> {
    const through = addMilliseconds(now, -SETTLE_DELAY);
    if (through <= from) return;
    await this.rollUps.addCounters(em, from, through);
    await this.rollUps.setState(em, 'activity', through);
  }

  /** Deletes the mark first, so that records that arrive later mark the day again. */
  private async recountDirtyDay(em: EntityManager, span: Span): Promise<void> {
    await this.rollUps.deleteDirtyDay(em, span.first);
    await this.writeSpan(em, span);
  }

  private async writeSpan(em: EntityManager, span: Span): Promise<void> {
    for (const unit of ['day', 'quarter'] as const) {
      await this.rollUps.writeCounters(unit, em, 'zone', span);
      await this.rollUps.writeCounters(unit, em, 'owner', span);
      await this.rollUps.writePlatformCounters(unit, em, span);
    }
  }

  /** Passes the current position to the callback. Runs are serialised. */
  private withRollUpLock(callback: (em: EntityManager, from: Date) => Promise<void>): Promise<void> {
    return inTransaction(this.em.fork(), async (em) => callback(em, await this.rollUps.lockPosition(em)));
  }

  /**
   * Returns the first day not completely counted; at first the day of the oldest record. @param recent used without
   * records
   */
  private async findFirstUncounted(recent: Day): Promise<Day> {
    const through = await this.rollUps.getState('activity');
    if (through > NEVER) return utcDayOf(through);
    return (await this.rollUps.findFirstRecordedDay()) ?? recent;
  }
}

/** Returns true on each new day, and in the last minute of every ten, and so also in the last minute of a day. */
function isRecountDue(last: Date, now: Date): boolean {
  const slotOf = (at: Date) => Math.floor(addMilliseconds(at, MINUTE).getTime() / RECOUNT_INTERVAL);
  return utcDayOf(last) !== utcDayOf(now) || slotOf(last) !== slotOf(now);
}

const laterOf = (a: Date, b: Date): Date => (a > b ? a : b);
