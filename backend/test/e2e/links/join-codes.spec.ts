import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import { waitForVerificationLink } from '../../support/people/restricted-user.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { joinByLink, readLink, createLink, createPrivateZone } from './link-helpers.js';

const MINUTE = 60_000;

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

const address = () => `${uniqueName('new')}@example.com`;
const path = (rest = '') => `/api/zones/${zone.id}${rest}`;
const members = async () => (await owner.client.get(path('/members')).expect(200)).body as object[];
const submitCode = (client: Client, handle: string, code: string) =>
  client.post('/api/join-codes').send({ handle, code });

/** Requests to join by the public link; returns the join session token. */
async function requestJoin(client: Client, email: string): Promise<string> {
  const response = client.post(`/api/public-zones/${zone.publicLink}/join`).send({ email, emailConsent: true });
  const { body } = await response.expect(200);
  expect(body).toMatchObject({ requiresVerification: true, handle: expect.any(String) });
  return body.handle as string;
}

async function waitForCode(email: string): Promise<string> {
  const { text } = await world.waitForEmail(email, (mail) => mail.text.includes('/verify-email?'));
  return /^\d{6}$/m.exec(text)![0];
}

const wrongCodeFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('Emailed join code', () => {
  it('admits the requesting window, after which the emailed link reports completion', async () => {
    const [client, email] = [world.createClient(), address()];
    const handle = await requestJoin(client, email);
    const link = await waitForVerificationLink(world, email);
    const { body } = await submitCode(client, handle, ` ${await waitForCode(email)} `).expect(200);
    expect(body).toMatchObject({ success: true, redirectUrl: `/zones/${zone.id}`, requiresApproval: false, email });
    await client.get(path('/files')).expect(200);
    expect(await members()).toHaveLength(1);
    const later = await world.createClient().post('/api/verify-email').send(link).expect(200);
    expect(later.body.message).toMatch(/already used this link/);
    expect(later.headers['set-cookie']).toBeUndefined();
    await submitCode(client, handle, await waitForCode(email)).expect(400);
  });

  it('is rejected in any other window, even with a valid handle of another attempt', async () => {
    const [client, email, otherClient] = [world.createClient(), address(), world.createClient()];
    await requestJoin(client, email);
    const code = await waitForCode(email);
    const foreign = await requestJoin(otherClient, address());
    for (const handle of [foreign, 'x'.repeat(43)]) {
      const rejected = await submitCode(otherClient, handle, code).expect(400);
      expect(rejected.body.code).toBe('CODE_INVALID');
      expect(rejected.headers['set-cookie']).toBeUndefined();
    }
    expect(await members()).toEqual([]);
  });

  it('allows five attempts, and the link stays valid', async () => {
    const [client, email] = [world.createClient(), address()];
    const handle = await requestJoin(client, email);
    const code = await waitForCode(email);
    for (let n = 0; n < 5; n++) await submitCode(client, handle, wrongCodeFor(code)).expect(400);
    await submitCode(client, handle, code).expect(400);
    expect(await members()).toEqual([]);
    await client
      .post('/api/verify-email')
      .send(await waitForVerificationLink(world, email))
      .expect(200);
    expect(await members()).toHaveLength(1);
  });

  it('opens no session for a user with a password and creates a join request if needed', async () => {
    await owner.client.patch(path()).send({ autoJoin: false }).expect(200);
    const member = await registerUser(world);
    const client = world.createClient();
    const handle = await requestJoin(client, member.email);
    const joinResponse = await submitCode(client, handle, await waitForCode(member.email)).expect(200);
    expect(joinResponse.body).toMatchObject({ requiresApproval: true });
    expect(joinResponse.headers['set-cookie']).toBeUndefined();
    expect((await owner.client.get(path('/join-requests'))).body).toHaveLength(1);
  });

  it('used concurrently with the link creates one membership and counts one use', async () => {
    const at = await createPrivateZone(world);
    const link = await createLink(at, { maxUses: 5 });
    const email = address();
    const response = await joinByLink(world.createClient(), link, email).expect(200);
    const emailed = await waitForVerificationLink(world, email);
    const code = await waitForCode(email);
    const responses = await Promise.all([
      submitCode(world.createClient(), response.body.handle as string, code),
      world.createClient().post('/api/verify-email').send(emailed),
      submitCode(world.createClient(), response.body.handle as string, code),
    ]);
    expect(responses.filter(({ status, headers }) => status === 200 && headers['set-cookie'])).toHaveLength(1);
    expect(await readLink(at, link.id)).toMatchObject({ currentUses: 1 });
    expect((await at.owner.client.get(`/api/zones/${at.zone.id}`)).body.memberCount).toBe(1);
  });

  it('is not sent to a user who joins at once', async () => {
    const member = await registerUser(world);
    const { body } = await member.client
      .post(`/api/public-zones/${zone.publicLink}/join`)
      .send({ email: member.email, emailConsent: true })
      .expect(200);
    expect(body.handle).toBeNull();
  });
});

describeInProcess('Emailed join code after ten minutes', () => {
  it('is expired while the link is still valid', async () => {
    const [client, email] = [world.createClient(), address()];
    const handle = await requestJoin(client, email);
    const code = await waitForCode(email);
    world.testApp.clock.advance(10 * MINUTE + 1);
    expect((await submitCode(client, handle, code).expect(400)).body.code).toBe('CODE_INVALID');
    await client
      .post('/api/verify-email')
      .send(await waitForVerificationLink(world, email))
      .expect(200);
    world.testApp.clock.advance(-10 * MINUTE - 1);
  });
});
