import { createZone, joinPublicZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { uploadFile } from '../files/upload/multipart-helpers.js';
import { DAY, utcDay, insertPastActivity, runRollUpJob, queryRows } from './insights-helpers.js';

interface Point {
  from: string;
  to: string;
  views: number;
  downloads: number;
  joins: number;
  leaves: number;
  storage: number | null;
}

describeInProcess('Owner analytics', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    owner = await registerUser(world);
    zone = await createZone(owner);
  });
  afterAll(() => world.close());

  const readStats = async (client = owner.client) => (await client.get('/api/dashboard/stats').expect(200)).body;
  const readSeries = async (query = '', client: Client = owner.client) =>
    (await client.get(`/api/analytics/series${query}`).expect(200)).body as {
      from: string;
      to: string;
      bucket: string;
      timeZone: string;
      totals: Record<string, number>;
      points: Point[];
    };
  const insertPast = (type: string, daysAgo: number, times = 1) =>
    insertPastActivity(world, { type, ownerId: owner.id, zoneId: zone.id, daysAgo, times });
  const ageAccount = (days: number) =>
    queryRows(world, `update users set created_at = created_at - ? * interval '1 day' where id = ?`, [days, owner.id]);

  it('are current before and after the roll-up', async () => {
    const { id } = await uploadFile(owner.client, zone.id, 'a.txt', 'hello');
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    await member.client.get(`/api/files/${id}/download`).expect(200);
    const live = await readStats();
    expect(live).toMatchObject({ totalZones: 1, totalFiles: 1, totalMembers: 1, totalDownloads: 1, totalStorage: 5 });
    expect(live.trends.downloads).toMatchObject({ change: 1, percent: null });
    expect(live.trends.files).toMatchObject({ change: 1, percent: null });
    expect(live.trends.files.points).toHaveLength(30);
    await runRollUpJob(world);
    expect(await readStats()).toEqual(live);
    await member.client.get(`/api/files/${id}/view`).expect(200);
    const happened = { views: 1, downloads: 1, joins: 1, leaves: 0 };
    expect((await readSeries()).totals).toEqual(happened);
    await runRollUpJob(world);
    expect((await readSeries()).totals).toEqual(happened);
    expect((await readSeries()).points.at(-1)).toEqual({
      from: utcDay(world),
      to: utcDay(world),
      ...happened,
      storage: 5,
    });
  });

  it('compare with the previous 30 days', async () => {
    await ageAccount(400);
    await insertPast('file.downloaded', 45, 4);
    await insertPast('file.downloaded', 5, 6);
    await queryRows(
      world,
      `insert into owner_quarter (owner_id, at, zones, files, members, bytes) values (?, ?, 1, 4, 10, 9)`,
      [owner.id, utcDay(world, -100)],
    );
    await runRollUpJob(world);
    const { trends, totalDownloads } = await readStats();
    expect(totalDownloads).toBe(10);
    expect(trends.downloads).toMatchObject({ change: 2, percent: 50 });
    expect(trends.zones).toMatchObject({ change: 0, percent: 0 });
    expect(trends.files).toMatchObject({ change: -4, percent: -100 });
    expect(trends.members.points[0]).toEqual({ day: utcDay(world, -29), value: 10 });
  });

  it('report unknown values before the first roll-up', async () => {
    await ageAccount(400);
    await runRollUpJob(world);
    expect((await readStats()).trends.zones).toMatchObject({ change: null, percent: null });
    expect((await readSeries('?range=7')).points[0]!.storage).toBeNull();
  });

  it('are grouped by days, weeks and months, for all zones or one', async () => {
    await ageAccount(1200);
    const other = await createZone(await registerUser(world));
    await insertPast('file.viewed', 3, 2);
    await insertPast('member.joined', 80);
    await insertPast('member.left', 500);
    await runRollUpJob(world);
    const [week, quarter, all] = [
      await readSeries('?range=7'),
      await readSeries('?range=90'),
      await readSeries('?range=all'),
    ];
    expect(week).toMatchObject({ bucket: 'day', timeZone: 'UTC', from: utcDay(world, -6), to: utcDay(world) });
    expect(week.points.map(({ views }) => views)).toEqual([0, 0, 0, 2, 0, 0, 0]);
    expect(quarter.totals).toEqual({ views: 2, downloads: 0, joins: 1, leaves: 0 });
    expect(all).toMatchObject({ bucket: 'month', totals: { views: 2, downloads: 0, joins: 1, leaves: 1 } });
    const year = await readSeries(`?from=${utcDay(world, -364)}`);
    expect(year.bucket).toBe('week');
    expect(year.points.length).toBeLessThan(55);
    expect((await readSeries(`?zoneId=${zone.id}`)).totals.views).toBe(2);
    await owner.client.get(`/api/analytics/series?zoneId=${other.id}`).expect(404);
    expect((await readSeries('?range=7')).totals).toEqual((await readSeries(`?range=7&zoneId=${zone.id}`)).totals);
  });

  it('reject invalid ranges with the field', async () => {
    for (const query of [
      'from=1926-01-01&to=2026-01-01',
      'from=2026-02-02&to=2026-02-01',
      'from=2026-02-30',
      'from=9999-12-31&to=9999-12-31',
      'to=x',
      'range=8',
      'zoneId=a',
      'more=1',
    ]) {
      const { body } = await owner.client.get(`/api/analytics/series?${query}`).expect(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: expect.any(Object) });
    }
    await owner.client.get('/api/analytics/zones?from=2026-02-02&to=2026-02-01').expect(400);
    await owner.client.get('/api/analytics/zones.csv?range=9').expect(400);
  });

  it('are listed per zone in pages', async () => {
    await queryRows(world, `update usage set allowed = null where owner_id = ?`, [owner.id]);
    const quiet = await createZone(owner, { name: 'Quiet', type: 'private' });
    await uploadFile(owner.client, zone.id, 'a.txt', 'hello');
    await insertPast('file.viewed', 3, 2);
    await insertPast('file.viewed', 50, 5);
    await runRollUpJob(world);
    await insertPast('file.downloaded', 0);
    const { body } = await owner.client.get('/api/analytics/zones?range=30').expect(200);
    const none = { views: 0, downloads: 0, joins: 0, leaves: 0 };
    expect(body).toEqual([
      {
        id: zone.id,
        name: zone.name,
        description: '',
        type: 'public',
        fileCount: 1,
        memberCount: 0,
        storage: 5,
        ...none,
        views: 2,
        downloads: 1,
      },
      {
        id: quiet.id,
        name: 'Quiet',
        description: '',
        type: 'private',
        fileCount: 0,
        memberCount: 0,
        storage: 0,
        ...none,
      },
    ]);
    const first = await owner.client.get('/api/analytics/zones?range=90&limit=1').expect(200);
    expect([first.headers['x-total-count'], first.body[0].views]).toEqual(['2', 7]);
    const next = /<([^>]+)>/.exec(first.headers.link!)![1]!;
    expect((await owner.client.get(next).expect(200)).body.map(({ id }: { id: number }) => id)).toEqual([quiet.id]);
  });

  it('are exported as CSV without formulas', async () => {
    await owner.client.patch(`/api/zones/${zone.id}`).send({ name: '=HYPERLINK("x","y")' }).expect(200);
    const { text, headers } = await owner.client.get('/api/analytics/zones.csv').expect(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toContain('attachment');
    expect(text).toContain(`"'=HYPERLINK(""x"",""y"")"`);
    const days = (await owner.client.get('/api/analytics/series.csv?range=7').expect(200)).text.trim().split('\r\n');
    expect(days[0]).toContain('day,views,downloads,joins,leaves,storageBytes');
    expect(days).toHaveLength(8);
  });

  it('are restricted to the owner', async () => {
    const [member, outsider] = [await registerUser(world), await registerUser(world)];
    await joinPublicZone(zone, member);
    const { id } = await uploadFile(owner.client, zone.id, 'a.txt', 'hello');
    await member.client.get(`/api/files/${id}/view`).expect(200);
    for (const client of [member.client, outsider.client]) {
      expect((await readStats(client)).totalZones).toBe(0);
      expect((await readSeries('', client)).totals.views).toBe(0);
      expect((await client.get('/api/analytics/zones').expect(200)).body).toEqual([]);
      expect((await client.get('/api/dashboard/attention').expect(200)).body).toEqual([]);
      await client.get(`/api/analytics/series?zoneId=${zone.id}`).expect(404);
    }
    await owner.client.patch(`/api/zones/${zone.id}/members/${member.id}`).send({ role: 'admin' }).expect(200);
    for (const path of [`/api/files/${id}/openings`, `/api/files/${id}/openings.csv`]) {
      expect((await member.client.get(path).expect(403)).body.code).toBe('ZONE_FORBIDDEN');
      await outsider.client.get(path).expect(404);
      await world.createClient().get(path).expect(401);
      await owner.client.get(path).expect(200);
    }
    for (const path of ['series', 'series.csv', 'files', 'zones', 'zones.csv']) {
      await world.createClient().get(`/api/analytics/${path}`).expect(401);
    }
    await world.createClient().get('/api/dashboard/attention').expect(401);
  });
});

describeInProcess('GET /api/files/:id/openings', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world, { firstName: 'Grace' });
    zone = await createZone(owner);
  });
  afterAll(() => world.close());

  it('returns first and last time and count per user, latest first', async () => {
    const { id } = await uploadFile(owner.client, zone.id, 'a.txt', 'hello');
    const [ada, rosa] = [
      await registerUser(world, { firstName: '=Ada', lastName: 'L' }),
      await registerUser(world, { firstName: 'Rosa', lastName: '.' }),
    ];
    await joinPublicZone(zone, ada);
    await joinPublicZone(zone, rosa);
    await ada.client.get(`/api/files/${id}/view`).expect(200);
    await Promise.all(Array.from({ length: 10 }, () => rosa.client.get(`/api/files/${id}/view`).expect(200)));
    world.testApp.clock.advance(DAY / 12);
    await ada.client.get(`/api/files/${id}/view`).expect(200);
    await ada.client.get(`/api/files/${id}/download`).expect(200);
    const response = await owner.client.get(`/api/files/${id}/openings`).expect(200);
    expect(response.headers['x-total-count']).toBe('2');
    expect(response.body).toMatchObject([
      { userId: ada.id, name: '=Ada L', email: ada.email, views: 2, downloads: 1 },
      { userId: rosa.id, name: 'Rosa', email: rosa.email, views: 1, downloads: 0 },
    ]);
    const [first] = response.body as { firstAt: string; lastAt: string }[];
    expect(Date.parse(first!.lastAt) - Date.parse(first!.firstAt)).toBeGreaterThanOrEqual(DAY / 12);
    const page = await owner.client.get(`/api/files/${id}/openings?limit=1`).expect(200);
    const next = /<([^>]+)>/.exec(page.headers.link!)![1]!;
    expect((await owner.client.get(next).expect(200)).body).toMatchObject([{ userId: rosa.id }]);
    const { text } = await owner.client.get(`/api/files/${id}/openings.csv`).expect(200);
    expect(text).toContain(`'=Ada L,${ada.email}`);
  });

  it('loses entries with the user or file and is part of the export', async () => {
    const { id } = await uploadFile(owner.client, zone.id, 'b.txt', 'hello');
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    await member.client.get(`/api/files/${id}/view`).expect(200);
    const { body } = await member.client.get('/api/user/export').expect(200);
    expect(body.openedFiles).toMatchObject([{ fileId: id, views: 1, downloads: 0 }]);
    await member.client.delete('/api/user').send({ password: member.password }).expect(204);
    await world.testApp.drain();
    expect((await owner.client.get(`/api/files/${id}/openings`).expect(200)).body).toEqual([]);
    await owner.client.get(`/api/files/${id}/view`).expect(200);
    await owner.client.delete(`/api/zones/${zone.id}`).expect(204);
    await world.testApp.drain();
    expect(await queryRows(world, 'select 1 from file_openings')).toEqual([]);
  });
});

describeInProcess('GET /api/dashboard/attention', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(() => world.close());

  it('lists join requests, waiting purchases and recently failed emails', async () => {
    const owner = await registerUser(world);
    const approvalZone = await createZone(owner, { autoJoin: false });
    const visitor = await registerUser(world);
    await joinPublicZone(approvalZone, visitor);
    await queryRows(world, `update usage set allowed = null where owner_id = ?`, [owner.id]);
    const zone = await createZone(owner);
    const campaign = (subject: string, more: string, values: string) =>
      queryRows<{ id: number }>(
        world,
        `insert into campaigns (zone_id, sent_by_id, name, subject, html_content, created_at, updated_at, ${more})
         values (?, ?, 'n', ?, 'x', now(), now(), ${values}) returning id::int`,
        [zone.id, owner.id, subject],
      );
    const [bounced] = await campaign(
      'Bounced',
      'status, recipient_count, failed_count, delivered_count',
      `'sent', 9, 2, 7`,
    );
    const [failed] = await campaign('Not sent', 'status, failure', `'failed', 'PLAN_LIMIT'`);
    await campaign('Fine', 'status, recipient_count, delivered_count', `'sent', 9, 9`);
    await queryRows(
      world,
      `insert into entitlements (source, external_id, purchase_id, zone_id, user_id, state, occurred_at, finality, created_at, updated_at)
       select 'woocommerce', 'o' || n, 'o' || n, ?, ?, case when n < 3 then 'waiting' else 'given' end, now(), 1, now(), now()
       from generate_series(1, 3) n`,
      [zone.id, visitor.id],
    );
    const { body } = await owner.client.get('/api/dashboard/attention').expect(200);
    const none = { campaignId: null, campaignName: null };
    expect(body.slice(0, 2)).toEqual([
      { kind: 'join_requests', count: 1, zoneId: approvalZone.id, zoneName: approvalZone.name, ...none },
      { kind: 'waiting_orders', count: 2, zoneId: zone.id, zoneName: zone.name, ...none },
    ]);
    expect(body.slice(2)).toHaveLength(2);
    expect(body).toContainEqual(
      expect.objectContaining({ kind: 'failed_mails', count: 2, campaignId: bounced!.id, campaignName: 'Bounced' }),
    );
    expect(body).toContainEqual(expect.objectContaining({ kind: 'failed_campaign', count: 1, campaignId: failed!.id }));
    world.testApp.clock.advance(15 * DAY);
    const later = (await owner.client.get('/api/dashboard/attention').expect(200)).body as { kind: string }[];
    expect(later.map(({ kind }) => kind)).toEqual(['join_requests', 'waiting_orders']);
    // An answered request is no longer pending, although its row is kept for a while.
    const requests = `/api/zones/${approvalZone.id}/join-requests`;
    const [request] = (await owner.client.get(requests).expect(200)).body as { id: number }[];
    await owner.client.post(`${requests}/${request!.id}/decline`).expect(200);
    const answered = (await owner.client.get('/api/dashboard/attention').expect(200)).body as { kind: string }[];
    expect(answered.map(({ kind }) => kind)).toEqual(['waiting_orders']);
  });
});
