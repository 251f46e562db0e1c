import { RecipientService } from '../../../src/modules/campaigns/audience/recipient.service.js';
import { MINUTE, SECOND } from '../../../src/platform/clock/clock.js';
import { latestCronSlot } from '../../../src/platform/jobs/cron/cron-slot.js';
import { forEachIsolated } from '../../../src/platform/jobs/running/for-each-isolated.js';
import {
  allCronJobDefinitions,
  allJobDefinitions,
  LONG_STATEMENT_LIMIT,
} from '../../../src/platform/jobs/job-definition.js';
import { JobRunner } from '../../../src/platform/jobs/running/job-runner.js';
import { JobTimings } from '../../../src/platform/jobs/running/job-timings.js';
import { createZone, registerUser, uniqueName } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { insertMembers, createDraft } from '../campaigns/campaign-helpers.js';

describeInProcess('Job queues', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.close());

  const execute = (sql: string, values: unknown[] = []) =>
    world.testApp.em().execute<Record<string, unknown>[]>(sql, values);

  it('are separated by duration so that frequent jobs never wait for long ones', () => {
    const everyMinute = allCronJobDefinitions().filter(({ cron }) => {
      const [first, second] = ['2026-03-10T12:00:30Z', '2026-03-10T12:01:30Z'].map((at) =>
        latestCronSlot(cron, new Date(at)),
      );
      return second!.getTime() - first!.getTime() === MINUTE;
    });
    expect(everyMinute.length).toBeGreaterThan(3);
    expect(everyMinute.filter(({ queue }) => queue !== 'clock').map(({ name }) => name)).toEqual([]);
    const queueOf = (name: string) => allCronJobDefinitions().find((job) => job.name === name)?.queue;
    const long = ['billing.reconcile-subscriptions', 'files.sweep-objects', 'retention.apply-retention'];
    expect(long.map(queueOf)).toEqual(['long', 'long', 'long']);
    expect(['storage.renew-storage-mark', 'files.sweep-uploads'].map(queueOf)).toEqual(['maintenance', 'maintenance']);
  });

  it('allow longer statements for jobs that scan whole tables', () => {
    const longRunning = allJobDefinitions().filter(({ statementLimit }) => statementLimit === LONG_STATEMENT_LIMIT);
    expect(longRunning.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'activity.create-activity-partitions',
        'billing.reconcile-subscriptions',
        'files.sweep-objects',
        'insights.roll-up',
        'retention.apply-retention',
      ]),
    );
  });

  it('complete a cron job that a killed worker held', async () => {
    expect(allCronJobDefinitions().filter(({ maxAttempts }) => maxAttempts < 3)).toEqual([]);
    const [{ max: attempts }] = [
      { max: allCronJobDefinitions().find(({ name }) => name === 'insights.roll-up')!.maxAttempts },
    ];
    await execute(
      `insert into jobs (queue, name, payload, state, run_at, attempts, max_attempts, lease_token, lease_until, created_at)
       values ('clock', 'insights.roll-up', '{"slot": "2026-03-10T12:00:00.000Z"}', 'running', now(), 1, ?,
         gen_random_uuid(), now() - interval '1 second', now())`,
      [attempts],
    );
    await world.testApp.drain();
    expect(await execute(`select state from jobs where name = 'insights.roll-up'`)).toEqual([]);
  });

  it('recover jobs of a killed worker within 15 seconds', () => {
    const { leaseDuration, pollInterval, heartbeatInterval } = new JobTimings();
    expect(leaseDuration + pollInterval).toBeLessThan(15 * SECOND);
    // Two heartbeats may be lost before the lease expires.
    expect(heartbeatInterval * 3).toBeLessThanOrEqual(leaseDuration);
  });

  it('use the database clock for due times, however wrong the host clock is', async () => {
    const { clock } = world.testApp;
    const email = `${uniqueName('early')}@example.com`;
    const real = clock.now.bind(clock);
    const ahead = jest.spyOn(clock, 'now').mockImplementation(() => new Date(real().getTime() + MINUTE));
    await world.createClient().post('/api/send-verification').send({ email }).expect(200);
    ahead.mockRestore();
    expect((await world.waitForEmail(email)).text).toMatch(/\d{6}/);
    const behind = jest.spyOn(clock, 'now').mockImplementation(() => new Date(real().getTime() - MINUTE));
    const late = `${uniqueName('late')}@example.com`;
    await world.createClient().post('/api/send-verification').send({ email: late }).expect(200);
    expect((await world.waitForEmail(late)).text).toMatch(/\d{6}/);
    behind.mockRestore();
  });

  it('start the remaining scheduled campaigns when one throws', async () => {
    const owner = await registerUser(world);
    await execute(`update users set plan = 'enterprise' where id = ?`, [owner.id]);
    const zones = [await createZone(owner), await createZone(owner)];
    const ids: number[] = [];
    for (const zone of zones) {
      await insertMembers(world, zone, 1);
      ids.push(await createDraft({ owner, zone }));
    }
    const at = new Date(world.testApp.clock.now().getTime() - MINUTE);
    for (const id of ids)
      await execute(`update campaigns set status = 'scheduled', scheduled_at = ?, time_zone = 'UTC' where id = ?`, [
        at,
        id,
      ]);
    const recipients = world.testApp.app.get(RecipientService);
    const real = recipients.findSuppressedMemberIds.bind(recipients);
    jest
      .spyOn(recipients, 'findSuppressedMemberIds')
      .mockImplementation((em, zone) =>
        zone.id === zones[0]!.id ? Promise.reject(new Error('This one always fails.')) : real(em, zone),
      );
    await execute(
      `insert into jobs (queue, name, payload, run_at, max_attempts, created_at)
       values ('clock', 'campaigns.sweep-campaigns', '{}', now(), 10, now())`,
    );
    const { failures } = await world.testApp.app.get(JobRunner).drain({ tolerant: true });
    expect(failures.map(({ job }) => job)).toContain('campaigns.sweep-campaigns');
    const rows = await execute('select id, status from campaigns where id in (?, ?) order by id', ids);
    // Without a mail server emails are held back, which doesn't count as success.
    expect(rows.map(({ status }) => status)).toEqual(['scheduled', 'failed']);
    await execute(`delete from jobs where name = 'campaigns.sweep-campaigns'`);
  });
});

describe('forEachIsolated', () => {
  it('processes every item and then reports the failures', async () => {
    const completed: number[] = [];
    const work = (n: number) => (n % 2 ? Promise.reject(new Error(`no ${n}`)) : Promise.resolve(completed.push(n)));
    await expect(forEachIsolated([1, 2, 3, 4], work)).rejects.toMatchObject({
      message: '2 failed, the first: no 1',
      errors: [{ message: 'no 1' }, { message: 'no 3' }],
    });
    expect(completed).toEqual([2, 4]);
  });

  it('stops when the worker stops', async () => {
    const stop = new AbortController();
    const completed: number[] = [];
    const work = (n: number) => Promise.resolve(void (completed.push(n), n === 2 && stop.abort()));
    await expect(forEachIsolated([1, 2, 3], work, stop.signal)).rejects.toThrow('aborted');
    expect(completed).toEqual([1, 2]);
  });
});
