import { createZone, joinPublicZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { uploadFile } from '../files/upload/multipart-helpers.js';
import { DAY, MINUTE, insertPastActivity, runRollUpJob } from './insights-helpers.js';
import { allowUnlimitedZones } from '../mirrors/mirror-helpers.js';

interface Series {
  readonly to: string;
  readonly totals: Record<string, number>;
  readonly points: { from: string; views: number }[];
}

describeInProcess('Owner analytics by viewer', () => {
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

  const readStats = async () => (await owner.client.get('/api/dashboard/stats').expect(200)).body;
  const readSeries = async (query = ''): Promise<Series> =>
    (await owner.client.get(`/api/analytics/series${query}`).expect(200)).body;

  it('exclude views by the owner and zone admins', async () => {
    const { id } = await uploadFile(owner.client, zone.id, 'own.txt', 'hello');
    const admin = await registerUser(world);
    await joinPublicZone(zone, admin);
    await owner.client.patch(`/api/zones/${zone.id}/members/${admin.id}`).send({ role: 'admin' }).expect(200);
    for (const { client } of [owner, admin]) {
      await client.get(`/api/files/${id}/view`).expect(200);
      await client.get(`/api/files/${id}/download`).expect(200);
      await client
        .post(`/api/zones/${zone.id}/download`)
        .send({ fileIds: [id] })
        .expect(200);
    }
    await runRollUpJob(world);
    expect((await readStats()).totalDownloads).toBe(0);
    expect((await readSeries()).totals).toMatchObject({ views: 0, downloads: 0 });
    const [file] = (await owner.client.get(`/api/zones/${zone.id}/files`).expect(200)).body;
    expect(file).toMatchObject({ viewCount: 0, downloadCount: 0 });
    expect((await owner.client.get(`/api/files/${id}/openings`).expect(200)).body).toEqual([]);
    const { text } = await owner.client.get('/api/analytics/zones.csv').expect(200);
    expect(text.trim().split('\r\n').at(-1)).toMatch(/,0,0,1,0$/);
  });

  it('count a member of several zones once, like the plan', async () => {
    await allowUnlimitedZones(world, owner);
    const [other, member] = [await createZone(owner), await registerUser(world)];
    for (const joinedZone of [zone, other]) await joinPublicZone(joinedZone, member);
    expect(await readStats()).toMatchObject({ totalZones: 2, totalMembers: 1, trends: { members: { change: 1 } } });
    const usage = (await owner.client.get('/api/user/usage').expect(200)).body;
    expect(usage.find(({ metric }: { metric: string }) => metric === 'people')).toMatchObject({ used: 1 });
  });

  it("use the viewer's days, rolled up or not", async () => {
    // One minute before and after the day starts in Kathmandu (UTC+5:45) and in Honolulu (UTC-10).
    const now = world.testApp.clock.now().getTime();
    const noon = Math.floor(now / DAY) * DAY - 2 * DAY + DAY / 2;
    const record = (at: number, times: number) => {
      const daysAgo = (world.testApp.clock.now().getTime() - at) / DAY;
      return insertPastActivity(world, { type: 'file.viewed', ownerId: owner.id, zoneId: zone.id, daysAgo, times });
    };
    const [nepal, hawaii] = [noon + 6.25 * 60 * MINUTE, noon - 2 * 60 * MINUTE];
    await record(nepal - MINUTE, 1);
    await record(nepal + MINUTE, 2);
    await record(hawaii - MINUTE, 4);
    await record(hawaii + MINUTE, 8);
    const dayOf = (days: number) => new Date(noon + days * DAY).toISOString().slice(0, 10);
    const readViews = async (timeZone: string) => {
      const { points } = await readSeries(`?from=${dayOf(-1)}&to=${dayOf(1)}&timeZone=${timeZone}`);
      return points.map((point) => point.views);
    };
    const days = async () => [
      await readViews('UTC'),
      await readViews('Asia/Kathmandu'),
      await readViews('Pacific/Honolulu'),
    ];
    const expected = [
      [0, 15, 0],
      [0, 13, 2],
      [4, 11, 0],
    ];
    await runRollUpJob(world);
    expect(await days()).toEqual(expected);
    await record(world.testApp.clock.now().getTime(), 5);
    for (const timeZone of ['UTC', 'Asia/Kathmandu', 'Pacific/Honolulu']) {
      const { to, points } = await readSeries(`?range=7&timeZone=${timeZone}`);
      expect(to).toBe(new Intl.DateTimeFormat('en-CA', { timeZone }).format(world.testApp.clock.now()));
      expect(points.at(-1)).toMatchObject({ from: to, views: 5 });
    }
    const query = `?from=${dayOf(1)}&to=${dayOf(1)}&timeZone=Asia/Kathmandu`;
    const [figures] = (await owner.client.get(`/api/analytics/zones${query}`).expect(200)).body;
    expect(figures).toMatchObject({ views: 2 });
    const csv = (await owner.client.get(`/api/analytics/series.csv${query}`).expect(200)).text.trim().split('\r\n');
    expect(csv.at(-1)).toMatch(new RegExp(`^${dayOf(1)},2,`));
    await owner.client.put('/api/user/profile').send({ timeZone: 'Asia/Kathmandu' }).expect(200);
    const own = await readSeries(`?from=${dayOf(1)}&to=${dayOf(1)}`);
    expect(own).toMatchObject({ timeZone: 'Asia/Kathmandu', totals: { views: 2 } });
    await owner.client.get('/api/analytics/series?timeZone=Nowhere').expect(400);
  });
});
