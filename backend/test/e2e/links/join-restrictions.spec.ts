import {
  createZone,
  joinPublicZone,
  PASSWORD,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { waitForVerificationLink } from '../../support/people/restricted-user.js';
import { waitForInvitation, invite } from '../../support/people/invitations.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { registerAgain } from '../auth/account-helpers.js';
import { joinByLink, createLink, type TestLink } from './link-helpers.js';

let world: World;
let owner: Actor;
let zone: TestZone;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  owner = await registerUser(world);
});
afterAll(() => world.close());

const path = (rest = '') => `/api/zones/${zone.id}${rest}`;
const requests = async () => (await owner.client.get(path('/join-requests')).expect(200)).body as { id: number }[];
const remove = (actor: Actor) => owner.client.delete(path(`/members/${actor.id}`)).expect(204);
const block = (actor: Actor) => owner.client.post(path('/blocks')).send({ userId: actor.id }).expect(204);
const isIn = async ({ client }: Actor) => (await client.get(path())).status === 200;

/** A way to request access: signed in, or signed out with an email. */
type JoinMethod = (client: Client, email: string) => PromiseLike<{ status: number; body: object }>;

const byPublicLink: JoinMethod = (client, email) =>
  client.post(`/api/public-zones/${zone.publicLink}/join`).send({ email, emailConsent: true });
const byTemporaryLink =
  (link: TestLink): JoinMethod =>
  (client, email) =>
    joinByLink(client, link, email);

/** All responses to a requester: signed in, then signed out, before and after clicking the link in the email. */
async function collectResponses(join: JoinMethod, { client, email }: Actor): Promise<unknown[]> {
  const visitor = world.createClient();
  const responses = [await join(client, email), await join(client, email), await join(visitor, email)];
  const link = await waitForVerificationLink(world, email);
  const { text } = await world.waitForEmail(email, (mail) => mail.text.includes('/verify-email?'));
  responses.push(await visitor.get('/api/verify-email').query(link));
  responses.push(await visitor.post('/api/verify-email').send(link));
  responses.push(await visitor.get('/api/verify-email').query(link));
  const visible = responses.map(({ status, body }) => [status, body]);
  const { body } = await client.get('/api/user/export').expect(200);
  const joinRequests = (body.joinRequests as object[]).map((joinRequest) => ({ ...joinRequest, id: 0, createdAt: '' }));
  const all = JSON.stringify([visible, text, joinRequests]);
  const secrets = 'token=\\S+?[\\s"]|(?<="handle":")[^"]+|(?<!\\d)\\d{6}(?!\\d)';
  const personal = new RegExp(`${email}|${encodeURIComponent(email)}|${secrets}`, 'g');
  return JSON.parse(all.replace(personal, '')) as unknown[];
}

/** Three users: one pending, one declined, one blocked. */
async function threePeople(join: JoinMethod, prepare: (actor: Actor) => Promise<unknown>): Promise<Actor[]> {
  const [waiting, declined, blocked] = [
    await registerUser(world),
    await registerUser(world),
    await registerUser(world),
  ];
  for (const actor of [waiting, declined, blocked]) await prepare(actor);
  await join(declined.client, declined.email);
  const [request] = await requests();
  await owner.client.post(path(`/join-requests/${request!.id}/decline`)).expect(200);
  await join(blocked.client, blocked.email);
  await block(blocked);
  return [waiting, declined, blocked];
}

describe('Pending, declined and blocked users', () => {
  const expectAlike = async (join: JoinMethod, people: Actor[]) => {
    const responses: unknown[][] = [];
    for (const actor of people) responses.push(await collectResponses(join, actor));
    const [waiting, ...others] = responses;
    expect(JSON.stringify(waiting)).toContain('"requiresApproval":true');
    for (const other of others) expect(other).toEqual(waiting);
    expect(await requests()).toHaveLength(1);
    for (const actor of people) expect(await isIn(actor)).toBe(false);
  };

  it('get the same responses from a public link with approval', async () => {
    zone = await createZone(owner, { autoJoin: false });
    await expectAlike(byPublicLink, await threePeople(byPublicLink, () => Promise.resolve()));
  });

  it('get the same responses from an open public link after a removal', async () => {
    zone = await createZone(owner);
    const joinAndRemove = async (actor: Actor) => {
      await joinPublicZone(zone, actor);
      await remove(actor);
    };
    await expectAlike(byPublicLink, await threePeople(byPublicLink, joinAndRemove));
  });

  it.each([null, 7])(
    'get the same responses from a temporary link after a removal (days: %s)',
    async (membershipDays) => {
      zone = await createZone(owner, { type: 'private' });
      const join = byTemporaryLink(
        await createLink({ owner, zone }, membershipDays === null ? {} : { membershipDays }),
      );
      const joinAndRemove = async (actor: Actor) => {
        await join(actor.client, actor.email);
        await remove(actor);
      };
      await expectAlike(join, await threePeople(join, joinAndRemove));
    },
  );
});

describe('Link with membership days', () => {
  it('counts as used after an approval, so that leaving does not allow a second use', async () => {
    zone = await createZone(owner, { type: 'private' });
    const member = await registerUser(world);
    const join = byTemporaryLink(await createLink({ owner, zone }));
    const days = byTemporaryLink(await createLink({ owner, zone }, { membershipDays: 7 }));
    await join(member.client, member.email);
    await remove(member);
    expect((await days(member.client, member.email)).body).toMatchObject({ requiresApproval: true });
    const [request] = await requests();
    await owner.client.post(path(`/join-requests/${request!.id}/approve`)).expect(200);
    const [row] = (await owner.client.get(path('/members'))).body as { expiresAt: string | null }[];
    expect(row!.expiresAt).not.toBeNull();
    await member.client.post(path('/leave')).send({}).expect(200);
    const secondJoin = await days(member.client, member.email);
    expect([secondJoin.status, secondJoin.body]).toMatchObject([409, { code: 'LINK_ALREADY_USED' }]);
    expect((await join(member.client, member.email)).body).toMatchObject({ redirectUrl: `/zones/${zone.id}` });
  });

  it('does not count as used after a decline or another way of joining', async () => {
    zone = await createZone(owner, { type: 'private' });
    const member = await registerUser(world);
    const days = byTemporaryLink(await createLink({ owner, zone }, { membershipDays: 7 }));
    await byTemporaryLink(await createLink({ owner, zone }))(member.client, member.email);
    await remove(member);
    await days(member.client, member.email);
    await owner.client.post(path(`/members/${member.id}/restore`)).expect(200);
    expect(await requests()).toEqual([]);
    await member.client.post(path('/leave')).send({}).expect(200);
    expect((await days(member.client, member.email)).body).toMatchObject({ redirectUrl: `/zones/${zone.id}` });
  });
});

describe('User who deleted the account and registered again', () => {
  it("counts as new: gets the link's days again and is not blocked", async () => {
    zone = await createZone(owner, { type: 'private' });
    const member = await registerUser(world);
    const days = byTemporaryLink(await createLink({ owner, zone }, { membershipDays: 7 }));
    expect((await days(member.client, member.email)).status).toBe(200);
    await block(member);
    await member.client.delete('/api/user').send({ password: PASSWORD }).expect(204);
    const newAccount = await registerAgain(world, member.email);
    expect((await days(newAccount.client, newAccount.email)).body).toMatchObject({ redirectUrl: `/zones/${zone.id}` });
    expect(await isIn(newAccount)).toBe(true);
  });
});

describe('Zone that requires consent after a join was requested', () => {
  it('rejects the emailed link without consent and keeps the link valid', async () => {
    zone = await createZone(owner, { requiresEmailOptin: false });
    const [client, email] = [world.createClient(), `${uniqueName('new')}@example.com`];
    await client.post(`/api/public-zones/${zone.publicLink}/join`).send({ email, emailConsent: false }).expect(200);
    const link = await waitForVerificationLink(world, email);
    await owner.client.patch(path()).send({ requiresEmailOptin: true }).expect(200);
    const previewed = await client.get('/api/verify-email').query(link).expect(400);
    expect(previewed.body.code).toBe('CONSENT_REQUIRED');
    const rejected = await client.post('/api/verify-email').send(link).expect(400);
    expect(rejected.body.code).toBe('CONSENT_REQUIRED');
    expect((await owner.client.get(path('/members'))).body).toEqual([]);
    await owner.client.patch(path()).send({ requiresEmailOptin: false }).expect(200);
    await client.get('/api/verify-email').query(link).expect(200);
    await client.post('/api/verify-email').send(link).expect(200);
  });

  it.each(['public', 'private'] as const)('rejects join requests without consent (%s)', async (type) => {
    zone = await createZone(owner, { type });
    const member = await registerUser(world);
    const link = type === 'private' ? await createLink({ owner, zone }) : null;
    const at = link ? `/api/temporary-links/${link.token}/join` : `/api/public-zones/${zone.publicLink}/join`;
    for (const emailConsent of [undefined, null, 'true', false]) {
      await member.client.post(at).send({ email: member.email, emailConsent }).expect(400);
    }
    expect(await isIn(member)).toBe(false);
  });
});

describeInProcess('Blocked user', () => {
  let blocked: Actor;
  beforeEach(async () => {
    zone = await createZone(owner);
    blocked = await registerUser(world);
    await joinPublicZone(zone, blocked);
    await block(blocked);
  });

  it('stays blocked with another address', async () => {
    const other = `${uniqueName('other')}@example.com`;
    await world.testApp.em().execute('update users set email = ? where id = ?', [other, blocked.id]);
    expect((await byPublicLink(blocked.client, other)).body).toMatchObject({ requiresApproval: true });
    expect(await requests()).toEqual([]);
    expect(await isIn(blocked)).toBe(false);
  });

  it('cannot accept an invitation to an address taken since', async () => {
    const other = `${uniqueName('other')}@example.com`;
    await invite(zone, owner, other);
    const { token } = await waitForInvitation(world, other);
    await world.createClient().get(`/api/invite/${token}`).expect(200);
    await world.testApp.em().execute('update users set email = ? where id = ?', [other, blocked.id]);
    const body = { token, email: other, emailConsent: true };
    const rejected = await blocked.client.post('/api/accept-invite').send(body).expect(404);
    expect(rejected.body.code).toBe('INVITATION_INVALID');
    expect(await isIn(blocked)).toBe(false);
    expect((await owner.client.get(path('/blocks'))).body).toMatchObject([{ user: { id: blocked.id } }]);
  });

  it('counts as unknown with a new account, even under the same address', async () => {
    await blocked.client.delete('/api/user').send({ password: PASSWORD }).expect(204);
    await world.testApp.drain();
    const client = world.createClient();
    await byPublicLink(client, blocked.email);
    const { body } = await client.post('/api/verify-email').send(await waitForVerificationLink(world, blocked.email));
    expect(body).toMatchObject({ requiresApproval: false, redirectUrl: `/zones/${zone.id}` });
  });

  it('has no valid invitation and no membership to restore', async () => {
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    await remove(member);
    await invite(zone, owner, member.email);
    const { token } = await waitForInvitation(world, member.email);
    await block(member);
    const body = { token, email: member.email, emailConsent: true };
    expect((await member.client.post('/api/accept-invite').send(body).expect(404)).body.code).toBe(
      'INVITATION_INVALID',
    );
    expect(await isIn(member)).toBe(false);
  });

  it('can request again once unblocked, and the owner sees the request', async () => {
    await byPublicLink(blocked.client, blocked.email);
    expect(await requests()).toEqual([]);
    const { body } = await blocked.client.get('/api/user/export').expect(200);
    expect(body.joinRequests).toMatchObject([{ zoneId: zone.id, method: 'public_link' }]);
    await owner.client.delete(path(`/blocks/${blocked.id}`)).expect(204);
    await byPublicLink(blocked.client, blocked.email);
    expect(await requests()).toHaveLength(1);
  });

  it('stays outside, as do four users removed during forty concurrent requests', async () => {
    const people = [
      await registerUser(world),
      await registerUser(world),
      await registerUser(world),
      await registerUser(world),
    ];
    for (const actor of people) await joinPublicZone(zone, actor);
    const rounds = people.flatMap((actor) => Array.from({ length: 10 }, () => byPublicLink(actor.client, actor.email)));
    await Promise.all([...people.map(remove), ...rounds, byPublicLink(blocked.client, blocked.email)]);
    for (const actor of [...people, blocked]) expect(await isIn(actor)).toBe(false);
    expect((await owner.client.get(path())).body.memberCount).toBe(0);
  });
});
