import { createZone, joinPublicZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { whileTransactionOpen } from '../../support/while-transaction-open.js';
import { waitForInvitation, invite } from '../../support/people/invitations.js';
import { describeInProcess, World } from '../../support/world.js';
import { ADD_MODE, toCsv, postImport } from './import-helpers.js';
import {
  requestJoinByLink,
  joinByLink,
  readLink,
  createLink,
  countMembers,
  createPrivateZone,
  type PrivateZone,
} from '../links/link-helpers.js';

const DAY = 86_400_000;

let world: World;
let owner: Actor;
let member: Actor;
let zone: TestZone;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  [owner, member] = [await registerUser(world), await registerUser(world, { firstName: 'Rosa' })];
  zone = await createZone(owner);
});
afterAll(() => world.close());

const path = (rest = '') => `/api/zones/${zone.id}${rest}`;
const requestJoin = (actor: Actor = member) =>
  actor.client.post(`/api/public-zones/${zone.publicLink}/join`).send({ email: actor.email, emailConsent: true });
const remove = (actor: Actor = member) => owner.client.delete(path(`/members/${actor.id}`)).expect(204);
const block = (userId: number) => owner.client.post(path('/blocks')).send({ userId });
const isIn = async (actor: Actor = member) => (await actor.client.get(path())).status === 200;
const requests = async () => (await owner.client.get(path('/join-requests')).expect(200)).body as { id: number }[];
const blocks = async () =>
  (await owner.client.get(path('/blocks')).expect(200)).body as { user: { id: number; email: string } }[];
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

const resetClock = () => world.testApp.clock.advance(Date.now() - world.testApp.clock.now().getTime());

describe('Removed member', () => {
  beforeEach(async () => {
    await joinPublicZone(zone, member);
    await remove();
  });

  it('creates a join request by the public link and joins on approval', async () => {
    const { body } = await requestJoin().expect(200);
    expect(body).toMatchObject({ requiresApproval: true, redirectUrl: null });
    expect(await isIn()).toBe(false);
    const [request] = await requests();
    expect(request).toMatchObject({ email: member.email, hasConsented: true });
    await owner.client.post(path(`/join-requests/${request!.id}/approve`)).expect(200);
    expect(await isIn()).toBe(true);
  });

  it('can join by the link again after being approved and leaving', async () => {
    await requestJoin().expect(200);
    const [request] = await requests();
    await owner.client.post(path(`/join-requests/${request!.id}/approve`)).expect(200);
    await member.client.post(path('/leave')).send({}).expect(200);
    expect((await requestJoin().expect(200)).body.redirectUrl).toBe(`/zones/${zone.id}`);
    expect(await isIn()).toBe(true);
  });

  it('can return by invitation, import or restoring the membership', async () => {
    await invite(zone, owner, member.email);
    const { token } = await waitForInvitation(world, member.email);
    await member.client.post('/api/accept-invite').send({ token, email: member.email, emailConsent: true }).expect(200);
    expect(await isIn()).toBe(true);
    await remove();
    await postImport(owner.client, zone, toCsv([member.email]), ADD_MODE).expect(200);
    expect(await isIn()).toBe(true);
    await remove();
    await owner.client.post(path(`/members/${member.id}/restore`)).expect(200);
    await member.client.post(path('/leave')).send({}).expect(200);
    expect((await requestJoin().expect(200)).body.requiresApproval).toBe(false);
  });

  it('learns from the email and its page that joining requires approval', async () => {
    const client = world.createClient();
    const body = { email: member.email, emailConsent: true };
    await client.post(`/api/public-zones/${zone.publicLink}/join`).send(body).expect(200);
    const { text } = await world.waitForEmail(member.email, ({ text }) => text.includes('/verify-email'));
    expect(text).toContain('send your request to the owner');
    const url = new URL(/https?:\S+verify-email\S+/.exec(text)![0]);
    const link = Object.fromEntries(url.searchParams);
    expect((await client.get('/api/verify-email').query(link).expect(200)).body.requiresApproval).toBe(true);
    expect((await client.post('/api/verify-email').send(link).expect(200)).body.requiresApproval).toBe(true);
    expect(await isIn()).toBe(false);
    expect(await requests()).toHaveLength(1);
  });
});

describe('Member removed from a private zone', () => {
  it('requests by a temporary link without using it up and keeps its membership days', async () => {
    const at = await createPrivateZone(world);
    const link = await createLink(at, { membershipDays: 7, maxUses: 5 });
    await joinByLink(member.client, link, member.email).expect(200);
    const of = (rest: string) => `/api/zones/${at.zone.id}${rest}`;
    await at.owner.client.delete(of(`/members/${member.id}`)).expect(204);
    expect((await joinByLink(member.client, link, member.email).expect(200)).body.requiresApproval).toBe(true);
    expect(await countMembers(at)).toBe(0);
    expect(await readLink(at, link.id)).toMatchObject({ currentUses: 1 });
    const [request] = (await at.owner.client.get(of('/join-requests'))).body as { id: number }[];
    await at.owner.client.post(of(`/join-requests/${request!.id}/approve`)).expect(200);
    const [row] = (await at.owner.client.get(of('/members'))).body as { expiresAt: string }[];
    expect(Math.round((new Date(row!.expiresAt).getTime() - Date.now()) / DAY)).toBe(7);
  });
});

describe('Blocking a user', () => {
  it('removes the member and answers their requests normally without listing them', async () => {
    const other = await registerUser(world);
    for (const actor of [member, other]) await joinPublicZone(zone, actor);
    await remove(other);
    const response = (await requestJoin(other).expect(200)).body;
    await block(member.id).expect(204);
    await block(member.id).expect(204);
    expect(await isIn()).toBe(false);
    for (let times = 0; times < 2; times++) expect((await requestJoin().expect(200)).body).toEqual(response);
    expect(await requests()).toMatchObject([{ email: other.email }]);
    expect(await blocks()).toMatchObject([{ user: { id: member.id, email: member.email } }]);
  });

  it('ends requests and invitations and rejects imports and new invitations', async () => {
    await owner.client.patch(path()).send({ autoJoin: false }).expect(200);
    await requestJoin().expect(200);
    await invite(zone, owner, member.email);
    await block(member.id).expect(204);
    expect(await requests()).toEqual([]);
    expect((await owner.client.get(path('/invitations'))).body).toEqual([]);
    const { body } = await owner.client
      .post(path('/invite'))
      .send({ emails: [member.email] })
      .expect(200);
    expect(body.results).toMatchObject([{ status: 'BLOCKED', success: false }]);
    const file = await postImport(owner.client, zone, toCsv([member.email]), ADD_MODE).expect(200);
    expect(file.body.results).toMatchObject([{ status: 'BLOCKED' }]);
    expect(await isIn()).toBe(false);
  });

  it('can be lifted, and restoring a member lifts removal and block together', async () => {
    await joinPublicZone(zone, member);
    await block(member.id).expect(204);
    await owner.client.delete(path(`/blocks/${member.id}`)).expect(204);
    expect(await blocks()).toEqual([]);
    await requestJoin().expect(200);
    expect(await requests()).toHaveLength(1);
    await block(member.id).expect(204);
    await owner.client.post(path(`/members/${member.id}/restore`)).expect(200);
    expect(await isIn()).toBe(true);
    expect(await blocks()).toEqual([]);
  });

  it('is limited to people known to the zone, by the owner, and never to the owner', async () => {
    const admin = await registerUser(world);
    for (const actor of [member, admin]) await joinPublicZone(zone, actor);
    await owner.client
      .patch(path(`/members/${admin.id}`))
      .send({ role: 'admin' })
      .expect(200);
    await admin.client.get(path('/blocks')).expect(403);
    await admin.client.post(path('/blocks')).send({ userId: member.id }).expect(403);
    await admin.client.delete(path(`/blocks/${member.id}`)).expect(403);
    const outsider = await registerUser(world);
    expect(codeOf(await block(outsider.id))).toEqual([404, 'MEMBER_NOT_FOUND']);
    expect(codeOf(await block(4_000_000_000))).toEqual([404, 'MEMBER_NOT_FOUND']);
    expect(codeOf(await block(owner.id))).toEqual([409, 'OWNER_STAYS']);
    expect((await block(0)).status).toBe(400);
    await outsider.client.get(path('/blocks')).expect(404);
  });

  it('paginates the list of blocked users', async () => {
    const people = [member, await registerUser(world), await registerUser(world)];
    for (const actor of people) await joinPublicZone(zone, actor);
    for (const { id } of people) await block(id).expect(204);
    const first = await owner.client.get(path('/blocks?limit=2')).expect(200);
    expect(first.headers['x-total-count']).toBe('3');
    const cursor = /cursor=([^&>]+)/.exec(first.headers.link as string)![1]!;
    const second = await owner.client.get(path(`/blocks?limit=2&cursor=${cursor}`)).expect(200);
    const ids = [...first.body, ...second.body].map(({ user }: { user: { id: number } }) => user.id);
    expect(ids).toEqual(people.map(({ id }) => id).reverse());
  });
});

describeInProcess('Declined join request', () => {
  beforeEach(() => owner.client.patch(path()).send({ autoJoin: false }).expect(200));
  afterEach(resetClock);

  const decline = async () => {
    const [request] = await requests();
    await owner.client.post(path(`/join-requests/${request!.id}/decline`)).expect(200);
    return request!.id;
  };

  it('is announced by email and can be repeated after 30 days', async () => {
    await requestJoin().expect(200);
    const id = await decline();
    expect(await requests()).toEqual([]);
    const mail = await world.waitForEmail(member.email, ({ subject }) => subject.startsWith('Your request to join'));
    expect(mail.text).toContain('30 days');
    for (const step of ['approve', 'decline'])
      await owner.client.post(path(`/join-requests/${id}/${step}`)).expect(404);
    expect((await requestJoin().expect(200)).body.requiresApproval).toBe(true);
    expect(await requests()).toEqual([]);
    world.testApp.clock.advance(29 * DAY);
    await requestJoin().expect(200);
    expect(await requests()).toEqual([]);
    world.testApp.clock.advance(DAY);
    await requestJoin().expect(200);
    expect(await requests()).toHaveLength(1);
  });

  it('is declined once by concurrent decisions', async () => {
    await requestJoin().expect(200);
    const [request] = await requests();
    const responses = await Promise.all(
      [1, 2, 3].map(() => owner.client.post(path(`/join-requests/${request!.id}/decline`))),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  });

  it('does not prevent an invitation', async () => {
    await requestJoin().expect(200);
    await decline();
    await invite(zone, owner, member.email);
    const { token } = await waitForInvitation(world, member.email);
    await member.client.post('/api/accept-invite').send({ token, email: member.email, emailConsent: true }).expect(200);
    expect(await isIn()).toBe(true);
  });
});

describeInProcess('Concurrent joins and removals', () => {
  it('turn a join during a removal into a request', async () => {
    const change = {
      sql: `do $$ begin perform pg_advisory_xact_lock(hashtextextended('kept-out:${zone.id}:${member.id}', 0));
        insert into member_removals (zone_id, user_id, removed_at) values (${zone.id}, ${member.id}, now()); end $$`,
    };
    const { body } = await whileTransactionOpen(world, change, () => requestJoin());
    expect(body.requiresApproval).toBe(true);
    expect(await isIn()).toBe(false);
  });

  it('never leave a member that the owner removed last', async () => {
    await joinPublicZone(zone, member);
    const responses = await Promise.all([remove(), ...Array.from({ length: 8 }, () => requestJoin())]);
    expect(responses[0].status).toBe(204);
    expect(await isIn()).toBe(false);
  });

  it('leave no request of a user who is blocked meanwhile', async () => {
    await owner.client.patch(path()).send({ autoJoin: false }).expect(200);
    await requestJoin().expect(200);
    await Promise.all([block(member.id), ...Array.from({ length: 6 }, () => requestJoin())]);
    expect(await requests()).toEqual([]);
    expect(await blocks()).toHaveLength(1);
  });
});

describeInProcess('Link with membership days', () => {
  let at: PrivateZone;
  beforeEach(async () => {
    at = await createPrivateZone(world);
  });
  afterEach(resetClock);

  const membersOf = async (state = 'active') =>
    (await at.owner.client.get(`/api/zones/${at.zone.id}/members?state=${state}`)).body as { expiresAt: string }[];

  it('grants them to a user once, and the owner can extend them', async () => {
    const link = await createLink(at, { membershipDays: 1, expiresInHours: 720 });
    await joinByLink(member.client, link, member.email).expect(200);
    expect(codeOf(await joinByLink(member.client, link, member.email))).toEqual([409, 'ALREADY_MEMBER']);
    world.testApp.clock.advance(2 * DAY);
    const secondJoin = await joinByLink(member.client, link, member.email);
    expect(codeOf(secondJoin)).toEqual([409, 'LINK_ALREADY_USED']);
    expect(await readLink(at, link.id)).toMatchObject({ currentUses: 1 });
    expect(await membersOf()).toEqual([]);
    const emailed = await requestJoinByLink(world, link, member.email);
    expect(codeOf(await world.createClient().get('/api/verify-email').query(emailed))).toEqual([
      409,
      'LINK_ALREADY_USED',
    ]);
    expect(codeOf(await world.createClient().post('/api/verify-email').send(emailed))).toEqual([
      409,
      'LINK_ALREADY_USED',
    ]);

    expect(await membersOf('expired')).toHaveLength(1);
    const expiresAt = new Date(world.testApp.clock.now().getTime() + 5 * DAY).toISOString();
    await at.owner.client.patch(`/api/zones/${at.zone.id}/members/${member.id}`).send({ expiresAt }).expect(200);
    expect(await membersOf()).toMatchObject([{ expiresAt }]);
  });

  it('does not grant them again after leaving or to concurrent joins', async () => {
    const link = await createLink(at, { membershipDays: 3 });
    await joinByLink(member.client, link, member.email).expect(200);
    await member.client.post(`/api/zones/${at.zone.id}/leave`).send({}).expect(200);
    const responses = await Promise.all([1, 2, 3].map(() => joinByLink(member.client, link, member.email)));
    expect(responses.map(codeOf)).toEqual(Array.from({ length: 3 }, () => [409, 'LINK_ALREADY_USED']));
    expect(await countMembers(at)).toBe(0);
  });

  it('does not grant them twice while the first membership is being written', async () => {
    const link = await createLink(at, { membershipDays: 3 });
    const sql = 'insert into link_grants (link_id, user_id, granted_at) values ($1, $2, now())';
    const response = await whileTransactionOpen(world, { sql, values: [link.id, member.id] }, () =>
      joinByLink(member.client, link, member.email),
    );
    expect(codeOf(response)).toEqual([409, 'LINK_ALREADY_USED']);
    expect(await countMembers(at)).toBe(0);
    expect(await readLink(at, link.id)).toMatchObject({ currentUses: 0 });
  });

  it('admits others, and a link without days admits the same user again', async () => {
    const [days, open] = [await createLink(at, { membershipDays: 3 }), await createLink(at)];
    await joinByLink(member.client, days, member.email).expect(200);
    const other = await registerUser(world);
    await joinByLink(other.client, days, other.email).expect(200);
    await member.client.post(`/api/zones/${at.zone.id}/leave`).send({}).expect(200);
    await joinByLink(member.client, open, member.email).expect(200);
    expect(await countMembers(at)).toBe(2);
  });
});
