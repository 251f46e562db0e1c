import { MINUTE } from '../../../src/platform/clock/clock.js';
import { joinByLink, createLink } from '../links/link-helpers.js';
import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import { waitForVerificationLink } from '../../support/people/restricted-user.js';
import { describeInProcess, World } from '../../support/world.js';

let world: World;
let owner: Actor;
let zone: TestZone;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  owner = await registerUser(world);
  zone = await createZone(owner, { autoJoin: false });
});
afterAll(() => world.close());

const requestJoin = (actor: Actor) =>
  actor.client.post(`/api/public-zones/${zone.publicLink}/join`).send({ email: actor.email, emailConsent: true });
const path = (rest = '') => `/api/zones/${zone.id}/join-requests${rest}`;
const listRequests = async () =>
  (await owner.client.get(path()).expect(200)).body as { id: number; userId: number; email: string }[];

describe('Zone without automatic joining', () => {
  it('records a join request, which the owner approves', async () => {
    const requester = await registerUser(world, { firstName: 'Rosa' });
    const response = await requestJoin(requester).expect(200);
    expect(response.body).toMatchObject({ requiresApproval: true, requiresVerification: false, redirectUrl: null });
    await requestJoin(requester).expect(200);
    await requester.client.get(`/api/zones/${zone.id}`).expect(404);
    const requests = await listRequests();
    expect(requests).toMatchObject([{ email: requester.email, firstName: 'Rosa', hasConsented: true }]);

    const { body } = await owner.client.post(path(`/${requests[0]!.id}/approve`)).expect(200);
    expect(body).toEqual({ id: requests[0]!.id, userId: requests[0]!.userId, status: 'approved' });
    await requester.client.get(`/api/zones/${zone.id}`).expect(200);
    expect(await listRequests()).toEqual([]);
    const mail = await world.waitForEmail(requester.email, ({ subject }) => subject.includes('now a member'));
    expect(mail.text).toContain(`/zones/${zone.id}`);
    await requestJoin(requester).expect(409);
  });

  it('declines a request, which the user cannot repeat at once', async () => {
    const requester = await registerUser(world);
    await requestJoin(requester).expect(200);
    const [request] = await listRequests();
    await owner.client.post(path(`/${request!.id}/decline`)).expect(200);
    await owner.client.post(path(`/${request!.id}/approve`)).expect(404);
    await requester.client.get(`/api/zones/${zone.id}`).expect(404);
    expect((await requestJoin(requester).expect(200)).body).toMatchObject({
      requiresApproval: true,
      redirectUrl: null,
    });
    expect(await listRequests()).toEqual([]);
  });

  it('adds the member once for concurrent approvals', async () => {
    const requester = await registerUser(world);
    await requestJoin(requester).expect(200);
    const [request] = await listRequests();
    const responses = await Promise.all([1, 2, 3].map(() => owner.client.post(path(`/${request!.id}/approve`))));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect((await owner.client.get(`/api/zones/${zone.id}`)).body.memberCount).toBe(1);
  });

  it('records requests of new users after they have verified the address', async () => {
    const email = `${uniqueName('new')}@example.com`;
    const client = world.createClient();
    await client.post(`/api/public-zones/${zone.publicLink}/join`).send({ email, emailConsent: true }).expect(200);
    const { text } = await world.waitForEmail(email);
    expect(text).toContain('send your request to the owner');
    expect(text).not.toContain('button to join');
    const link = await waitForVerificationLink(world, email);
    const readVerification = async () => (await client.get('/api/verify-email').query(link).expect(200)).body;
    const expectedMessage = "Your request has been sent to the zone's owner. We'll email you when it's approved.";
    expect(await readVerification()).toMatchObject({
      requiresApproval: true,
      message: "Press the button to send your request to the zone's owner.",
    });
    const { body } = await client.post('/api/verify-email').send(link).expect(200);
    expect(body).toMatchObject({ requiresApproval: true, message: expectedMessage, redirectUrl: '/' });
    expect(await readVerification()).toMatchObject({ message: expectedMessage });
    const requests = await listRequests();
    expect(requests).toHaveLength(1);
    expect((await owner.client.get(`/api/zones/${zone.id}`)).body.memberCount).toBe(0);

    // Afterwards the same link shows the current status.
    await owner.client.post(path(`/${requests[0]!.id}/approve`)).expect(200);
    const isIn = { requiresApproval: false, message: expect.stringContaining("you've joined") as string };
    expect(await readVerification()).toMatchObject(isIn);
    const second = await client.post('/api/verify-email').send(link).expect(200);
    expect(second.body).toMatchObject({ ...isIn, redirectUrl: `/zones/${zone.id}` });
    await client.post(`/api/zones/${zone.id}/leave`).send({}).expect(200);
    for (const response of [client.get('/api/verify-email').query(link), client.post('/api/verify-email').send(link)]) {
      expect((await response.expect(400)).body.code).toBe('TOKEN_INVALID');
    }
  });

  it('hides the requests of one zone from the owner of another', async () => {
    const requester = await registerUser(world);
    await requestJoin(requester).expect(200);
    const [request] = await listRequests();
    const other = await registerUser(world);
    const foreignZone = await createZone(other);
    await other.client.get(path()).expect(404);
    await other.client.post(`/api/zones/${foreignZone.id}/join-requests/${request!.id}/approve`).expect(404);
    expect(await listRequests()).toHaveLength(1);
  });
});

describeInProcess('Join request of a user who joins another way', () => {
  it.each(['public', 'private'] as const)(
    'is deleted when the user joins by a link without approval (%s)',
    async (type) => {
      const requester = await registerUser(world);
      await requestJoin(requester).expect(200);
      await owner.client.patch(`/api/zones/${zone.id}`).send({ type, autoJoin: true }).expect(200);
      if (type === 'public') await requestJoin(requester).expect(200);
      else await joinByLink(requester.client, await createLink({ owner, zone }), requester.email).expect(200);
      await requester.client.get(`/api/zones/${zone.id}`).expect(200);
      expect(await listRequests()).toEqual([]);
      expect((await owner.client.get('/api/dashboard/attention').expect(200)).body).toEqual([]);
    },
  );

  it('is deleted when the owner extends the expired membership', async () => {
    const requester = await registerUser(world);
    await requestJoin(requester).expect(200);
    await owner.client.post(path(`/${(await listRequests())[0]!.id}/approve`)).expect(200);
    const member = `/api/zones/${zone.id}/members/${requester.id}`;
    const expiresAt = new Date(world.testApp.clock.now().getTime() + MINUTE).toISOString();
    await owner.client.patch(member).send({ expiresAt }).expect(200);
    world.testApp.clock.advance(2 * MINUTE);
    await requestJoin(requester).expect(200);
    expect(await listRequests()).toHaveLength(1);
    await owner.client.patch(member).send({ expiresAt: null }).expect(200);
    expect(await listRequests()).toEqual([]);
  });
});

describeInProcess('Roles for join requests', () => {
  it('lets zone admins decide, hides requests from members and reveals no numbers of a full plan', async () => {
    const [admin, member, requester] = [
      await registerUser(world),
      await registerUser(world),
      await registerUser(world),
    ];
    for (const actor of [admin, member, requester]) await requestJoin(actor).expect(200);
    const requests = await listRequests();
    for (const { id } of requests.slice(0, 2)) await owner.client.post(path(`/${id}/approve`)).expect(200);
    const em = world.testApp.em();
    await em.execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [zone.id, admin.id]);
    await member.client.get(path()).expect(403);
    await em.execute(`update usage set allowed = used where owner_id = ? and metric = 'people'`, [owner.id]);
    const full = await admin.client.post(path(`/${requests[2]!.id}/approve`)).expect(403);
    expect(full.body.code).toBe('ZONE_FULL');
    const rejected = await owner.client.post(path(`/${requests[2]!.id}/approve`)).expect(403);
    expect(rejected.body).toMatchObject({ code: 'PLAN_LIMIT', limit: 'people' });
    await em.execute(`update usage set allowed = 100 where owner_id = ? and metric = 'people'`, [owner.id]);
    await admin.client.post(path(`/${requests[2]!.id}/approve`)).expect(200);
  });
});

describeInProcess('Notifications of join requests', () => {
  it('are sent only to those who decide, at once for the first request and hourly for the rest', async () => {
    const admin = await registerUser(world, { firstName: 'Alma' });
    const [first, second, third, deletedUser] = [
      await registerUser(world, { firstName: 'Rosa' }),
      await registerUser(world, { firstName: 'Sera' }),
      await registerUser(world, { firstName: 'Tuna' }),
      await registerUser(world, { firstName: 'Umut' }),
    ];
    const em = world.testApp.em();
    await requestJoin(admin).expect(200);
    await owner.client.post(path(`/${(await listRequests())[0]!.id}/approve`)).expect(200);
    await em.execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [zone.id, admin.id]);
    await em.execute('delete from hourly_notices where subject_id = ?', [zone.id]);
    const listNotifications = async (actor: Actor) =>
      (await world.listEmails(actor.email)).filter(({ subject }) => subject.startsWith('Requests to join'));
    await world.testApp.drain();
    const before = (await listNotifications(owner)).length;

    for (let times = 0; times < 2; times++) await requestJoin(first).expect(200);
    await world.testApp.drain();
    for (const actor of [second, third, deletedUser]) await requestJoin(actor).expect(200);
    await world.testApp.drain();
    for (const actor of [owner, admin]) {
      const mails = (await listNotifications(actor)).slice(actor === owner ? before : 0);
      expect(mails).toHaveLength(1);
      expect(mails[0]!.text).toContain('Rosa');
      expect(mails[0]!.text).not.toContain('Sera');
    }
    const declined = (await listRequests()).find(({ email }) => email === deletedUser.email)!;
    await owner.client.post(path(`/${declined.id}/decline`)).expect(200);
    world.testApp.clock.advance(61 * 60_000);
    await world.testApp.drain();
    for (const actor of [owner, admin]) {
      const mails = (await listNotifications(actor)).slice(actor === owner ? before : 0);
      expect(mails).toHaveLength(2);
      const [later] = mails.filter(({ text }) => text.includes('Sera'));
      expect(later!.text).toContain('Tuna');
      expect(later!.text).not.toContain('Umut');
    }
    expect(await listNotifications(first)).toEqual([]);
  });

  it('name at most ten people and count the rest, using the address if there is no name', async () => {
    const otherOwner = await registerUser(world, { firstName: 'Zed' });
    const otherZone = await createZone(otherOwner, { type: 'public', autoJoin: false });
    const em = world.testApp.em();
    const people = await Promise.all(
      Array.from({ length: 12 }, (_, index) => registerUser(world, { firstName: `Guest${index}` })),
    );
    await em.execute(`update users set first_name = null, last_name = null where id = ?`, [people[0]!.id]);
    for (const person of people) {
      const requestBody = { email: person.email, emailConsent: true };
      await person.client.post(`/api/public-zones/${otherZone.publicLink}/join`).send(requestBody).expect(200);
    }
    await world.testApp.drain();
    const { text } = await world.waitForEmail(otherOwner.email, ({ subject }) =>
      subject.startsWith('Requests to join'),
    );
    expect(text).toContain(people[0]!.email);
    expect(text.match(/Guest\d+/g)).toHaveLength(9);
    expect(text).toContain('and 2 more');
  });
});
