import { RequestContext } from '@mikro-orm/core';
import { expireMembers } from '../../../src/modules/zones/zones.jobs.js';
import { MemberTermsService } from '../../../src/modules/zones/members/member-terms.service.js';
import { JobsService } from '../../../src/platform/jobs/jobs.service.js';
import {
  createZone,
  joinPublicZone,
  registerUsers,
  registerUser,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { runConcurrently, countStatuses } from '../auth/account-helpers.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

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

const path = (rest = '') => `/api/zones/${zone.id}/members${rest}`;
const list = async (rest = '') => (await owner.client.get(path(rest)).expect(200)).body as { userId: number }[];
const change = (actor: Actor, body: object) => owner.client.patch(path(`/${actor.id}`)).send(body);
const memberCount = async () => (await owner.client.get(`/api/zones/${zone.id}`).expect(200)).body.memberCount;
const inDays = (days: number) => new Date(world.now() + days * DAY).toISOString();

async function addMember(): Promise<Actor> {
  const actor = await registerUser(world);
  await joinPublicZone(zone, actor);
  return actor;
}

describeInProcess('Membership with an end date', () => {
  const rows = (sql: string, values: unknown[] = []) =>
    world.testApp.em().execute(sql, values) as Promise<Record<string, unknown>[]>;
  const used = async () => {
    const [row] = await rows(`select used from usage where owner_id = ? and metric = 'people'`, [owner.id]);
    return Number(row?.used ?? 0);
  };
  const runExpiryJob = async () => {
    await world.testApp.app
      .get(JobsService)
      .enqueue(world.testApp.em(), expireMembers, { slot: new Date().toISOString() });
    await world.testApp.drain();
  };
  const endMembership = (actor: Actor) =>
    rows(`update zone_members set expires_at = now() - interval '1 second' where user_id = ? and zone_id = ?`, [
      actor.id,
      zone.id,
    ]);

  it('ends at that instant without a job: no access, not listed', async () => {
    const ada = await addMember();
    await change(ada, { expiresAt: new Date(world.now() + HOUR).toISOString() }).expect(200);
    await ada.client.get(`/api/zones/${zone.id}`).expect(200);
    await endMembership(ada);
    await ada.client.get(`/api/zones/${zone.id}`).expect(404);
    await ada.client.post(`/api/zones/${zone.id}/leave`).expect(404);
    expect(await list()).toEqual([]);
    expect(await list('?state=expired')).toMatchObject([{ userId: ada.id, isExpired: true }]);
    expect((await ada.client.get('/api/shared-zones')).body).toMatchObject([{ id: zone.id }]);
  });

  it('frees its quota once, however many jobs run', async () => {
    const [ada, grace] = [await addMember(), await addMember()];
    await endMembership(ada);
    await endMembership(grace);
    expect([await memberCount(), await used()]).toEqual([2, 2]);
    const terms = world.testApp.app.get(MemberTermsService);
    const expire = () =>
      RequestContext.create(world.testApp.em(), () => terms.expireMemberships(new AbortController().signal));
    await Promise.all(Array.from({ length: 8 }, expire));
    await runExpiryJob();
    expect([await memberCount(), await used()]).toEqual([0, 0]);
    expect(await rows('select 1 from audience where owner_id = ?', [owner.id])).toEqual([]);
    expect(await list('?state=expired')).toHaveLength(2);
    const activities = await rows(`select 1 from activity where zone_id = ? and type = 'member.expired'`, [zone.id]);
    expect(activities).toHaveLength(2);
  });

  it('is deleted 30 days later', async () => {
    const ada = await addMember();
    await endMembership(ada);
    await runExpiryJob();
    await rows(`update zone_members set expires_at = now() - interval '29 days' where user_id = ?`, [ada.id]);
    await runExpiryJob();
    expect(await list('?state=expired')).toHaveLength(1);
    await rows(`update zone_members set expires_at = now() - interval '30 days' where user_id = ?`, [ada.id]);
    await runExpiryJob();
    expect(await list('?state=expired')).toEqual([]);
    expect(await memberCount()).toBe(0);
  });

  it('can be extended, which counts again, and restarts when the user rejoins', async () => {
    const ada = await addMember();
    await endMembership(ada);
    await runExpiryJob();
    await change(ada, { expiresAt: inDays(1) }).expect(200);
    expect([await memberCount(), await used()]).toEqual([1, 1]);
    await ada.client.get(`/api/zones/${zone.id}`).expect(200);
    await endMembership(ada);
    await joinPublicZone(zone, ada);
    expect([await memberCount(), await used()]).toEqual([1, 1]);
    await endMembership(ada);
    await runExpiryJob();
    await joinPublicZone(zone, ada);
    expect([await memberCount(), await used()]).toEqual([1, 1]);
    expect(await list()).toMatchObject([{ userId: ada.id, expiresAt: null }]);
  });

  it('cannot be extended beyond the plan limit', async () => {
    const ada = await addMember();
    await endMembership(ada);
    await runExpiryJob();
    await rows(`update usage set allowed = 0 where owner_id = ? and metric = 'people'`, [owner.id]);
    const { body } = await change(ada, { expiresAt: null }).expect(403);
    expect(body).toMatchObject({ code: 'PLAN_LIMIT', planLimit: true, limit: 'people', used: 0, allowed: 0 });
    expect(await list('?state=expired')).toHaveLength(1);
  });
});

describeInProcess('People limit of a plan', () => {
  const rows = (sql: string, values: unknown[] = []) =>
    world.testApp.em().execute(sql, values) as Promise<Record<string, unknown>[]>;

  it('holds when 50 people join two zones concurrently, counting each person once', async () => {
    await rows(`update usage set allowed = null where owner_id = ? and metric = 'zones'`, [owner.id]);
    const second = await createZone(owner);
    const newMembers = await registerUsers(world, 25);
    await rows(
      `insert into usage (owner_id, metric, period, allowed) values (?, 'people', '', 10)
       on conflict (owner_id, metric, period) do update set allowed = 10`,
      [owner.id],
    );
    const requestJoin = (to: TestZone, actor: Actor) =>
      actor.client
        .post(`/api/public-zones/${to.publicLink}/join`)
        .send({ email: actor.email, emailConsent: true })
        .then(({ status }) => status);
    const responses = await Promise.all(
      newMembers.flatMap((actor) => [requestJoin(zone, actor), requestJoin(second, actor)]),
    );
    expect(responses.every((status) => status === 200 || status === 403)).toBe(true);
    const [usage] = await rows(`select used from usage where owner_id = ? and metric = 'people'`, [owner.id]);
    const distinct = await rows(
      `select count(distinct user_id) as people, count(*) as memberships from zone_members
       where zone_id in (?, ?) and role <> 'owner'`,
      [zone.id, second.id],
    );
    expect(Number(usage!.used)).toBe(10);
    expect(Number(distinct[0]!.people)).toBe(10);
    expect(Number(distinct[0]!.memberships)).toBe(responses.filter((status) => status === 200).length);
    const [stats] = await rows('select sum(members) as members from zone_stats where zone_id in (?, ?)', [
      zone.id,
      second.id,
    ]);
    expect(Number(stats!.members)).toBe(Number(distinct[0]!.memberships));
  });

  it('counts one member, consent and person for 50 concurrent joins of one address', async () => {
    const ada = await registerUser(world);
    const responses = await runConcurrently(50, () =>
      ada.client.post(`/api/public-zones/${zone.publicLink}/join`).send({ email: ada.email, emailConsent: true }),
    );
    expect(countStatuses(responses)).toEqual({ 200: 1, 409: 49 });
    expect(await memberCount()).toBe(1);
    for (const table of ['email_consents', `zone_members`]) {
      expect(await rows(`select 1 from ${table} where zone_id = ? and user_id = ?`, [zone.id, ada.id])).toHaveLength(1);
    }
    expect(await rows('select zones from audience where owner_id = ?', [owner.id])).toEqual([{ zones: 1 }]);
  });

  it('returns to zero after concurrent joins, leaves and zone deletion', async () => {
    const [existing, others] = [await registerUsers(world, 10), await registerUsers(world, 10)];
    await Promise.all(existing.map((actor) => joinPublicZone(zone, actor)));
    await Promise.all([
      ...existing.slice(0, 5).map(({ client }) => client.post(`/api/zones/${zone.id}/leave`)),
      ...others.map(({ client, email }) =>
        client.post(`/api/public-zones/${zone.publicLink}/join`).send({ email, emailConsent: true }),
      ),
      owner.client.delete(`/api/zones/${zone.id}`),
    ]);
    const [usage] = await rows(`select used from usage where owner_id = ? and metric = 'people'`, [owner.id]);
    expect(Number(usage!.used)).toBe(0);
    expect(await rows('select 1 from audience where owner_id = ?', [owner.id])).toEqual([]);
  });
});
