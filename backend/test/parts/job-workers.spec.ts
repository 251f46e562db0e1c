import { setImmediate } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type INestApplication } from '@nestjs/common';
import { HOUR } from '../../src/platform/clock/clock.js';
import { inTransaction } from '../../src/platform/database/transaction.js';
import { defineJob, type JobContext } from '../../src/platform/jobs/job-definition.js';
import { LISTENER_NAME } from '../../src/platform/jobs/job-notifier.js';
import { OnJob } from '../../src/platform/jobs/on-job.decorator.js';
import {
  JobRepository,
  type ClaimedJob,
  type ClaimRequest,
  type PollResult,
  type PollTarget,
} from '../../src/platform/jobs/job.repository.js';
import { JobRunner } from '../../src/platform/jobs/running/job-runner.js';
import { WorkerHeartbeat } from '../../src/platform/jobs/running/worker-heartbeat.js';
import { JobTransport } from '../../src/platform/jobs/in-process.transport.js';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import { waitUntil } from '../support/wait-until.js';
import type { JobTimings } from '../../src/platform/jobs/running/job-timings.js';
import { JobsPlatform } from './jobs-app.js';

const count = defineJob<{ n: number }>('test.count', { queue: 'default' });
const hold = defineJob<{ n: number }>('test.hold', { queue: 'mail', maxAttempts: 2 });

const long = defineJob<{ n: number }>('test.long', { queue: 'long' });
const upkeep = defineJob<{ n: number }>('test.upkeep', { queue: 'maintenance' });

const counts = new Map<number, number>();
const running: { context: JobContext; release: () => void; ended: boolean }[] = [];
let activeCount = 0;
let maxActiveCount = 0;

@Injectable()
class CountHandler {
  @OnJob(count)
  async handle({ n }: { n: number }): Promise<void> {
    maxActiveCount = Math.max(maxActiveCount, ++activeCount);
    counts.set(n, (counts.get(n) ?? 0) + 1);
    await setImmediate();
    activeCount -= 1;
  }

  @OnJob(upkeep)
  async keepUp({ n }: { n: number }): Promise<void> {
    counts.set(n, (counts.get(n) ?? 0) + 1);
  }
}

/** Runs until the test releases it. */
@Injectable()
class HoldHandler {
  @OnJob(hold)
  async handle(_: { n: number }, context: JobContext): Promise<void> {
    await new Promise<void>((release) => running.push({ context, release, ended: false }));
    running.find((job) => job.context === context)!.ended = true;
  }

  @OnJob(long)
  handleLong(payload: { n: number }, context: JobContext): Promise<void> {
    return this.handle(payload, context);
  }
}

let polls = 0;
let releaseClaim: (() => void) | null = null;
let isHanging = false;

/** Claims of one queue return only when the test releases them; other queues work normally. */
@Injectable()
class HangingStore extends JobRepository {
  override async claim(request: ClaimRequest): Promise<ClaimedJob[]> {
    if (request.queues.includes('mail') && isHanging) await new Promise<void>((back) => (releaseClaim = back));
    return super.claim(request);
  }

  override async pollQueues(names: readonly string[], target: PollTarget): Promise<PollResult> {
    polls += 1;
    return super.pollQueues(names, target);
  }
}

const providers = [CountHandler, HoldHandler];
/** Workers that act only when the test triggers them. */
const still = { pollInterval: HOUR, heartbeatInterval: HOUR };

describe('Workers', () => {
  let platform: JobsPlatform;

  beforeAll(async () => {
    platform = await JobsPlatform.open();
  });
  afterAll(() => platform.close());

  beforeEach(() => {
    counts.clear();
    running.length = activeCount = maxActiveCount = 0;
  });
  afterEach(async () => {
    for (const { release } of running) release();
    await platform.reset();
  });

  const startWorker = (timings: Partial<JobTimings> = {}) =>
    platform.start({ role: 'worker', providers, timings: { ...still, ...timings } });
  const enqueue = (app: INestApplication, n = 1, definition = hold) =>
    app.get(JobsService).enqueue(app.get(EntityManager).fork(), definition, { n });
  /** Only the tests' jobs: a starting worker enqueues cron jobs of its own. */
  const listJobs = () =>
    platform.query(`SELECT name, state, attempts, lease_token, last_error FROM jobs WHERE name LIKE 'test.%'`);
  const expireLeases = () =>
    platform.db.query(`UPDATE jobs SET lease_until = now() - interval '1 second' WHERE name = 'test.hold'`);

  it('run each of 2,000 jobs once when four poll concurrently', async () => {
    const web = await platform.start({ providers });
    await inTransaction(web.get(EntityManager).fork(), async (em) => {
      for (let n = 0; n < 2000; n++) await web.get(JobsService).enqueue(em, count, { n });
    });
    await Promise.all(Array.from({ length: 4 }, () => startWorker({ pollInterval: 20 })));
    await waitUntil('all jobs are done', async () => (await listJobs()).length === 0, 60_000);
    expect(counts.size).toBe(2000);
    expect([...counts.values()].every((times) => times === 1)).toBe(true);
    expect(maxActiveCount).toBeGreaterThan(1);
  });

  it('run at most as many jobs of a queue at once as its concurrency allows', async () => {
    const app = await startWorker({ pollInterval: 20 });
    for (let n = 0; n < 8; n++) await enqueue(app, n);
    await waitUntil('five jobs are running', () => running.length === 5);
    await enqueue(app, 99, count);
    await waitUntil('a job of another queue has run', () => counts.has(99));
    expect(running.length).toBe(5);
    running[0]!.release();
    await waitUntil('the next job is running', () => running.length === 6);
  });

  it('run short maintenance jobs while long jobs are running and waiting', async () => {
    const app = await startWorker({ pollInterval: 20 });
    for (let n = 0; n < 3; n++) await enqueue(app, n, long);
    await waitUntil('two jobs are running', () => running.length === 2);
    await enqueue(app, 7, upkeep);
    await waitUntil('the maintenance job is done', () => counts.has(7));
    expect(running).toHaveLength(2);
  });

  it('are woken up by a notification, even from another process', async () => {
    await startWorker();
    const web = await platform.start({ providers });
    await enqueue(web, 1, count);
    await waitUntil('the job is done', () => counts.has(1));
    await inTransaction(web.get(EntityManager).fork(), (em) => web.get(JobsService).enqueue(em, count, { n: 2 }));
    await waitUntil('the job is done after the commit', () => counts.has(2));
  });

  it('find jobs without a notification', async () => {
    await startWorker({ pollInterval: 20 });
    await platform.db.query(
      `INSERT INTO jobs (queue, name, payload, run_at, max_attempts, created_at)
       VALUES ('default', 'test.count', '{"n": 7}', '2000-01-01', 3, now())`,
    );
    await waitUntil('the job is done', () => counts.has(7));
  });

  it('reconnect after a broken connection and find jobs enqueued meanwhile', async () => {
    const app = await startWorker();
    const listeners = `FROM pg_stat_activity WHERE datname = current_database() AND application_name = '${LISTENER_NAME}'`;
    await waitUntil(
      'the worker is listening',
      async () => (await platform.query(`SELECT 1 ${listeners}`)).length === 1,
    );
    await platform.query(`SELECT pg_terminate_backend(pid) ${listeners}`);
    await enqueue(app, 1, count);
    await waitUntil('the job is done', () => counts.has(1));
  });

  it('take over jobs of a dead worker, which can no longer complete them', async () => {
    // Runs one job and polls for no other, like a process that has lost its database.
    const dead = await platform.start({ providers });
    await enqueue(dead);
    const [job] = await dead.get(JobRunner).claim(['mail'], 1);
    const run = dead.get(JobRunner).run(job!);
    await waitUntil('the job is running', () => running.length === 1);
    await expireLeases();
    await startWorker();
    await waitUntil('another worker runs the job', () => running.length === 2);
    expect(running.map(({ context }) => context.attempt)).toEqual([1, 2]);
    const before = await listJobs();
    expect(before).toMatchObject([{ state: 'running', attempts: 2 }]);
    running[0]!.release();
    await run;
    expect(await listJobs()).toEqual(before);
    running[1]!.release();
    await waitUntil('the job is done', async () => (await listJobs()).length === 0);
  });

  it('mark a job as dead whose worker died in the last attempt', async () => {
    const first = await startWorker();
    await enqueue(first);
    await waitUntil('the job is running', () => running.length === 1);
    await platform.db.query(`UPDATE jobs SET attempts = max_attempts WHERE name = 'test.hold'`);
    await expireLeases();
    await startWorker();
    expect(await listJobs()).toMatchObject([
      { state: 'dead', lease_token: null, last_error: 'The worker stopped before the job ended.' },
    ]);
  });

  it('extend their leases while working and abort jobs that were taken over', async () => {
    await enqueue(await startWorker({ leaseDuration: 60_000, heartbeatInterval: 20 }));
    await waitUntil('the job is running', () => running.length === 1);
    await expireLeases();
    const isLeaseExtended = async () =>
      (await platform.query(`SELECT 1 FROM jobs WHERE name = 'test.hold' AND lease_until > now()`)).length === 1;
    await waitUntil('the lease is extended', isLeaseExtended);
    await platform.db.query(`UPDATE jobs SET lease_token = gen_random_uuid() WHERE name = 'test.hold'`);
    await waitUntil('the handler is aborted', () => running[0]!.context.signal.aborted);
  });

  it('finish running jobs before they stop', async () => {
    const app = await startWorker();
    await enqueue(app);
    await waitUntil('the job is running', () => running.length === 1);
    const stopped = platform.stop(app);
    await setImmediate();
    running[0]!.release();
    await stopped;
    expect(await listJobs()).toEqual([]);
  });

  it('release jobs that do not end in time without counting the attempt', async () => {
    const app = await startWorker({ shutdownGrace: 50 });
    await enqueue(app);
    await waitUntil('the job is running', () => running.length === 1);
    await platform.stop(app);
    expect(running[0]!.context.signal.aborted).toBe(true);
    expect(await listJobs()).toMatchObject([{ state: 'queued', attempts: 0, lease_token: null }]);
  });

  it('send no heartbeat while a claim of one queue hangs, even if all polls succeed', async () => {
    isHanging = false;
    const override = { provide: JobRepository, useClass: HangingStore };
    const app = await platform.start({ role: 'worker', providers, timings: { ...still, pollInterval: 5 }, override });
    let heartbeats = 0;
    app.get(WorkerHeartbeat).onHeartbeat(() => (heartbeats += 1));
    await waitUntil('heartbeats are sent', () => heartbeats > 2);
    isHanging = true;
    await enqueue(app);
    await waitUntil('a claim hangs', () => releaseClaim !== null);
    const waitForPolls = (times: number) => {
      const seen = polls;
      return waitUntil('the queues are polled', () => polls > seen + times);
    };
    // The round in progress may finish with the polls that returned earlier.
    await waitForPolls(2);
    const before = heartbeats;
    await waitForPolls(10);
    expect(heartbeats).toBe(before);
    isHanging = false;
    releaseClaim!();
    await waitUntil('heartbeats are sent again', () => heartbeats > before);
    await waitUntil('the job is running', () => running.length === 1);
  });

  it('start only in processes with the worker role', async () => {
    const calls: string[] = [];
    class RecordingTransport extends JobTransport {
      override async start(): Promise<void> {
        calls.push('start');
      }
      override async stop(): Promise<void> {
        calls.push('stop');
      }
    }
    const override = { provide: JobTransport, useClass: RecordingTransport };
    await platform.stop(await platform.start({ role: 'web', providers, override }));
    expect(calls).toEqual([]);
    await platform.stop(await platform.start({ role: 'worker', providers, override }));
    expect(calls).toEqual(['start', 'stop']);
  });
});
