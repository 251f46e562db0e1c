import { createZone, register, unique, type Actor, type TestZone } from '../support/actors.js';
import { verificationLink } from '../support/newcomer.js';
import { describeInProcess, World } from '../support/world.js';

let world: World;
let owner: Actor;
let zone: TestZone;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  owner = await register(world);
  zone = await createZone(owner, { autoJoin: false });
});
afterAll(() => world.close());

const ask = (actor: Actor) =>
  actor.client.post(`/api/public-zones/${zone.publicLink}/join`).send({ email: actor.email, emailConsent: true });
const path = (rest = '') => `/api/zones/${zone.id}/join-requests${rest}`;
const waiting = async () => (await owner.client.get(path()).expect(200)).body as { id: number; email: string }[];

describe('a zone that does not admit by itself', () => {
  it('notes who wants in, and the owner lets them in', async () => {
    const reader = await register(world, { firstName: 'Rosa' });
    const answer = await ask(reader).expect(200);
    expect(answer.body).toMatchObject({ requiresApproval: true, requiresVerification: false, redirectUrl: null });
    await ask(reader).expect(200);
    await reader.client.get(`/api/zones/${zone.id}`).expect(404);
    const requests = await waiting();
    expect(requests).toMatchObject([{ email: reader.email, firstName: 'Rosa', hasConsented: true }]);

    await owner.client.post(path(`/${requests[0]!.id}/approve`)).expect(204);
    await reader.client.get(`/api/zones/${zone.id}`).expect(200);
    expect(await waiting()).toEqual([]);
    const mail = await world.mailTo(reader.email, ({ subject }) => subject.includes('now a member'));
    expect(mail.text).toContain(`/zones/${zone.id}`);
    await ask(reader).expect(409);
  });

  it('turns people away without making them members, and they may ask again', async () => {
    const reader = await register(world);
    await ask(reader).expect(200);
    const [request] = await waiting();
    await owner.client.post(path(`/${request!.id}/decline`)).expect(204);
    await owner.client.post(path(`/${request!.id}/approve`)).expect(404);
    await reader.client.get(`/api/zones/${zone.id}`).expect(404);
    await ask(reader).expect(200);
    expect(await waiting()).toHaveLength(1);
  });

  it('lets in once when it is approved twice at once', async () => {
    const reader = await register(world);
    await ask(reader).expect(200);
    const [request] = await waiting();
    const answers = await Promise.all([1, 2, 3].map(() => owner.client.post(path(`/${request!.id}/approve`))));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    expect((await owner.client.get(`/api/zones/${zone.id}`)).body.memberCount).toBe(1);
  });

  it('notes people new to us after they have shown that the address is theirs', async () => {
    const email = `${unique('new')}@example.com`;
    const client = world.client();
    await client.post(`/api/public-zones/${zone.publicLink}/join`).send({ email, emailConsent: true }).expect(200);
    const { text } = await world.mailTo(email);
    expect(text).toContain('your request goes to the owner');
    expect(text).not.toContain('you are in');
    const link = await verificationLink(world, email);
    const look = async () => (await client.get('/api/verify-email').query(link).expect(200)).body;
    const told = 'Your request has been sent to the owner of the zone. We write to you when it is approved.';
    expect(await look()).toMatchObject({
      requiresApproval: true,
      message: 'One click, and your request goes to the owner of the zone.',
    });
    const { body } = await client.post('/api/verify-email').send(link).expect(200);
    expect(body).toMatchObject({ requiresApproval: true, message: told, redirectUrl: '/complete-profile' });
    expect(await look()).toMatchObject({ message: told });
    expect(await waiting()).toHaveLength(1);
    expect((await owner.client.get(`/api/zones/${zone.id}`)).body.memberCount).toBe(0);
  });

  it('hides the requests of one zone from the owner of another', async () => {
    const reader = await register(world);
    await ask(reader).expect(200);
    const [request] = await waiting();
    const other = await register(world);
    const theirs = await createZone(other);
    await other.client.get(path()).expect(404);
    await other.client.post(`/api/zones/${theirs.id}/join-requests/${request!.id}/approve`).expect(404);
    expect(await waiting()).toHaveLength(1);
  });
});

describeInProcess('roles', () => {
  it('a zone admin decides, a member does not see who waits, and a full plan is told without figures', async () => {
    const [admin, member, reader] = [await register(world), await register(world), await register(world)];
    for (const actor of [admin, member, reader]) await ask(actor).expect(200);
    const requests = await waiting();
    for (const { id } of requests.slice(0, 2)) await owner.client.post(path(`/${id}/approve`)).expect(204);
    const em = world.inside.em();
    await em.execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [zone.id, admin.id]);
    await member.client.get(path()).expect(403);
    await em.execute(`update usage set allowed = used where owner_id = ? and metric = 'people'`, [owner.id]);
    const full = await admin.client.post(path(`/${requests[2]!.id}/approve`)).expect(403);
    expect(full.body.code).toBe('ZONE_FULL');
    const told = await owner.client.post(path(`/${requests[2]!.id}/approve`)).expect(403);
    expect(told.body).toMatchObject({ code: 'PLAN_LIMIT', limit: 'people' });
    await em.execute(`update usage set allowed = 100 where owner_id = ? and metric = 'people'`, [owner.id]);
    await admin.client.post(path(`/${requests[2]!.id}/approve`)).expect(204);
  });
});
