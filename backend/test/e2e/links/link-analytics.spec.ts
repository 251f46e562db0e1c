import { registerUser, uniqueName } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { LinkUsageService } from '../../../src/modules/links/analytics/link-usage.service.js';
import {
  requestJoinByLink,
  readLinkAnalytics,
  joinByLink,
  createLink,
  createPrivateZone,
  type PrivateZone,
  type TestLink,
} from './link-helpers.js';

const DAY = 86_400_000;
/** Addresses of public resolvers, whose country doesn't change. */
const [AMERICAN, TURKISH, AMERICAN_V6] = ['8.8.8.8', '195.175.39.39', '2001:4860:4860::8888'];

describeInProcess('Link analytics', () => {
  let world: World;
  let at: PrivateZone;
  beforeAll(async () => {
    world = await World.open({ TRUST_PROXY: '1' });
  });
  beforeEach(async () => {
    at = await createPrivateZone(world);
  });
  afterAll(() => world.close());

  const address = () => `${uniqueName('visitor')}@example.com`;
  const readUsages = (link: TestLink) =>
    world.testApp.em().execute('select * from link_usages where link_id = ? order by id', [link.id]) as Promise<
      Record<string, unknown>[]
    >;

  it('count attempts, joins, new users, countries, days and reasons', async () => {
    const link = await createLink(at, { password: 'tulip tree', maxUses: 2 });
    const quiet = await createLink(at);
    const [known, email] = [await registerUser(world, { firstName: 'Rosa', lastName: '.' }), address()];
    const password = 'tulip tree';
    await joinByLink(world.createClient(), link, email, { password: 'wrong' }).set('X-Forwarded-For', TURKISH!);
    await joinByLink(known.client, link, known.email, { password }).set('X-Forwarded-For', AMERICAN_V6!).expect(200);
    const emailed = await requestJoinByLink(world, link, email, { password });
    await world.createClient().post('/api/verify-email').send(emailed).expect(200);
    await joinByLink(world.createClient(), link, address(), { password }).set('X-Forwarded-For', AMERICAN!).expect(410);

    const figures = await readLinkAnalytics(at, link.id);
    const days = figures.overTime as { date: string; attempts: number; joins: number }[];
    expect(days[0]!.date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(days.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(4);
    expect(days.reduce((sum, { joins }) => sum + joins, 0)).toBe(2);
    expect(figures).toMatchObject({
      id: link.id,
      currentUses: 2,
      totalAttempts: 4,
      successfulJoins: 2,
      newUsers: 1,
      existingUsers: 1,
      countries: [
        { country: 'US', attempts: 2, joins: 1 },
        { country: 'TR', attempts: 1, joins: 0 },
        { country: null, attempts: 1, joins: 1 },
      ],
      outcomes: [
        { outcome: 'joined', attempts: 2 },
        { outcome: 'LINK_MAX_USES', attempts: 1 },
        { outcome: 'LINK_PASSWORD_WRONG', attempts: 1 },
      ],
      recentJoins: [
        { userName: null, userEmail: email, wasNewUser: true, joinedAt: expect.any(String) },
        { userName: 'Rosa', userEmail: known.email, wasNewUser: false, joinedAt: expect.any(String) },
      ],
    });
    const none = { totalAttempts: 0, successfulJoins: 0, newUsers: 0, existingUsers: 0 };
    const empty = { countries: [], outcomes: [], recentJoins: [], overTime: [] };
    expect(await readLinkAnalytics(at, quiet.id)).toMatchObject({ ...none, ...empty });
  });

  it('leave out attempts of those who manage the zone, signed in or not', async () => {
    const link = await createLink(at, { maxUses: 2 });
    const admin = await registerUser(world);
    await joinByLink(admin.client, await createLink(at), admin.email).expect(200);
    await at.owner.client.patch(`/api/zones/${at.zone.id}/members/${admin.id}`).send({ role: 'admin' }).expect(200);
    for (const { client, email } of [at.owner, admin]) await joinByLink(client, link, email).expect(409);
    const emailed = await requestJoinByLink(world, link, admin.email);
    await world.createClient().post('/api/verify-email').send(emailed).expect(200);
    expect(await readUsages(link)).toEqual([]);
  });

  it('record a pending attempt and a later rejection', async () => {
    const link = await createLink(at, { maxUses: 1 });
    const first = await requestJoinByLink(world, link, address());
    const second = await requestJoinByLink(world, link, address());
    expect((await readUsages(link)).map(({ outcome }) => outcome)).toEqual(['asked', 'asked']);
    await world.createClient().post('/api/verify-email').send(first).expect(200);
    await world.createClient().post('/api/verify-email').send(second).expect(410);
    expect((await readUsages(link)).map(({ outcome }) => outcome)).toEqual(['joined', 'LINK_MAX_USES']);
  });

  it('keep addresses and user agents for 90 days and the country permanently', async () => {
    const link = await createLink(at);
    await joinByLink(world.createClient(), link, address())
      .set('X-Forwarded-For', TURKISH!)
      .set('User-Agent', 'Test/1.0');
    const trace = { ip_address: TURKISH, user_agent: 'Test/1.0', country: 'TR', city: null };
    expect(await readUsages(link)).toMatchObject([trace]);
    const eraseVisitors = () =>
      world.testApp.app
        .get(LinkUsageService)
        .eraseVisitorDetails({}, { signal: new AbortController().signal } as never);
    await eraseVisitors();
    expect(await readUsages(link)).toMatchObject([trace]);
    await world.testApp
      .em()
      .execute(`update link_usages set attempted_at = ? where link_id = ?`, [
        new Date(world.now() - 90 * DAY),
        link.id,
      ]);
    await eraseVisitors();
    expect(await readUsages(link)).toMatchObject([{ ...trace, ip_address: null, user_agent: null }]);
  });

  it('are exported as CSV without IP addresses or formulas', async () => {
    const link = await createLink(at);
    const member = await registerUser(world, { firstName: '=HYPERLINK("x")', lastName: 'B, C' });
    await joinByLink(member.client, link, member.email).set('X-Forwarded-For', TURKISH!).expect(200);
    await joinByLink(world.createClient(), link, address(), { emailConsent: false }).set('X-Forwarded-For', AMERICAN!);
    const response = await at.owner.client.get(`/api/temporary-links/${link.id}/usages.csv`).expect(200);
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(response.headers['content-disposition']).toBe(`attachment; filename="link-${link.id}.csv"`);
    const lines = response.text.replace('\ufeff', '').trimEnd().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe('time,outcome,joinedAt,name,email,newUser,country,city');
    expect(lines[1]).toMatch(/^[^,]+Z,joined,[^,]+Z,"'=HYPERLINK\(""x""\) B, C",[^,]+@example\.com,false,TR,$/);
    expect(lines[2]).toMatch(/^[^,]+Z,CONSENT_REQUIRED,,,,,US,$/);
    expect(response.text).not.toContain('195.175');
  });

  it('are available for the public link', async () => {
    const { owner, zone } = at;
    await owner.client.patch(`/api/zones/${zone.id}`).send({ type: 'public' }).expect(200);
    const { publicLink } = (await owner.client.get(`/api/zones/${zone.id}`)).body as { publicLink: string };
    const member = await registerUser(world);
    const body = { email: member.email, emailConsent: true };
    await member.client.post(`/api/public-zones/${publicLink}/join`).send(body).expect(200);
    await member.client.post(`/api/public-zones/${publicLink}/join`).send(body).expect(409);
    const figures = await owner.client.get(`/api/zones/${zone.id}/public-link/analytics`).expect(200);
    expect(figures.body).toMatchObject({ totalAttempts: 2, successfulJoins: 1, existingUsers: 1 });
    const csv = await owner.client.get(`/api/zones/${zone.id}/public-link/usages.csv`).expect(200);
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(3);
  });

  it("are part of the user's export and are anonymised on account deletion", async () => {
    const link = await createLink(at);
    const member = await registerUser(world);
    await joinByLink(member.client, link, member.email).set('X-Forwarded-For', TURKISH!).expect(200);
    const memberExport = await member.client.get('/api/user/export').expect(200);
    expect(JSON.parse(memberExport.text).linkUsages).toMatchObject([
      { linkId: link.id, outcome: 'joined', ipAddress: TURKISH },
    ]);
    const owners = await at.owner.client.get('/api/user/export').expect(200);
    expect(JSON.parse(owners.text).temporaryLinks).toMatchObject([{ id: link.id, zoneId: at.zone.id }]);
    await member.client.delete('/api/user').send({ password: member.password }).expect(204);
    await world.testApp.drain();
    const forgotten = { user_id: null, ip_address: null, user_agent: null, country: 'TR', outcome: 'joined' };
    expect(await readUsages(link)).toMatchObject([forgotten]);
    expect(await readLinkAnalytics(at, link.id)).toMatchObject({ recentJoins: [{ userName: null, userEmail: null }] });
  });

  it('audit creation, pausing, resuming, deletion and the end of a link', async () => {
    const [link, other] = [await createLink(at), await createLink(at)];
    const change = (isActive: boolean) =>
      at.owner.client.patch(`/api/temporary-links/${link.id}`).send({ isActive }).expect(200);
    await change(false);
    await change(false);
    await change(true);
    await at.owner.client.delete(`/api/temporary-links/${link.id}`).expect(204);
    await at.owner.client.patch(`/api/zones/${at.zone.id}`).send({ type: 'public' }).expect(200);
    await at.owner.client.post(`/api/zones/${at.zone.id}/public-link/regenerate`).expect(200);
    const facts = await world.testApp
      .em()
      .execute(`select type, params from audit_log where actor_id = ? and type like '%link.%' order by id`, [
        at.owner.id,
      ]);
    const of = (id: number) => ({ zoneId: at.zone.id, linkId: id });
    expect(facts).toEqual([
      { type: 'temporary-link.created', params: of(link.id) },
      { type: 'temporary-link.created', params: of(other.id) },
      { type: 'temporary-link.paused', params: of(link.id) },
      { type: 'temporary-link.resumed', params: of(link.id) },
      { type: 'temporary-link.deleted', params: of(link.id) },
      { type: 'temporary-link.ended', params: of(other.id) },
      { type: 'public-link.renewed', params: { zoneId: at.zone.id } },
    ]);
  });

  it('use the index instead of a row-by-row scan for 100,000 records', async () => {
    const link = await createLink(at);
    const em = world.testApp.em();
    await em.execute(
      `insert into link_usages (zone_id, link_id, outcome, country, was_new_user, attempted_at, joined_at)
       select ?, ?, case when n % 3 = 0 then 'joined' else 'asked' end, (array['TR', 'US', 'DE', null])[n % 4 + 1],
         n % 6 = 0, at, case when n % 3 = 0 then at end
       from generate_series(1, 100000) n, lateral (select ?::timestamptz - (n - 1) * interval '1 minute' as at) t`,
      [at.zone.id, link.id, new Date(world.now())],
    );
    await em.execute('analyze link_usages');
    const figures = await readLinkAnalytics(at, link.id);
    expect(figures).toMatchObject({ totalAttempts: 100_000, successfulJoins: 33_333, newUsers: 16_666 });
    expect(figures.overTime).toHaveLength(30);
    expect(figures.recentJoins).toHaveLength(10);
    const plan = await em.execute(
      `explain select id from link_usages where zone_id = ? and link_id = ? and joined_at is not null
       order by joined_at desc limit 10`,
      [at.zone.id, link.id],
    );
    expect(JSON.stringify(plan)).toContain('link_usages_joined_at_index');
  });
});

describe('GeoIP database setting', () => {
  it('prevents the start when the file is not a database', async () => {
    await expect(World.open({ GEOIP_DB: '/etc/hostname' })).rejects.toThrow(/GEOIP_DB must be a readable MMDB file/);
  });
});
