import { RequestContext } from '@mikro-orm/core';
import { rollUp } from '../../../src/modules/insights/roll-up/roll-up.service.js';
import { CronScheduler } from '../../../src/platform/jobs/cron/cron-scheduler.js';
import type { World } from '../../support/world.js';

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

/** Runs the scheduled job late enough to include the latest events. */
export async function runRollUpJob(world: World): Promise<void> {
  world.testApp.clock.advance(2 * MINUTE);
  await world.testApp.app.get(CronScheduler).enqueueCronRun(rollUp, world.testApp.clock.now());
  await world.testApp.drain();
}

/** Runs it so late that the last two days are recounted and gauges are written. */
export async function runRecountJob(world: World): Promise<void> {
  world.testApp.clock.advance(10 * MINUTE);
  await runRollUpJob(world);
}

/** Calls a service within a request context. */
export const withRequestContext = <T>(world: World, work: () => Promise<T>): Promise<T> =>
  RequestContext.create(world.testApp.em(), work);

export const queryRows = <T>(world: World, sql: string, params: unknown[] = []): Promise<T[]> =>
  world.testApp.em().getConnection().execute(sql, params) as Promise<T[]>;

/** The UTC day `days` from today. */
export const utcDay = (world: World, days = 0): string =>
  new Date(world.testApp.clock.now().getTime() + days * DAY).toISOString().slice(0, 10);

export interface PastActivity {
  readonly type: string;
  readonly ownerId?: number;
  readonly zoneId?: number;
  readonly userId?: number;
  readonly fileId?: number;
  readonly daysAgo: number;
  readonly times?: number;
}

/** Inserts activity as if recorded in time, or late, by the application's clock. */
export async function insertPastActivity(world: World, ...records: PastActivity[]): Promise<void> {
  for (const { type, ownerId, zoneId, userId, fileId, daysAgo, times = 1 } of records) {
    const at = new Date(world.testApp.clock.now().getTime() - daysAgo * DAY);
    await queryRows(
      world,
      `insert into activity (type, owner_id, zone_id, user_id, file_id, params, created_at)
       select ?, ?, ?, ?, ?, '{"zoneName": "Z", "fileName": "f.pdf"}', ?::timestamptz from generate_series(1, ?)`,
      [type, ownerId ?? null, zoneId ?? null, userId ?? null, fileId ?? null, at.toISOString(), times],
    );
  }
}
