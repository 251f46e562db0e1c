import { CronTime } from 'cron';
import { addMilliseconds, DAY, HOUR, MINUTE } from '../../clock/clock.js';

/** How far back a tick is looked for, the nearest first. */
const LOOKBACK_SPANS = [MINUTE, HOUR, DAY, 32 * DAY, 366 * DAY, 8 * 366 * DAY];

/** The first tick of a cron expression (UTC) after `at`. */
export function nextCronSlot(cron: string, at: Date): Date {
  return new CronTime(cron, 'UTC').getNextDateFrom(at, 'UTC').toJSDate();
}

/**
 * The latest tick of a cron expression (UTC) at or before `at`. Processes whose timers fire a little late, or apart,
 * agree on it.
 * @throws Error when the expression is wrong or never ticks
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
