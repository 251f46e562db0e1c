import type { INestApplication } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Injectable } from '@nestjs/common';
import { CronScheduler, purgeCronRuns } from '../../src/platform/jobs/cron/cron-scheduler.js';
import { defineJob, type CronRunPayload } from '../../src/platform/jobs/job-definition.js';
import { OnJob } from '../../src/platform/jobs/on-job.decorator.js';
import { JobRunner } from '../../src/platform/jobs/running/job-runner.js';
import { waitUntil } from '../support/wait-until.js';
import { JobsPlatform } from './jobs-app.js';

const everySecond = defineJob('test.every-second', { queue: 'default', cron: '* * * * * *' });
const nightly = defineJob('test.nightly', { queue: 'default', cron: '30 2 * * *' });

const seen: string[] = [];

@Injectable()
class EverySecondHandler {
  @OnJob(everySecond)
  async handle(): Promise<void> {}
}

@Injectable()
class NightlyHandler {
  @OnJob(nightly)
  async handle({ slot }: CronRunPayload): Promise<void> {
    seen.push(slot);
  }
}

const providers = [EverySecondHandler, NightlyHandler];
const night = (day: number, time = '02:30:00.000') => new Date(`2026-03-0${day}T${time}Z`);

describe('Cron jobs', () => {
  let platform: JobsPlatform;

  beforeAll(async () => {
    platform = await JobsPlatform.open();
  });
  afterAll(() => platform.close());
  beforeEach(async () => {
    await platform.reset();
    seen.length = 0;
  });

  const listSlots = (name: string) =>
    platform.query('SELECT slot FROM clock_runs WHERE name = $1 ORDER BY slot', [name]);

  it('are enqueued once per slot, however many processes try concurrently', async () => {
    const apps = await Promise.all([1, 2, 3].map(() => platform.start({ providers })));
    const enqueueSlot = (app: INestApplication, at: Date) => app.get(CronScheduler).enqueueCronRun(nightly, at);
    const late = night(3, '02:30:04.711');
    const results = await Promise.all(
      [...apps, ...apps, ...apps].map((app, n) => enqueueSlot(app, n % 2 ? late : night(3))),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await enqueueSlot(apps[0]!, night(4))).toBe(true);
    expect(await listSlots('test.nightly')).toEqual([{ slot: night(3) }, { slot: night(4) }]);
    await apps[0]!.get(JobRunner).drain();
    expect(seen.sort()).toEqual([night(3).toISOString(), night(4).toISOString()]);
    expect(await enqueueSlot(apps[1]!, night(3))).toBe(false);
  });

  it('claim their slot only together with the job', async () => {
    const app = await platform.start({ providers });
    await platform.db.query(`ALTER TABLE jobs ADD CONSTRAINT no_nightly CHECK (name <> 'test.nightly')`);
    try {
      await expect(app.get(CronScheduler).enqueueCronRun(nightly, night(5))).rejects.toThrow('no_nightly');
      expect(await listSlots('test.nightly')).toEqual([]);
    } finally {
      await platform.db.query('ALTER TABLE jobs DROP CONSTRAINT no_nightly');
    }
    expect(await app.get(CronScheduler).enqueueCronRun(nightly, night(5))).toBe(true);
  });

  it('run in workers, catch up on a missed slot at start and stop with the worker', async () => {
    const first = await platform.start({ role: 'worker', providers });
    await waitUntil('the job has run twice', async () => (await listSlots('test.every-second')).length >= 2);
    expect(await listSlots('test.nightly')).toHaveLength(1);
    const scheduler = first.get(SchedulerRegistry);
    expect([...scheduler.getCronJobs().keys()]).toContain('test.every-second');
    await platform.stop(first);
    expect(scheduler.getCronJobs().size).toBe(0);
    await platform.start({ role: 'worker', providers });
    expect(await listSlots('test.nightly')).toHaveLength(1);
    expect(seen).toHaveLength(1);
  });

  it('do not run in a web process', async () => {
    const app = await platform.start({ role: 'web', providers });
    expect(app.get(SchedulerRegistry).getCronJobs().size).toBe(0);
    expect(await platform.count('clock_runs')).toBe(0);
  });

  it('keep run records for a week, except the latest of each job', async () => {
    const app = await platform.start({ providers });
    const now = platform.clock.now().getTime();
    const ago = (days: number) => new Date(now - days * 86_400_000);
    const rows: [string, number][] = [
      ['busy', 1],
      ['busy', 6],
      ['busy', 8],
      ['yearly', 300],
      ['yearly', 600],
    ];
    for (const [name, days] of rows)
      await platform.db.query('INSERT INTO clock_runs VALUES ($1, $2)', [name, ago(days)]);
    await app.get(CronScheduler).enqueueCronRun(purgeCronRuns, platform.clock.now());
    await app.get(JobRunner).drain();
    expect(await listSlots('busy')).toEqual([{ slot: ago(6) }, { slot: ago(1) }]);
    expect(await listSlots('yearly')).toEqual([{ slot: ago(300) }]);
  });
});
