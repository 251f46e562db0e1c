import { UnsubscribeLinkService } from '../../../src/modules/zones/leaving/unsubscribe-link.service.js';
import { createZone, joinPublicZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { whileTransactionOpen } from '../../support/while-transaction-open.js';
import { describeInProcess, World } from '../../support/world.js';

let world: World;
let owner: Actor;
let zone: TestZone;
let member: Actor;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  member = await registerUser(world);
  owner = await registerUser(world);
  zone = await createZone(owner);
  await joinPublicZone(zone, member);
});
afterAll(() => world.close());

const leave = (actor: Actor, body: object = {}) => actor.client.post(`/api/zones/${zone.id}/leave`).send(body);

describe('GET /api/zones/:id/leaves', () => {
  const leaves = (actor: Actor = owner, search = '') => actor.client.get(`/api/zones/${zone.id}/leaves${search}`);

  it('lists former members with their reason, newest first, in pages', async () => {
    const second = await registerUser(world, { firstName: 'Rosa', lastName: 'Kaya' });
    await joinPublicZone(zone, second);
    await leave(member, { reason: 'Too many mails' }).expect(200);
    await owner.client.delete(`/api/zones/${zone.id}/members/${second.id}`).expect(204);
    const { body, headers } = await leaves().expect(200);
    expect(body).toMatchObject([
      { via: 'removed', reason: null, user: { id: second.id, email: second.email, firstName: 'Rosa' } },
      { via: 'app', reason: 'Too many mails', user: { id: member.id } },
    ]);
    expect(headers['x-total-count']).toBe('2');
    const first = await leaves(owner, '?limit=1').expect(200);
    const next = new URL(/<([^>]+)>; rel="next"/.exec(first.headers.link as string)![1]!, 'http://zone');
    const last = await leaves(owner, next.search).expect(200);
    expect([...first.body, ...last.body]).toEqual(body);
    expect(last.headers.link).toBeUndefined();
    await leaves(owner, '?cursor=WyJ4IiwxXQ').expect(400);
  });

  it('leaves out undone entries and anonymises deleted accounts', async () => {
    await owner.client.delete(`/api/zones/${zone.id}/members/${member.id}`).expect(204);
    await owner.client.post(`/api/zones/${zone.id}/members/${member.id}/restore`).expect(200);
    expect((await leaves().expect(200)).body).toEqual([]);
    await leave(member, { reason: 'Enough' }).expect(200);
    await member.client.delete('/api/user').send({ password: member.password }).expect(204);
    const [left] = (await leaves().expect(200)).body;
    expect(left).toMatchObject({ via: 'app', user: null, reason: null });
  });

  it('is restricted to the owner', async () => {
    const helper = await registerUser(world);
    await joinPublicZone(zone, helper);
    await leaves(member).expect(403);
    await owner.client.patch(`/api/zones/${zone.id}/members/${helper.id}`).send({ role: 'admin' }).expect(200);
    await leaves(helper).expect(403);
    await leaves(await registerUser(world)).expect(404);
    await world.createClient().get(`/api/zones/${zone.id}/leaves`).expect(401);
  });
});

describeInProcess('Member who left by an email link', () => {
  const path = (rest = '') => `/api/zones/${zone.id}${rest}`;
  const token = () => world.testApp.app.get(UnsubscribeLinkService).createToken({ userId: member.id, zoneId: zone.id });
  const info = async () => (await world.createClient().get(`/api/unsubscribe/info/${token()}`).expect(200)).body;
  const undo = () => world.createClient().post(`/api/unsubscribe/${token()}/undo`);
  const requestJoin = () =>
    member.client.post(`/api/public-zones/${zone.publicLink}/join`).send({ email: member.email, emailConsent: true });
  const expectStillOut = async (response: { status: number; body: { code?: string } }) => {
    expect([response.status, response.body.code]).toEqual([409, 'UNDO_TOO_LATE']);
    expect((await member.client.get(path())).status).toBe(404);
  };

  beforeEach(async () => {
    await world.createClient().post(`/api/unsubscribe/${token()}`).expect(200);
    expect((await info()).undoUntil).not.toBeNull();
  });

  it('cannot undo it after being blocked', async () => {
    await owner.client.post(path('/blocks')).send({ userId: member.id }).expect(204);
    expect(await info()).toMatchObject({ state: 'left', undoUntil: null });
    await expectStillOut(await undo());
    expect((await owner.client.get(path('/blocks'))).body).toHaveLength(1);
  });

  it('cannot undo it after being removed, and rejoins only by request', async () => {
    await joinPublicZone(zone, member);
    await owner.client.delete(path(`/members/${member.id}`)).expect(204);
    expect(await info()).toMatchObject({ state: 'left', undoUntil: null });
    await expectStillOut(await undo());
    expect((await requestJoin().expect(200)).body.requiresApproval).toBe(true);
  });

  it('cannot undo it when blocked concurrently', async () => {
    const change = {
      sql: `do $$ begin perform pg_advisory_xact_lock(hashtextextended('kept-out:${zone.id}:${member.id}', 0));
        insert into zone_blocks (zone_id, user_id, blocked_at) values (${zone.id}, ${member.id}, now()); end $$`,
    };
    await expectStillOut(await whileTransactionOpen(world, change, undo));
  });

  it('can undo only the last leave, not an earlier one', async () => {
    await joinPublicZone(zone, member);
    await leave(member).expect(200);
    await expectStillOut(await undo());
  });
});
