import { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { Injectable, type INestApplication } from '@nestjs/common';
import { HOUR } from '../../src/platform/clock/clock.js';
import { defineJob } from '../../src/platform/jobs/job-definition.js';
import { JobNotifier } from '../../src/platform/jobs/job-notifier.js';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import { OnJob } from '../../src/platform/jobs/on-job.decorator.js';
import { JobTimings } from '../../src/platform/jobs/running/job-timings.js';
import { DatabaseProxy } from '../support/fakes/database-proxy.js';
import { waitUntil } from '../support/wait-until.js';
import { JobsPlatform } from './jobs-app.js';

const receive = defineJob<{ n: number }>('test.hear', { queue: 'default' });
const received = new Set<number>();

@Injectable()
class ReceivingHandler {
  @OnJob(receive)
  async handle({ n }: { n: number }): Promise<void> {
    received.add(n);
  }
}

let databaseProxy: DatabaseProxy;

/** Only the notifier's connection fails; the pool's connections keep working. */
@Injectable()
class ProxiedNotifier extends JobNotifier {
  constructor(orm: MikroORM, timings: JobTimings) {
    super(orm, timings, databaseProxy.connection);
  }
}

/** A worker that learns of jobs only by notifications, with short timeouts for their connection. */
const timings = {
  pollInterval: HOUR,
  heartbeatInterval: HOUR,
  probeInterval: 50,
  connectionTimeout: 300,
};

describe('Connection for job notifications', () => {
  let platform: JobsPlatform;
  let web: INestApplication;

  beforeAll(async () => {
    platform = await JobsPlatform.open();
  });
  beforeEach(async () => {
    received.clear();
    databaseProxy = await DatabaseProxy.open(platform.connection);
    web = await platform.start({ providers: [ReceivingHandler] });
  });
  afterEach(async () => {
    await platform.reset();
    await databaseProxy.close();
  });
  afterAll(() => platform.close());

  const startWorker = () =>
    platform.start({
      role: 'worker',
      providers: [ReceivingHandler],
      timings,
      override: { provide: JobNotifier, useClass: ProxiedNotifier },
    });
  const enqueue = (n: number) => web.get(JobsService).enqueue(web.get(EntityManager).fork(), receive, { n });
  const waitForJob = (n: number) => waitUntil(`job ${n} is done`, () => received.has(n));

  it('is replaced when dead, and the worker is notified of jobs again', async () => {
    await startWorker();
    await enqueue(1);
    await waitForJob(1);
    databaseProxy.stopForwarding();
    await waitUntil('the dead connection is closed', () => databaseProxy.open === 0);
    await enqueue(2);
    databaseProxy.failOver();
    // The second job is found when the connection is back, the third is notified over it.
    await waitForJob(2);
    await enqueue(3);
    await waitForJob(3);
  });

  it('does not delay the start of a worker when it cannot be established', async () => {
    databaseProxy.stopForwarding();
    await startWorker();
    databaseProxy.failOver();
    await enqueue(1);
    await waitForJob(1);
    await enqueue(2);
    await waitForJob(2);
  });

  it('does not delay the shutdown of a worker when dead', async () => {
    const app = await startWorker();
    databaseProxy.stopForwarding();
    await platform.stop(app);
    // The proxy sees the closed connection a moment later.
    await waitUntil('the dead connection is closed', () => databaseProxy.open === 0);
  });
});
