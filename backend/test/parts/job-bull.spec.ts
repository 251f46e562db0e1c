import { once, type EventEmitter } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type INestApplication } from '@nestjs/common';
import { inTransaction } from '../../src/platform/database/transaction.js';
import { BULL_QUEUES, type BullQueues } from '../../src/platform/jobs/bull/bull-queues.js';
import { BullTransport } from '../../src/platform/jobs/bull/bull.transport.js';
import { defineJob } from '../../src/platform/jobs/job-definition.js';
import { JobNotifier } from '../../src/platform/jobs/job-notifier.js';
import { JobRepository } from '../../src/platform/jobs/job.repository.js';
import { OnJob } from '../../src/platform/jobs/on-job.decorator.js';
import { JobRunner } from '../../src/platform/jobs/running/job-runner.js';
import { JobTransport } from '../../src/platform/jobs/in-process.transport.js';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import { describeWithRedis, RedisServer } from '../support/fakes/redis-server.js';
import { waitUntil } from '../support/wait-until.js';
import { JobsPlatform } from './jobs-app.js';

const tally = defineJob<{ n: number }>('test.bull-tally', { queue: 'default' });
const narrow = defineJob<{ n: number }>('test.bull-narrow', { queue: 'images' });
const fail = defineJob<{ n: number }>('test.bull-fail', { queue: 'mail', maxAttempts: 1 });
const later = defineJob<{ n: number }>('test.bull-later', { queue: 'default' });
const retried = defineJob<{ n: number }>('test.bull-retried', { queue: 'mail', maxAttempts: 2 });
/** Delay of the later job. */
const DUE_IN_MS = 6_000;
const startedAt = new Map<number, number[]>();
const counts = new Map<number, number>();
let pace = 0;
let activeCount = 0;
let maxActiveCount = 0;
let isBroken = true;

async function recordRun(n: number): Promise<void> {
  maxActiveCount = Math.max(maxActiveCount, ++activeCount);
  counts.set(n, (counts.get(n) ?? 0) + 1);
  await new Promise((resolve) => setTimeout(resolve, pace));
  activeCount -= 1;
}

@Injectable()
class TallyHandler {
  @OnJob(tally)
  handle({ n }: { n: number }): Promise<void> {
    return recordRun(n);
  }
}

@Injectable()
class NarrowHandler {
  @OnJob(narrow)
  handle({ n }: { n: number }): Promise<void> {
    return recordRun(n);
  }
}

@Injectable()
class FailHandler {
  @OnJob(fail)
  async handle({ n }: { n: number }): Promise<void> {
    if (isBroken) throw new Error('The test breaks it.');
    await recordRun(n);
  }
}

/** Fails the first attempt of jobs above 1. */
@Injectable()
class TimedHandler {
  @OnJob(later)
  onLater({ n }: { n: number }): Promise<void> {
    return this.onRetried({ n });
  }

  @OnJob(retried)
  async onRetried({ n }: { n: number }): Promise<void> {
    const starts = [...(startedAt.get(n) ?? []), Date.now()];
    startedAt.set(n, starts);
    if (n > 1 && starts.length === 1) throw new Error('The first attempt fails.');
    await recordRun(n);
  }
}

/** A queue's event connection in Bull. */
interface Subscribing {
  readonly eclient: EventEmitter & {
    readonly status: string;
    readonly condition?: { readonly subscriber: unknown };
    readonly stream: { destroy(): void };
    disconnect(): void;
  };
}

const providers = [TallyHandler, NarrowHandler, FailHandler, TimedHandler];

describeWithRedis('Jobs through Redis', () => {
  let platform: JobsPlatform;
  let redis: RedisServer;

  beforeAll(async () => {
    platform = await JobsPlatform.open();
    redis = await RedisServer.start();
  });
  beforeEach(async () => {
    counts.clear();
    pace = activeCount = maxActiveCount = 0;
    await redis.flush();
  });
  afterEach(() => platform.reset());
  afterAll(async () => {
    await platform.close();
    await redis.close();
  });

  const start = (role: 'web' | 'worker', redispatchAfter = 500, redisUrl = redis.url) => {
    const timings = { pollInterval: 50, redispatchAfter };
    return platform.start({ role, providers, timings, env: { REDIS_URL: redisUrl } });
  };
  const enqueue = (app: INestApplication, from: number, to: number, job = tally) =>
    inTransaction(app.get(EntityManager).fork(), (em) =>
      app.get(JobsService).enqueueMany(
        em,
        job,
        Array.from({ length: to - from }, (_, index) => ({ n: from + index })),
      ),
    );
  const waitForJobs = (count: number) =>
    waitUntil(
      `${count} jobs are done`,
      async () =>
        counts.size === count && (await platform.query(`SELECT 1 FROM jobs WHERE name LIKE 'test.%'`)).length === 0,
      60_000,
    );
  /** Prints and returns the outcome of the jobs. */
  function reportOutcome(what: string, expected: number) {
    const duplicates = [...counts.values()].filter((times) => times > 1).length;
    process.stdout.write(`${what}: ${counts.size} done, ${expected - counts.size} lost, ${duplicates} duplicated\n`);
    return { done: counts.size, duplicated: duplicates };
  }

  it('run once each on several workers, within the concurrency of the queue', async () => {
    const web = await start('web');
    expect(web.get(JobTransport)).not.toBeInstanceOf(BullTransport);
    const worker = await start('worker');
    expect(worker.get(JobTransport)).toBeInstanceOf(BullTransport);
    // Polling the database finds nothing here, so every job that runs came as a message.
    worker.get(JobRunner).claim = () => Promise.resolve([]);
    pace = 5;
    await enqueue(web, 0, 10, narrow);
    await waitForJobs(10);
    expect(maxActiveCount).toBe(1);
    (await start('worker')).get(JobRunner).claim = () => Promise.resolve([]);
    pace = 0;
    await enqueue(web, 10, 1000);
    await waitForJobs(1000);
    expect(reportOutcome('two workers', 1000)).toEqual({ done: 1000, duplicated: 0 });
  });

  it('all run once when Redis is emptied midway', async () => {
    const web = await start('web');
    await start('worker');
    pace = 2;
    await enqueue(web, 0, 500);
    await waitUntil('some jobs are done', () => counts.size > 50);
    await redis.flush();
    await enqueue(web, 500, 600);
    await waitForJobs(600);
    expect(reportOutcome('Redis is emptied', 600)).toEqual({ done: 600, duplicated: 0 });
  });

  it('all run once while Redis is down and after it is back', async () => {
    const web = await start('web');
    await start('worker');
    pace = 2;
    await enqueue(web, 0, 400);
    await waitUntil('some jobs are done', () => counts.size > 50);
    await redis.kill();
    await enqueue(web, 400, 500);
    await waitForJobs(500);
    await redis.restart();
    await enqueue(web, 500, 600);
    await waitForJobs(600);
    expect(reportOutcome('Redis is stopped', 600)).toEqual({ done: 600, duplicated: 0 });
  });

  it('do not crash the process when a queue is closed while it resubscribes', async () => {
    const worker = await start('worker');
    const { eclient } = worker.get<BullQueues>(BULL_QUEUES).get('default') as unknown as Subscribing;
    await waitUntil('the client has subscribed', () => Boolean(eclient.condition?.subscriber));
    await redis.kill();
    // By then the request is sent and gets no response; Jest fails a test with an unhandled rejection.
    eclient.once('ready', () => {
      eclient.disconnect();
      eclient.stream.destroy();
    });
    // `once` of node:events would reject on the errors that a client emits until Redis is back.
    const ended = new Promise((resolve) => eclient.once('end', resolve));
    await redis.restart();
    await ended;
    await setImmediate();
    expect(eclient.status).toBe('end');
  });

  it('run while Redis is down at the start, and through Redis afterwards', async () => {
    await redis.kill();
    const web = await start('web');
    await enqueue(web, 0, 5);
    const worker = await start('worker');
    await waitForJobs(5);
    await platform.stop(worker);
    await start('worker');
    await redis.restart();
    await enqueue(web, 5, 10);
    await waitForJobs(10);
  });

  it('run while Redis accepts connections and never responds, and the worker stops without an error', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const web = await start('web');
      const worker = await start('worker', 500, `redis://127.0.0.1:${port}`);
      await enqueue(web, 0, 5);
      await waitForJobs(5);
      await platform.stop(worker);
      await setImmediate();
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
      for (const socket of sockets) socket.destroy();
      silent.close();
    }
  });

  it('are kept in Redis as delayed messages when delayed or retried', async () => {
    const web = await start('web');
    // A message processed late on a slow machine isn't sent again here.
    const worker = await start('worker', 600_000);
    // Polling for due jobs is disabled, so a job that runs was dispatched before its time.
    const runner = worker.get(JobRunner);
    const announce = runner.markDispatched.bind(runner);
    let sentAtOnce = 0;
    runner.markDispatched = async (queue, when, limit) => {
      const jobs = await announce(queue, when, limit);
      // The platform's own startup jobs may or may not be dispatched by then.
      if (when === 'now' && queue !== 'maintenance') sentAtOnce += jobs.length;
      return jobs;
    };
    const started = Date.now();
    // Long enough for a busy machine to have sent the message. Uses the platform's clock, which is shifted ahead in the
    // last half hour of a day.
    const runAt = new Date(platform.clock.now().getTime() + DUE_IN_MS);
    await inTransaction(web.get(EntityManager).fork(), async (em) => {
      await web.get(JobsService).enqueue(em, later, { n: 1 }, { runAt });
      await web.get(JobsService).enqueue(em, retried, { n: 2 });
    });
    const delayed = async (name: 'default' | 'mail') =>
      worker.get<BullQueues>(BULL_QUEUES).get(name)!.getDelayedCount();
    await waitUntil(
      'both jobs are delayed in Redis',
      async () => (await delayed('default')) === 1 && (await delayed('mail')) === 1,
    );
    expect(counts.size).toBe(0);
    await waitForJobs(2);
    expect(startedAt.get(1)).toEqual([expect.any(Number)]);
    expect(startedAt.get(1)![0]).toBeGreaterThanOrEqual(started + DUE_IN_MS);
    const [first, second] = startedAt.get(2)!;
    // Five seconds, plus or minus a quarter.
    expect(second! - first!).toBeGreaterThanOrEqual(3750);
    expect(sentAtOnce).toBe(1);
  });

  it('are listed, retried and discarded after permanent failure, with queue counts', async () => {
    const web = await start('web');
    await start('worker');
    const jobs = web.get(JobRepository);
    const findDeadJobs = () =>
      platform.query<{ id: string; name: string; payload: object; attempts: number; last_error: string }>(
        "SELECT * FROM jobs WHERE state = 'dead' ORDER BY id DESC",
      );
    const retry = (id: number) =>
      inTransaction(web.get(EntityManager).fork(), async (em) => {
        const job = await jobs.requeue(em, id);
        if (job) web.get(JobNotifier).notify(em, job.queue);
        return job?.name ?? null;
      });
    const discard = (id: number) => inTransaction(web.get(EntityManager).fork(), (em) => jobs.deleteDead(em, id));
    isBroken = true;
    await enqueue(web, 0, 3, fail);
    await waitUntil('all jobs have failed', async () => (await findDeadJobs()).length === 3);
    const [oldest, ...others] = (await findDeadJobs()).toReversed();
    expect(oldest).toMatchObject({ name: 'test.bull-fail', payload: { n: 0 }, attempts: 1 });
    expect(oldest!.last_error).toContain('The test breaks it.');
    const readMailQueue = async () => (await jobs.countByQueue()).find(({ queue }) => queue === 'mail');
    expect(await readMailQueue()).toEqual({ queue: 'mail', due: 0, later: 0, running: 0, dead: 3, oldestDueAt: null });
    isBroken = false;
    for (const { id } of others) expect(await retry(Number(id))).toBe('test.bull-fail');
    expect(await discard(Number(oldest!.id))).toMatchObject({ name: 'test.bull-fail' });
    await waitForJobs(2);
    expect(await readMailQueue()).toMatchObject({ due: 0, dead: 0 });
    expect(await retry(Number(oldest!.id))).toBeNull();
    expect(await discard(Number(oldest!.id))).toBeNull();
  });
});
