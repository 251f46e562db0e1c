import { CronTime } from 'cron';
import { addMilliseconds, DAY, HOUR, MINUTE } from '../../clock/clock.js';

/** Spans to search back for a scheduled time, in milliseconds, shortest first. */
const LOOKBACK_SPANS = [MINUTE, HOUR, DAY, 32 * DAY, 366 * DAY, 8 * 366 * DAY];

/** Returns the first scheduled time of a cron expression (UTC) after `at`. */
export function nextCronSlot(cron: string, at: Date): Date {
  return new CronTime(cron, 'UTC').getNextDateFrom(at, 'UTC').toJSDate();
}

/**
 * Returns the latest scheduled time of a cron expression (UTC) at or before `at`. Processes whose timers fire late or
 * at different times get the same result.
 * @throws Error when the expression is invalid or never matches
 */
export function latestCronSlot(cron: string, at: Date): Date {
  const time = new CronTime(cron, 'UTC');
  const following = (date: Date) => time.getNextDateFrom(date, 'UTC').toJSDate();
  for (const span of LOOKBACK_SPANS) {
    let slot = following(addMilliseconds(at, -span));
    if (slot > at) continue;
    for (let next = following(slot); next <= at; next = following(slot)) slot = next;
    return slot;
  }
  throw new Error(`"${cron}" has no tick before ${at.toISOString()}.`);
}
