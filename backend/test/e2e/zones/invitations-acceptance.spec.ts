import {
  createZone,
  PASSWORD,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { waitForInvitation, invite, inviteNewAddress } from '../../support/people/invitations.js';
import { describeInProcess, World } from '../../support/world.js';

let world: World;
let owner: Actor;
let zone: TestZone;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  owner = await registerUser(world, { firstName: 'Olga', lastName: 'Owner' });
  zone = await createZone(owner, { type: 'private' });
});
afterAll(() => world.close());

const listInvitations = async () =>
  (await owner.client.get(`/api/zones/${zone.id}/invitations`).expect(200)).body as unknown[];
const profile = () => ({ firstName: 'Nora', lastName: 'New', username: uniqueName('nora'), newPassword: PASSWORD });

describe('Invitation of a new user', () => {
  it('is described by GET without any change', async () => {
    const { email, token } = await inviteNewAddress(world, zone, owner);
    for (const client of [world.createClient(), owner.client]) {
      const { body } = await client.get(`/api/invite/${token}`).expect(200);
      expect(body).toMatchObject({
        zoneName: zone.name,
        inviterName: 'Olga Owner',
        email,
        isExistingUser: false,
        isAccepted: false,
        requiresEmailOptin: true,
      });
      expect(body.consentText).toContain('I agree to receive all emails');
    }
    expect(await listInvitations()).toHaveLength(1);
  });

  it('accepts the temporary password, then the profile, and adds the member', async () => {
    const { email, token, password } = await inviteNewAddress(world, zone, owner);
    const client = world.createClient();
    const { body } = await client
      .post('/api/accept-invite')
      .send({ token, email, password, emailConsent: true })
      .expect(200);
    expect(body).toMatchObject({ requiresProfileCompletion: true, requiresPasswordChange: false, zoneName: zone.name });
    expect((await client.get('/api/zones').expect(403)).body.code).toBe('PROFILE_INCOMPLETE');
    await client
      .post('/api/complete-profile')
      .send({ email, ...profile() })
      .expect(200);
    await client.get(`/api/zones/${zone.id}`).expect(200);
    expect((await owner.client.get(`/api/zones/${zone.id}`)).body.memberCount).toBe(1);
    expect(await listInvitations()).toEqual([]);
    await world.createClient().post('/api/login').send({ email, password }).expect(401);
  });

  it('returns missing consent as the next step and changes nothing', async () => {
    const { email, token, password } = await inviteNewAddress(world, zone, owner);
    const client = world.createClient();
    const form = { token, email, password, existingUser: false };
    for (const more of [{}, profile()]) {
      const { body, headers } = await client
        .post('/api/accept-invite')
        .send({ ...form, ...more })
        .expect(200);
      expect(body).toMatchObject({
        requiresConsent: true,
        requiresProfileCompletion: false,
        requiresPasswordChange: false,
        zoneName: zone.name,
        redirectUrl: `/invite/${token}`,
      });
      expect(body.consentText).toContain('I agree to receive all emails');
      expect(headers['set-cookie']).toBeUndefined();
    }
    expect(await listInvitations()).toHaveLength(1);
    expect((await owner.client.get(`/api/zones/${zone.id}`)).body.memberCount).toBe(0);
    const wrong = await client.post('/api/accept-invite').send({ ...form, password: 'aaaa-bbbb-cccc-dddd-eeee' });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    const joined = await client
      .post('/api/accept-invite')
      .send({ ...form, emailConsent: true })
      .expect(200);
    expect(joined.body).toMatchObject({ requiresConsent: false, consentText: null, requiresProfileCompletion: true });
    // After joining, these endpoints need no consent again.
    await client
      .post('/api/accept-invite')
      .send({ ...form, ...profile() })
      .expect(200);
    await client.get(`/api/zones/${zone.id}`).expect(200);
  });

  it('accepts password and profile in one call', async () => {
    const { email, token, password } = await inviteNewAddress(world, zone, owner);
    const client = world.createClient();
    const { body } = await client
      .post('/api/accept-invite')
      .send({ token, email, password, emailConsent: true, ...profile() })
      .expect(200);
    expect(body).toMatchObject({
      requiresProfileCompletion: false,
      requiresPasswordChange: false,
      redirectUrl: `/zones/${zone.id}`,
    });
    await client.get(`/api/zones/${zone.id}`).expect(200);
  });

  it('accepts the profile in a second call with the same token', async () => {
    const { email, token, password } = await inviteNewAddress(world, zone, owner);
    const client = world.createClient();
    await client.post('/api/accept-invite').send({ token, email, password, emailConsent: true }).expect(200);
    await client
      .post('/api/accept-invite')
      .send({ token, email, password, emailConsent: true, ...profile() })
      .expect(200);
    await client.get(`/api/zones/${zone.id}`).expect(200);
    expect((await owner.client.get(`/api/zones/${zone.id}`)).body.memberCount).toBe(1);
  });

  it('lets a new user without a profile return by the link or by signing in', async () => {
    const { email, token, password } = await inviteNewAddress(world, zone, owner);
    await world
      .createClient()
      .post('/api/accept-invite')
      .send({ token, email, password, emailConsent: true })
      .expect(200);
    const { body } = await world.createClient().get(`/api/invite/${token}`).expect(200);
    expect(body).toMatchObject({ isExistingUser: false, isAccepted: true });
    await world
      .createClient()
      .post('/api/accept-invite')
      .send({ token, email, password, emailConsent: true })
      .expect(200);
    await world.createClient().post('/api/login').send({ email, password }).expect(200);
  });

  it('rejects a wrong temporary password or an incomplete profile and creates no account', async () => {
    const { email, token } = await inviteNewAddress(world, zone, owner);
    const accept = (more: object) =>
      world
        .createClient()
        .post('/api/accept-invite')
        .send({ token, email, emailConsent: true, ...more });
    await world.testApp.em().execute('delete from security_events');
    expect((await accept({ password: 'aaaa-bbbb-cccc-dddd-eeee' }).expect(401)).body.code).toBe('INVALID_CREDENTIALS');
    const recorded = await world.testApp.em().execute('select kind, detail, count from security_events');
    expect(recorded).toEqual([{ kind: 'sign-in-failed', detail: 'password', count: 1 }]);
    const { password } = await waitForInvitation(world, email);
    await accept({ password, firstName: 'Half' }).expect(400);
    await accept({ password, ...profile(), username: owner.username }).expect(409);
    await accept({ password, ...profile(), newPassword: 'short' }).expect(400);
    const unchanged = await accept({ password, ...profile(), newPassword: password }).expect(400);
    expect(unchanged.body).toMatchObject({ code: 'PASSWORD_UNCHANGED' });
    expect(unchanged.body.errors.newPassword).toHaveLength(1);
    expect(await listInvitations()).toHaveLength(1);
    expect((await owner.client.get(`/api/zones/${zone.id}`)).body.memberCount).toBe(0);
  });

  it('accepts the temporary password as people copy it', async () => {
    for (const form of [
      (word: string) => ` ${word}\n`,
      (word: string) => word.toUpperCase(),
      (word: string) => word.replaceAll('-', '\u2011'),
    ]) {
      const { email, token, password } = await inviteNewAddress(world, zone, owner);
      await world
        .createClient()
        .post('/api/login')
        .send({ email, password: form(password!) })
        .expect(200);
      const body = { token, email, password: form(password!), emailConsent: true };
      await world.createClient().post('/api/accept-invite').send(body).expect(200);
    }
  });

  it('rejects the temporary password of another invitation', async () => {
    const [one, other] = [await inviteNewAddress(world, zone, owner), await inviteNewAddress(world, zone, owner)];
    await world
      .createClient()
      .post('/api/accept-invite')
      .send({ token: one.token, email: one.email, password: other.password, emailConsent: true })
      .expect(401);
  });
});

describe('Invitation link without a password', () => {
  const accept = (token: string, email: string, client = world.createClient(), more: object = {}) =>
    client.post('/api/accept-invite').send({ token, email, emailConsent: true, ...more });

  it('opens the zone for reading, and writing requires a profile', async () => {
    const { email, token } = await inviteNewAddress(world, zone, owner);
    const client = world.createClient();
    const { body } = await accept(token, email, client).expect(200);
    expect(body).toMatchObject({
      redirectUrl: `/zones/${zone.id}`,
      zoneName: zone.name,
      requiresProfileCompletion: false,
      requiresPasswordChange: false,
    });
    await client.get(`/api/zones/${zone.id}/files`).expect(200);
    expect((await client.get('/api/user').expect(200)).body).toMatchObject({ email, emailVerified: true });
    const rejected = await client.post('/api/zones').send({ name: 'Mine' }).expect(403);
    expect(rejected.body.code).toBe('PROFILE_INCOMPLETE');
  });

  it('rejects a second use and says that the user is a member', async () => {
    const { email, token } = await inviteNewAddress(world, zone, owner);
    await accept(token, email).expect(200);
    const secondUse = await accept(token, email);
    expect([secondUse.status, secondUse.body.code]).toEqual([409, 'ALREADY_MEMBER']);
    expect(secondUse.headers['set-cookie']).toBeUndefined();
    expect((await world.createClient().get(`/api/invite/${token}`)).body).toMatchObject({ isAccepted: true });
    await world.testApp.em().execute('delete from zone_members where zone_id = ? and role = ?', [zone.id, 'member']);
    expect((await accept(token, email)).status).toBe(404);
  });

  it('creates no account without required consent or for another address', async () => {
    const { email, token } = await inviteNewAddress(world, zone, owner);
    expect((await accept(token, email, world.createClient(), { emailConsent: false })).body.code).toBe(
      'CONSENT_REQUIRED',
    );
    const other = `${uniqueName('other')}@example.com`;
    expect((await accept(token, other)).body.code).toBe('INVITATION_OTHER_ADDRESS');
    for (const look of [
      world.createClient().get(`/api/invite/${token}`),
      world.createClient().head(`/api/invite/${token}`),
    ]) {
      expect((await look).headers['set-cookie']).toBeUndefined();
    }
    expect(await world.testApp.em().execute('select id from users where email in (?, ?)', [email, other])).toEqual([]);
    expect(await listInvitations()).toHaveLength(1);
  });

  it('keeps an existing session of the invitee', async () => {
    const first = await inviteNewAddress(world, zone, owner);
    const client = world.createClient();
    await accept(first.token, first.email, client).expect(200);
    const host = await registerUser(world);
    const second = await createZone(host, { type: 'private' });
    await invite(second, host, first.email);
    const { token } = await waitForInvitation(world, first.email);
    const { body, headers } = await accept(token, first.email, client).expect(200);
    expect(body).toMatchObject({ redirectUrl: `/zones/${second.id}`, requiresProfileCompletion: false });
    expect(headers['set-cookie']).toBeUndefined();
    await client.get(`/api/zones/${second.id}/files`).expect(200);
  });
});

describe('Invitation of a user with an account', () => {
  let invitee: Actor;
  let token: string;
  beforeEach(async () => {
    invitee = await registerUser(world, { firstName: 'Rosa', lastName: 'Reader' });
    await invite(zone, owner, invitee.email);
    token = (await waitForInvitation(world, invitee.email)).token;
  });
  const accept = (client = invitee.client, email = invitee.email, more: object = {}) =>
    client.post('/api/accept-invite').send({ token, email, existingUser: true, emailConsent: true, ...more });

  it('contains no password and is accepted by one call', async () => {
    expect((await waitForInvitation(world, invitee.email)).password).toBeNull();
    expect((await invitee.client.get(`/api/invite/${token}`)).body).toMatchObject({ isExistingUser: true });
    const { body } = await accept().expect(200);
    expect(body).toMatchObject({ redirectUrl: `/zones/${zone.id}`, requiresPasswordChange: false });
    const sharedZones = await invitee.client.get('/api/shared-zones').expect(200);
    expect(sharedZones.body).toMatchObject([{ id: zone.id, memberRole: 'member' }]);
  });

  it('adds a signed-out user without opening a session', async () => {
    const client = world.createClient();
    const { body, headers } = await accept(client).expect(200);
    expect(body.redirectUrl).toBe(`/auth?mode=login&email=${encodeURIComponent(invitee.email)}`);
    expect(headers['set-cookie']).toBeUndefined();
    await client.get('/api/user').expect(401);
    await invitee.client.get(`/api/zones/${zone.id}`).expect(200);
  });

  it('is rejected for other people', async () => {
    const other = await registerUser(world);
    for (const response of [
      await accept(other.client),
      await accept(other.client, other.email),
      await accept(world.createClient(), other.email),
      await accept(owner.client),
    ]) {
      expect([response.status, response.body.code]).toEqual([403, 'INVITATION_OTHER_ADDRESS']);
    }
    await other.client.get(`/api/zones/${zone.id}`).expect(404);
    expect(await listInvitations()).toHaveLength(1);
  });

  it('is used once, then reports that the user is a member', async () => {
    await accept().expect(200);
    const secondUse = await accept().expect(409);
    expect(secondUse.body).toMatchObject({ code: 'ALREADY_MEMBER' });
    expect(secondUse.body.message).toContain('already a member');
    expect((await invitee.client.get(`/api/invite/${token}`)).body).toMatchObject({ isAccepted: true });
  });

  it('records consent with the text shown, which is optional where the zone allows', async () => {
    await invitee.client.put('/api/user/profile').send({ firstName: 'Rosa', language: 'tr' }).expect(200);
    const rejected = await accept(invitee.client, invitee.email, { emailConsent: false }).expect(400);
    expect(rejected.body.code).toBe('CONSENT_REQUIRED');
    await accept().expect(200);
    const { body } = await invitee.client.get('/api/user/export').buffer(true).expect(200);
    const consents = JSON.stringify(body);
    expect(consents).toContain('tüm e-postaları almayı kabul ediyorum');
  });
  it('records no consent and sends no email if the request does not mention it', async () => {
    const host = await registerUser(world);
    const open = await createZone(host, { requiresEmailOptin: false });
    await invite(open, host, invitee.email);
    token = (await waitForInvitation(world, invitee.email)).token;
    await accept(invitee.client, invitee.email, { emailConsent: undefined }).expect(200);
    const [member] = (await host.client.get(`/api/zones/${open.id}/members`).expect(200)).body;
    expect(member).toMatchObject({ user: { email: invitee.email }, getsMails: false });
    const consents = await world.testApp
      .em()
      .execute('select id from email_consents where zone_id = ? and user_id = ?', [open.id, invitee.id]);
    expect(consents).toEqual([]);
  });
});

describeInProcess('Accepted invitation', () => {
  it('does not lead back in after the membership has ended', async () => {
    const invitee = await registerUser(world);
    await invite(zone, owner, invitee.email);
    const { token } = await waitForInvitation(world, invitee.email);
    const accept = () =>
      invitee.client.post('/api/accept-invite').send({ token, email: invitee.email, emailConsent: true });
    await accept().expect(200);
    await world.testApp
      .em()
      .execute(`update zone_members set expires_at = now() - interval '1 second' where user_id = ?`, [invitee.id]);
    for (const response of [await accept(), await invitee.client.get(`/api/invite/${token}`)]) {
      expect([response.status, response.body.code]).toEqual([404, 'INVITATION_INVALID']);
    }
    await invitee.client.get(`/api/zones/${zone.id}`).expect(404);
  });
});
