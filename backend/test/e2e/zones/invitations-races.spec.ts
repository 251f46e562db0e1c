import { RequestContext } from '@mikro-orm/core';
import {
  PASSWORD,
  createZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import {
  setInviteLimit,
  setPeopleLimit,
  readAudience,
  waitForInvitation,
  invite,
  inviteNewAddress,
  uniqueEmail,
} from '../../support/people/invitations.js';
import { InvitationExpiryService } from '../../../src/modules/zones/invitations/expiry/invitation-expiry.service.js';
import { describeInProcess, World, type Client } from '../../support/world.js';

const AT_ONCE = 50;
const makeMany = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

describeInProcess('Concurrent invitations', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    owner = await registerUser(world);
    zone = await createZone(owner, { type: 'private' });
  });
  afterAll(() => world.close());

  const send = (emails: string[]) => owner.client.post(`/api/zones/${zone.id}/invite`).send({ emails });
  const statusesOf = (responses: { status: number }[]) => responses.map(({ status }) => status).sort();
  const memberCount = async () => (await owner.client.get(`/api/zones/${zone.id}`)).body.memberCount as number;
  const openCount = async () =>
    Number((await owner.client.get(`/api/zones/${zone.id}/invitations?limit=1`)).headers['x-total-count']);

  it('invite exactly 20 people when 50 requests meet a plan with room for 20', async () => {
    await setPeopleLimit(world, owner, 20);
    const responses = await Promise.all(makeMany(AT_ONCE, () => send([uniqueEmail()])));
    const statuses = responses.map(({ body }) => body.results[0].status as string);
    expect(statuses.filter((status) => status === 'INVITED')).toHaveLength(20);
    expect(statuses.filter((status) => status === 'PLAN_LIMIT')).toHaveLength(30);
    expect(await readAudience(world, owner)).toEqual({ used: 20, rows: 20, pending: 20 });
    expect(await openCount()).toBe(20);
  });

  it('invite each person once for 50 overlapping lists in different orders', async () => {
    const emails = makeMany(40, uniqueEmail);
    const lists = makeMany(AT_ONCE, (index) => [...emails.slice(index % 40), ...emails.slice(0, index % 40)]);
    const responses = await Promise.all(lists.map(send));
    expect(statusesOf(responses)).toEqual(makeMany(AT_ONCE, () => 200));
    const rows = responses.flatMap(({ body }) => body.results as { status: string }[]);
    expect(rows.filter(({ status }) => status === 'INVITED')).toHaveLength(40);
    expect(await readAudience(world, owner)).toEqual({ used: 40, rows: 40, pending: 40 });
  });

  it('add a user with an account once when accepted in 50 tabs', async () => {
    const invitee = await registerUser(world);
    await invite(zone, owner, invitee.email);
    const { token } = await waitForInvitation(world, invitee.email);
    const body = { token, email: invitee.email, existingUser: true, emailConsent: true };
    const responses = await Promise.all(makeMany(AT_ONCE, () => invitee.client.post('/api/accept-invite').send(body)));
    expect(statusesOf(responses)).toEqual([200, ...makeMany(AT_ONCE - 1, () => 409)]);
    expect(await memberCount()).toBe(1);
    expect(await readAudience(world, owner)).toEqual({ used: 1, rows: 1, pending: 0 });
  });

  it('create one account and membership for a new user in several tabs, which can all continue', async () => {
    const { email, token, password } = await inviteNewAddress(world, zone, owner);
    const tabs = makeMany(8, () => world.createClient());
    const accept = (client: Client) =>
      client.post('/api/accept-invite').send({ token, email, password, emailConsent: true });
    const responses = await Promise.all(tabs.map(accept));
    expect(statusesOf(responses)).toEqual(makeMany(8, () => 200));
    const form = { firstName: 'Nora', lastName: 'New', newPassword: PASSWORD };
    const finished = await Promise.all(
      tabs.map((client) => client.post('/api/complete-profile').send({ email, ...form, username: uniqueName('nora') })),
    );
    expect(finished.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await memberCount()).toBe(1);
    expect(await readAudience(world, owner)).toEqual({ used: 1, rows: 1, pending: 0 });
  });

  it('open one session when a new user presses the button 20 times', async () => {
    const { email, token } = await inviteNewAddress(world, zone, owner);
    const body = { token, email, emailConsent: true };
    const responses = await Promise.all(makeMany(20, () => world.createClient().post('/api/accept-invite').send(body)));
    expect(statusesOf(responses)).toEqual([200, ...makeMany(19, () => 409)]);
    expect(responses.filter(({ headers }) => headers['set-cookie'])).toHaveLength(1);
    expect(await memberCount()).toBe(1);
    expect(await readAudience(world, owner)).toEqual({ used: 1, rows: 1, pending: 0 });
  });

  it('are either accepted or revoked, never both', async () => {
    for (let round = 0; round < 10; round++) {
      const invitee = await registerUser(world);
      await invite(zone, owner, invitee.email);
      const { token } = await waitForInvitation(world, invitee.email);
      const [row] = (await owner.client.get(`/api/zones/${zone.id}/invitations`)).body;
      const before = await memberCount();
      const [accepted, revoked] = await Promise.all([
        invitee.client.post('/api/accept-invite').send({ token, email: invitee.email, emailConsent: true }),
        owner.client.delete(`/api/zones/${zone.id}/invitations/${row.id}`),
      ]);
      expect([[200, 404].join(), [404, 204].join()]).toContain([accepted.status, revoked.status].join());
      expect(await memberCount()).toBe(before + (accepted.status === 200 ? 1 : 0));
    }
    const { used, rows, pending } = await readAudience(world, owner);
    expect({ used, rows, pending }).toEqual({ used: await memberCount(), rows: used, pending: 0 });
  });

  it('accept the old link only before a resend, even when concurrent', async () => {
    const invitee = await registerUser(world);
    await invite(zone, owner, invitee.email);
    const { token } = await waitForInvitation(world, invitee.email);
    const [row] = (await owner.client.get(`/api/zones/${zone.id}/invitations`)).body;
    const [accepted, resent] = await Promise.all([
      invitee.client.post('/api/accept-invite').send({ token, email: invitee.email, emailConsent: true }),
      owner.client.post(`/api/zones/${zone.id}/invitations/${row.id}/resend`),
    ]);
    const responses = [accepted, resent].map(({ status, body }) => `${status} ${body.code ?? ''}`.trim());
    expect(['200,200', '200,404 INVITATION_NOT_FOUND', '404 INVITATION_INVALID,200']).toContain(responses.join());
    expect(await memberCount()).toBe(accepted.status === 200 ? 1 : 0);
  });

  it('free the quota once for 20 concurrent revocations', async () => {
    await invite(zone, owner, uniqueEmail(), uniqueEmail());
    const [row] = (await owner.client.get(`/api/zones/${zone.id}/invitations`)).body;
    const responses = await Promise.all(
      makeMany(20, () => owner.client.delete(`/api/zones/${zone.id}/invitations/${row.id}`)),
    );
    expect(statusesOf(responses)).toEqual([204, ...makeMany(19, () => 404)]);
    expect(await readAudience(world, owner)).toEqual({ used: 1, rows: 1, pending: 1 });
  });

  it('free each quota once when several workers expire them while others invite', async () => {
    await setPeopleLimit(world, owner, 5000);
    await setInviteLimit(world, owner);
    await send(makeMany(1200, uniqueEmail)).expect(200);
    expect((await readAudience(world, owner)).used).toBe(1200);
    const em = world.testApp.em();
    await em.execute(`delete from jobs where name = 'zones.send-invitation'`);
    await em.execute(`update invitations set expires_at = now() where zone_id = ?`, [zone.id]);
    const expiry = world.testApp.app.get(InvitationExpiryService);
    const fresh = makeMany(30, uniqueEmail);
    await Promise.all([
      ...makeMany(4, () => RequestContext.create(world.testApp.em(), () => expiry.expireInvitations())),
      ...fresh.map((email) => send([email]).expect(200)),
    ]);
    expect(await readAudience(world, owner)).toEqual({ used: 30, rows: 30, pending: 30 });
  });
});

describeInProcess('Invitation list with thousands of rows', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;
  beforeAll(async () => {
    world = await World.open({ RATE_LIMIT: 'on' });
    owner = await registerUser(world);
    zone = await createZone(owner, { type: 'private' });
    await setPeopleLimit(world, owner, 1_000_000);
    await setInviteLimit(world, owner);
  });
  afterAll(() => world.close());

  const send = (emails: string[]) => owner.client.post(`/api/zones/${zone.id}/invite`).send({ emails });

  it('returns a result for each of 10,000 rows and keeps the hourly rate limit', async () => {
    const emails = makeMany(10_000, (index) =>
      index % 50 === 7 ? `broken-${index}` : `p${index}.${owner.username}@example.com`,
    );
    const { body } = await send(emails).expect(200);
    const statuses = (body.results as { status: string }[]).map(({ status }) => status);
    expect(statuses).toHaveLength(10_000);
    const count = (wanted: string) => statuses.filter((status) => status === wanted).length;
    expect([count('INVALID_EMAIL'), count('INVITED'), count('RATE_LIMIT')]).toEqual([200, 5000, 4800]);
    expect(body).toMatchObject({ invited: 5000 });
    expect(body.retryAfter).toBeGreaterThan(0);
    const later = await send([uniqueEmail()]).expect(429);
    expect(Number(later.headers['retry-after'])).toBeGreaterThan(3000);
    const [jobs] = await world.testApp
      .em()
      .execute<{ count: string }[]>(`select count(*) from jobs where name = 'zones.send-invitation'`);
    expect(Number(jobs!.count)).toBe(5000);
  });

  it('is rejected with more than 10,000 rows', async () => {
    await send(makeMany(10_001, (index) => `p${index}@example.com`)).expect(400);
  });

  it('sends at most 3 invitations of an owner to one mailbox a day', async () => {
    world.testApp.clock.advance(3_600_000);
    const email = uniqueEmail();
    for (let round = 0; round < 3; round++) {
      const { body } = await send([email]).expect(200);
      expect(body.results[0].status).toBe('INVITED');
      const [row] = (await owner.client.get(`/api/zones/${zone.id}/invitations?limit=1`)).body;
      await owner.client.delete(`/api/zones/${zone.id}/invitations/${row.id}`).expect(204);
    }
    const { body } = await send([email]).expect(200);
    expect(body.results[0].status).toBe('ADDRESS_MAIL_LIMIT');
  });
});
