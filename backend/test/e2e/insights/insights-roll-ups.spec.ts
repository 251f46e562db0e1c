import { PlatformFiguresService } from '../../../src/modules/insights/dashboard/platform-figures.service.js';
import { RollUpService } from '../../../src/modules/insights/roll-up/roll-up.service.js';
import { createZone, joinPublicZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { uploadFile } from '../files/upload/multipart-helpers.js';
import {
  DAY,
  utcDay,
  withRequestContext,
  MINUTE,
  insertPastActivity,
  runRecountJob,
  runRollUpJob,
  queryRows,
} from './insights-helpers.js';

interface Flows {
  day: string;
  views: number;
  downloads: number;
  joins: number;
  leaves: number;
}

describeInProcess('Insights roll-ups', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;

  beforeEach(async () => {
    world = await World.open();
    // At noon, what happened some minutes ago happened on the same day.
    const now = world.testApp.clock.now().getTime();
    world.testApp.clock.advance(Math.ceil(now / DAY) * DAY + DAY / 2 - now);
    owner = await registerUser(world);
    zone = await createZone(owner);
  });
  afterEach(() => world.close());

  const figures = () => world.testApp.app.get(PlatformFiguresService);
  const totals = () => withRequestContext(world, () => figures().getTotals('UTC'));
  const readSeries = (days: number) => withRequestContext(world, () => figures().getSeries(days, 'UTC'));
  const zoneDays = () =>
    queryRows<Flows>(
      world,
      'select day::text, views, downloads, joins, leaves from zone_day where zone_id = ? order by day',
      [zone.id],
    );
  const ownerDays = () =>
    queryRows<Flows>(
      world,
      'select day::text, views, downloads, joins, leaves from owner_day where owner_id = ? order by day',
      [owner.id],
    );
  /** The gauges of the owner and of the zone at the end of their last quarter hour. */
  const readGauges = async () => ({
    owner: (
      await queryRows<object>(
        world,
        `select zones, files, members, bytes::int as bytes from owner_quarter
         where owner_id = ? and zones is not null order by at desc limit 1`,
        [owner.id],
      )
    )[0],
    zone: (
      await queryRows<{ bytes: number }>(
        world,
        'select bytes::int as bytes from zone_quarter where zone_id = ? and bytes is not null order by at desc limit 1',
        [zone.id],
      )
    )[0],
  });
  /** Whether quarter-hour and daily rows (UTC) have the same sums for each zone, each owner and the platform. */
  const expectConsistent = async () => {
    const sums = 'sum(views)::int as v, sum(downloads)::int as d, sum(joins)::int as j, sum(leaves)::int as l';
    for (const [of, key] of [
      ['zone', 'zone_id, '],
      ['owner', 'owner_id, '],
      ['platform', ''],
    ]) {
      const by = (table: string, day: string) =>
        queryRows(
          world,
          `select ${key} ${day}::text as day, ${sums} from ${table} group by ${key} 2
          having sum(views + downloads + joins + leaves) > 0 order by ${key} 2`.replaceAll(' 2', key ? ' 2' : ' 1'),
        );
      expect(await by(`${of}_quarter`, "(at at time zone 'UTC')::date")).toEqual(await by(`${of}_day`, 'day'));
    }
  };
  /** The figure shown to the owner. */
  const readViewsToday = async () => {
    const { body } = await owner.client.get('/api/analytics/series?range=7').expect(200);
    return (body.totals as { views: number }).views;
  };
  const readAllRows = async () => {
    await expectConsistent();
    const [zones, owners, platform] = await Promise.all([
      zoneDays(),
      ownerDays(),
      queryRows<Record<string, unknown>>(world, 'select p.*, p.day::text as day from platform_day p order by p.day'),
    ]);
    return { zones, owners, platform };
  };

  it('count activity per zone, owner and platform', async () => {
    const { id } = await uploadFile(owner.client, zone.id, 'a.txt', 'hello');
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    await member.client.get(`/api/files/${id}/view`).expect(200);
    await member.client.get(`/api/files/${id}/download`).expect(200);
    await member.client.post(`/api/zones/${zone.id}/leave`).send({}).expect(200);
    await runRollUpJob(world);
    const flows = { views: 1, downloads: 1, joins: 1, leaves: 1 };
    expect(await zoneDays()).toEqual([{ day: utcDay(world), ...flows }]);
    expect(await ownerDays()).toEqual([{ day: utcDay(world), ...flows }]);
    await expectConsistent();
    expect(await readGauges()).toEqual({ zone: { bytes: 5 }, owner: { zones: 1, files: 1, members: 0, bytes: 5 } });
    expect(await totals()).toMatchObject({
      totalUsers: 2,
      newUsersThisMonth: 2,
      totalZones: 1,
      publicZones: 1,
      privateZones: 0,
      totalFiles: 1,
      totalStorage: 5,
      totalCampaigns: 0,
      emailsSentThisMonth: 0,
    });
    const days = await readSeries(3);
    expect(days.map(({ day }) => day)).toEqual([utcDay(world, -2), utcDay(world, -1), utcDay(world)]);
    expect(days[2]).toMatchObject({ users: 2, newUsers: 2, zones: 1, files: 1, storage: 5, mails: 0, ...flows });
  });

  it('are current for the administration, whatever was rolled up before', async () => {
    await runRecountJob(world);
    const other = await registerUser(world);
    const more = await createZone(other);
    const { id } = await uploadFile(other.client, more.id, 'b.txt', '1234567');
    await joinPublicZone(more, owner);
    await owner.client.get(`/api/files/${id}/view`).expect(200);
    const requestedAt = world.testApp.clock.now();
    const totalsBefore = await totals();
    expect(totalsBefore.asOf.getTime()).toBeGreaterThanOrEqual(requestedAt.getTime());
    expect(totalsBefore).toMatchObject({
      totalUsers: 2,
      newUsersThisMonth: 2,
      totalZones: 2,
      publicZones: 2,
      totalFiles: 1,
      totalStorage: 7,
    });
    const now = { users: 2, newUsers: 2, zones: 2, files: 1, storage: 7, joins: 1, views: 1 };
    expect((await readSeries(1))[0]).toMatchObject(now);
    await runRecountJob(world);
    expect((await readSeries(1))[0]).toMatchObject(now);
  });

  it('are computed directly before the first run', async () => {
    const before = await totals();
    expect(before).toMatchObject({ totalUsers: 1, newUsersThisMonth: 1, totalZones: 1, publicZones: 1 });
    await createZone(await registerUser(world), { type: 'private' });
    expect(await totals()).toMatchObject({ totalUsers: 2, totalZones: 2, publicZones: 1, privateZones: 1 });
  });

  it('are idempotent, even with two concurrent runs', async () => {
    await insertPastActivity(world, { type: 'file.viewed', ownerId: owner.id, zoneId: zone.id, daysAgo: 40, times: 3 });
    await runRollUpJob(world);
    const once = await readAllRows();
    expect(once.platform.map(({ day }) => day)).toEqual([utcDay(world, -40), utcDay(world)]);
    await runRollUpJob(world);
    expect(await readAllRows()).toEqual(once);
    const service = world.testApp.app.get(RollUpService);
    await Promise.all(Array.from({ length: 5 }, () => withRequestContext(world, () => service.runRollUp())));
    expect(await readAllRows()).toEqual(once);
  });

  it('include late records and those missed by a stopped worker', async () => {
    await runRollUpJob(world);
    await insertPastActivity(world, {
      type: 'file.downloaded',
      ownerId: owner.id,
      zoneId: zone.id,
      daysAgo: 12,
      times: 2,
    });
    await runRollUpJob(world);
    expect((await zoneDays())[0]).toMatchObject({ day: utcDay(world, -12), downloads: 2 });
    expect(await queryRows(world, 'select 1 from dirty_days')).toEqual([]);
    world.testApp.clock.advance(35 * DAY);
    await insertPastActivity(world, { type: 'member.joined', ownerId: owner.id, zoneId: zone.id, daysAgo: 33 });
    await runRollUpJob(world);
    expect((await ownerDays()).find(({ day }) => day === utcDay(world, -33))).toMatchObject({ joins: 1 });
  });

  it('add new activity every minute and late activity at once', async () => {
    await runRecountJob(world);
    const minutes = { type: 'file.viewed', ownerId: owner.id, zoneId: zone.id };
    await insertPastActivity(world, { ...minutes, daysAgo: 0, times: 3 });
    await runRollUpJob(world);
    expect((await zoneDays()).at(-1)).toMatchObject({ day: utcDay(world), views: 3 });
    await insertPastActivity(world, { ...minutes, daysAgo: 0, times: 2 });
    // Until the roll-up includes them, views are counted at request time, and after it only once.
    expect(await readViewsToday()).toBe(5);
    await runRollUpJob(world);
    expect(await readViewsToday()).toBe(5);
    await insertPastActivity(world, { ...minutes, daysAgo: (30 * MINUTE) / DAY, times: 4 });
    expect(await queryRows(world, 'select 1 from dirty_days')).toHaveLength(1);
    await runRollUpJob(world);
    expect(await readViewsToday()).toBe(9);
    expect((await readSeries(1))[0]).toMatchObject({ views: 9 });
  });

  it('count the remaining hours of a day when a worker stopped for long', async () => {
    await runRecountJob(world);
    await insertPastActivity(world, { type: 'file.viewed', ownerId: owner.id, zoneId: zone.id, daysAgo: 0, times: 6 });
    const stopped = utcDay(world);
    world.testApp.clock.advance(5 * DAY);
    await runRollUpJob(world);
    expect((await zoneDays()).find(({ day }) => day === stopped)).toMatchObject({ views: 6 });
    expect((await readSeries(6))[0]).toMatchObject({ day: stopped, views: 6 });
  });

  it('assign the first and last moment of a UTC day correctly', async () => {
    const now = world.testApp.clock.now().getTime();
    const midnight = Math.ceil(now / DAY) * DAY;
    world.testApp.clock.advance(midnight - now - 4 * MINUTE);
    await runRollUpJob(world);
    const daysUntil = (time: number) => (world.testApp.clock.now().getTime() - time) / DAY;
    const view = { type: 'file.viewed', ownerId: owner.id, zoneId: zone.id };
    await insertPastActivity(world, { ...view, daysAgo: daysUntil(midnight - 100), times: 2 });
    await insertPastActivity(world, { ...view, daysAgo: daysUntil(midnight + 100), times: 3 });
    await runRollUpJob(world);
    await runRollUpJob(world);
    await expectConsistent();
    const days = await zoneDays();
    expect(days.at(-2)).toMatchObject({ day: utcDay(world, -1), views: 2 });
    expect(days.at(-1)).toMatchObject({ day: utcDay(world), views: 3 });
  });

  it('count once what five concurrent runs find', async () => {
    await runRecountJob(world);
    const service = world.testApp.app.get(RollUpService);
    for (let round = 1; round <= 4; round++) {
      await insertPastActivity(world, {
        type: 'file.viewed',
        ownerId: owner.id,
        zoneId: zone.id,
        daysAgo: 0,
        times: 10,
      });
      world.testApp.clock.advance(2 * MINUTE);
      await Promise.all([
        ...Array.from({ length: 5 }, () => withRequestContext(world, () => service.runRollUp())),
        insertPastActivity(world, { type: 'file.viewed', ownerId: owner.id, zoneId: zone.id, daysAgo: 0 }),
      ]);
    }
    expect(await readViewsToday()).toBe(44);
    await runRecountJob(world);
    expect(await readViewsToday()).toBe(44);
    await expectConsistent();
  });

  it('lose nothing when a worker dies midway', async () => {
    await runRecountJob(world);
    await insertPastActivity(world, { type: 'file.viewed', ownerId: owner.id, zoneId: zone.id, daysAgo: 0, times: 7 });
    world.testApp.clock.advance(2 * MINUTE);
    const service = world.testApp.app.get(RollUpService);
    const blocker = world.testApp.em();
    await blocker.begin();
    await blocker
      .getConnection()
      .execute('lock table platform_day in exclusive mode', [], 'run', blocker.getTransactionContext());
    const run = withRequestContext(world, () => service.runRollUp()).catch((error: unknown) => error);
    const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    let pids: { pid: number }[] = [];
    while (pids.length === 0) pids = await queryRows<{ pid: number }>(world, waiting);
    await queryRows(world, 'select pg_terminate_backend(?)', [pids[0]!.pid]);
    expect(await run).toBeInstanceOf(Error);
    await blocker.rollback();
    expect((await zoneDays()).reduce((sum, { views }) => sum + views, 0)).toBe(0);
    expect(await readViewsToday()).toBe(7);
    await runRollUpJob(world);
    expect((await zoneDays()).at(-1)).toMatchObject({ views: 7 });
    expect(await readViewsToday()).toBe(7);
  });

  it.each([
    ['a minute', runRollUpJob],
    ['two days', runRecountJob],
  ])('recount a zone that changed while %s was rolled up', async (_, addUp) => {
    await runRecountJob(world);
    const view = { type: 'file.viewed', ownerId: owner.id, zoneId: zone.id };
    await insertPastActivity(world, { ...view, daysAgo: 0, times: 5 }, { ...view, daysAgo: 3, times: 2 });
    const change = world.testApp.em();
    await change.begin();
    await change
      .getConnection()
      .execute('select 1 from zones where id = ? for update', [zone.id], 'all', change.getTransactionContext());
    await addUp(world);
    await change.rollback();
    await runRollUpJob(world);
    const [late, today] = [(await zoneDays())[0], (await zoneDays()).at(-1)];
    expect(late).toMatchObject({ day: utcDay(world, -3), views: 2 });
    expect(today).toMatchObject({ day: utcDay(world), views: 5 });
    expect(await queryRows(world, 'select 1 from dirty_days')).toEqual([]);
    await expectConsistent();
  });

  it('drop what is no longer recorded when a day is recounted', async () => {
    await insertPastActivity(world, { type: 'file.viewed', ownerId: owner.id, zoneId: zone.id, daysAgo: 1, times: 4 });
    await runRollUpJob(world);
    await queryRows(world, `delete from activity where type = 'file.viewed'`);
    await runRecountJob(world);
    expect((await zoneDays())[0]).toMatchObject({ day: utcDay(world, -1), views: 0 });
    await expectConsistent();
  });

  it('are deleted with the zone or user', async () => {
    await insertPastActivity(world, { type: 'file.viewed', ownerId: owner.id, zoneId: zone.id, daysAgo: 3 });
    await runRollUpJob(world);
    await owner.client.delete(`/api/zones/${zone.id}`).expect(204);
    await world.testApp.drain();
    await runRecountJob(world);
    expect(await zoneDays()).toEqual([]);
    expect(await readGauges()).toEqual({ owner: { zones: 0, files: 0, members: 0, bytes: 0 } });
    await owner.client.delete('/api/user').send({ password: owner.password }).expect(204);
    await world.testApp.drain();
    await runRollUpJob(world);
    expect(await ownerDays()).toEqual([]);
  });
});
