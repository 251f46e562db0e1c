import pg from 'pg';
import { RedisServer, describeWithRedis } from '../../support/fakes/redis-server.js';
import { WorkerProcess } from '../../support/worker-process.js';
import { baseUrl, type World } from '../../support/world.js';
import {
  insertMembers,
  createDraft,
  SmtpSink,
  createSender,
  openWorldWithSink,
  readProgress,
  readUsedEmails,
  type Sender,
} from './campaign-helpers.js';
import { waitUntil } from '../../support/wait-until.js';

const CONNECTIONS = 5;
const RECIPIENTS = 60;
/** Milliseconds until the mail server accepts a message; 60 messages over 5 connections take about a second. */
const QUICK = 80;
/** The same, longer than any action during sending. */
const SLOW = 1500;

/** Real worker processes, a real mail server and a shared Redis. */
(baseUrl ? describe.skip : describeWithRedis)('Campaign sending while processes and servers are killed', () => {
  let world: World;
  let sink: SmtpSink;
  let redis: RedisServer;
  let sender: Sender;
  let workers: WorkerProcess[] = [];

  beforeAll(async () => {
    [sink, redis] = await Promise.all([SmtpSink.listen(), RedisServer.start()]);
    world = await openWorldWithSink(sink, { REDIS_URL: redis.url });
    world.testApp.clock.useRealTime();
  });
  beforeEach(async () => {
    sink.acceptDelay = 0;
    sender = await createSender(world);
    sink.messages.length = 0;
    sink.acceptDelay = QUICK;
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    workers = [];
  });
  afterAll(async () => {
    await world.close();
    await Promise.all([sink.stop(), redis.close()]);
  });

  function startWorker(env: Record<string, string> = {}): WorkerProcess {
    const settings = { SMTP_URL: sink.url, REDIS_URL: redis.url, MAIL_CONNECTIONS: String(CONNECTIONS), ...env };
    const worker = WorkerProcess.start(world.testApp, settings);
    workers.push(worker);
    return worker;
  }
  /**
   * Runs something in the middle of a campaign: the remaining emails take a quarter of a minute, however busy the
   * machine is.
   */
  async function midway<T>(count: number, act: () => Promise<T>): Promise<T> {
    await waitForEmails(count);
    sink.acceptDelay = SLOW;
    const result = await act();
    sink.acceptDelay = QUICK;
    return result;
  }
  const waitForEmails = (count: number) =>
    waitUntil(`${count} emails are sent`, () => sink.messages.length >= count, 40_000);
  async function startCampaign(): Promise<number> {
    const id = await createDraft(sender);
    await sender.owner.client.post(`/api/campaigns/${id}/send`).expect(200);
    return id;
  }
  const statusOf = async (id: number) => (await readProgress(sender.owner.client, id)).status;
  const waitForEnd = (id: number) =>
    waitUntil('the campaign has ended', async () => (await statusOf(id)) === 'sent', 60_000);
  /** Expires the leases of dead workers. */
  const expireLeases = () =>
    world.testApp.em().execute(`update delivery_workers set seen_at = now() - interval '1 hour'`);

  /**
   * Prints and returns the outcome; checks that every recipient got the email and that the used quota equals the sent count.
   */
  async function checkOutcome(
    what: string,
    id: number,
    emails: string[],
  ): Promise<{ lost: number; duplicated: number }> {
    const received = new Set(sink.recipients);
    const lostCount = emails.filter((email) => !received.has(email)).length;
    const duplicateCount = sink.messages.length - received.size;
    process.stdout.write(`${what}: ${sink.messages.length} sent, ${lostCount} lost, ${duplicateCount} duplicated\n`);
    expect(await readProgress(sender.owner.client, id)).toMatchObject({
      status: 'sent',
      deliveredCount: emails.length,
    });
    expect(await readUsedEmails(world, sender)).toBe(emails.length);
    expect(new Set(sink.messages.map(({ messageId }) => messageId)).size).toBe(emails.length);
    return { lost: lostCount, duplicated: duplicateCount };
  }

  it('loses no emails when a worker is killed twice, and duplicates at most the emails in flight', async () => {
    const emails = await insertMembers(world, sender.zone, RECIPIENTS);
    const id = await startCampaign();
    for (const count of [12, 30]) {
      const worker = startWorker();
      await midway(count, async () => {
        await waitUntil('emails are in flight', () => sink.pendingCount > 0);
        await worker.kill();
      });
      expect(await statusOf(id)).toBe('sending');
      await expireLeases();
    }
    startWorker();
    await waitForEnd(id);
    const { lost: lostCount, duplicated: duplicateCount } = await checkOutcome(
      'the worker is killed twice',
      id,
      emails,
    );
    expect(lostCount).toBe(0);
    expect(duplicateCount).toBeLessThanOrEqual(2 * CONNECTIONS);
  });

  it('finishes the emails in flight when a worker stops, and the next worker continues at once', async () => {
    const emails = await insertMembers(world, sender.zone, RECIPIENTS);
    const id = await startCampaign();
    const worker = startWorker();
    expect(await midway(12, () => worker.stop())).toBe(0);
    expect(await statusOf(id)).toBe('sending');
    startWorker();
    await waitForEnd(id);
    expect(await checkOutcome('the worker is stopped', id, emails)).toEqual({ lost: 0, duplicated: 0 });
  });

  it('loses and duplicates no emails when Redis stops and comes back empty', async () => {
    const emails = await insertMembers(world, sender.zone, RECIPIENTS);
    startWorker();
    const id = await startCampaign();
    await waitForEmails(12);
    await redis.kill();
    await waitForEmails(30);
    await redis.restart();
    await waitForEnd(id);
    expect(await checkOutcome('Redis is stopped and emptied', id, emails)).toEqual({ lost: 0, duplicated: 0 });
  });

  it('loses no emails when the database drops all connections for a while', async () => {
    const emails = await insertMembers(world, sender.zone, RECIPIENTS);
    const worker = startWorker();
    const id = await startCampaign();
    await midway(12, () => withoutDatabase(world, () => new Promise((resolve) => setTimeout(resolve, 1500))));
    expect(sink.messages.length).toBeLessThan(RECIPIENTS);
    await waitForEnd(id);
    expect(worker.isAlive).toBe(true);
    const { lost: lostCount, duplicated: duplicateCount } = await checkOutcome('PostgreSQL is unavailable', id, emails);
    expect(lostCount).toBe(0);
    expect(duplicateCount).toBeLessThanOrEqual(CONNECTIONS);
  });

  it('charges for the emails sent when the zone is deleted during sending', async () => {
    await insertMembers(world, sender.zone, RECIPIENTS);
    startWorker();
    const id = await startCampaign();
    await waitForEmails(12);
    sink.acceptDelay = SLOW;
    await sender.owner.client.delete(`/api/zones/${sender.zone.id}`).expect(204);
    const rows = (sql: string, of: number) => world.testApp.em().execute<unknown[]>(sql, [of]);
    const zones = () => rows('select from zones where id = ?', sender.zone.id);
    await waitUntil('the zone is deleted', async () => (await zones()).length === 0, 40_000);
    await waitUntil('no emails are in flight', () => sink.pendingCount === 0);
    await waitUntil(
      'sent emails are charged',
      async () => (await readUsedEmails(world, sender)) === sink.messages.length,
    );
    process.stdout.write(`the zone is deleted: ${sink.messages.length} sent, ${RECIPIENTS} would have been\n`);
    expect(sink.messages.length).toBeLessThan(RECIPIENTS);
    const reports = await rows('select status, delivered_count from campaigns where id = ?', id);
    expect(reports).toEqual([{ status: 'cancelled', delivered_count: sink.messages.length }]);
  });

  it('keeps two workers together to the rate limit from the first email', async () => {
    const rate = 20;
    sink.acceptDelay = 0;
    const emails = await insertMembers(world, sender.zone, RECIPIENTS);
    const em = world.testApp.em();
    await em.execute(`delete from instances where role = 'worker'`);
    startWorker({ MAIL_RATE: String(rate) });
    startWorker({ MAIL_RATE: String(rate) });
    const countWorkers = async () =>
      (await em.execute<unknown[]>(`select from instances where role = 'worker'`)).length;
    await waitUntil('both workers are running', async () => (await countWorkers()) >= 2, 120_000);
    const startedAt = Date.now();
    const id = await startCampaign();
    await waitForEnd(id);
    expect(await checkOutcome('two workers with a rate', id, emails)).toEqual({ lost: 0, duplicated: 0 });
    // The rate limiter's bucket holds at most one second's worth, so no more than this may be sent by any time.
    const tooEarly = sink.messages.filter(({ at }, index) => index + 1 > rate + (rate * (at - startedAt)) / 1000 + 1);
    expect(tooEarly).toEqual([]);
  });
});

/** Cuts all connections to the database and refuses new ones during `work`, then accepts them again. */
async function withoutDatabase(world: World, work: () => Promise<unknown>): Promise<void> {
  const { database, ...server } = world.testApp.connection;
  const admin = new pg.Client({ ...server, database: 'postgres' } as pg.ClientConfig);
  await admin.connect();
  try {
    await admin.query(`alter database ${database} allow_connections false`);
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database]);
    await work();
  } finally {
    await admin.query(`alter database ${database} allow_connections true`);
    await admin.end();
  }
}
