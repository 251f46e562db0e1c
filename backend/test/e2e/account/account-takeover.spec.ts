import { UserRepository } from '../../../src/modules/auth/users/user.repository.js';
import { inTransaction } from '../../../src/platform/database/transaction.js';
import {
  reauthenticateByEmail,
  createZone,
  PASSWORD,
  registerUser,
  uniqueName,
  type Actor,
} from '../../support/people/actors.js';
import { waitForInvitation, invite, uniqueEmail } from '../../support/people/invitations.js';
import { joinAsRestrictedUser } from '../../support/people/restricted-user.js';
import { whileTransactionOpen } from '../../support/while-transaction-open.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { makeSuperAdmin } from '../admin/staff-helpers.js';
import { OTHER_PASSWORD, waitForResetToken } from '../auth/account-helpers.js';

const SUPER_ADMIN = 'boss@example.com';
const NEW_PASSWORD = 'violet harbour 71';
const profile = (email: string) => ({
  email,
  firstName: 'Eve',
  lastName: 'Taker',
  username: uniqueName('eve'),
  newPassword: NEW_PASSWORD,
});

/**
 * An invitation is valid for 7 days and people forward emails. Its holder may read what the invited person may
 * read, but must not become the owner of an account that is in use.
 */
describeInProcess('Holder of a forwarded invitation', () => {
  let world: World;
  let host: Actor;
  beforeAll(async () => {
    world = await World.open({ SUPER_ADMIN_EMAIL: SUPER_ADMIN });
  });
  beforeEach(async () => {
    host = await registerUser(world);
  });
  afterAll(() => world.close());

  const rows = (sql: string, values: unknown[] = []) =>
    world.testApp.em().execute<Record<string, unknown>[]>(sql, values);
  const readPassword = async (email: string) => (await rows('select password from users where email = ?', [email]))[0];

  /** Invites an address to a private zone of the host. */
  const forwardInvitation = async (email: string) => {
    const zone = await createZone(host, { type: 'private' });
    await invite(zone, host, email);
    return { zone, ...(await waitForInvitation(world, email)) };
  };

  /** A member who has joined another zone, in their own browser. */
  const joinOtherZone = async () => {
    const email = uniqueEmail();
    return { email, client: await joinAsRestrictedUser(world, await createZone(await registerUser(world)), email) };
  };

  /** Requests that take over an account; each would succeed in a reauthenticated session. */
  const attempts = (client: Client, email: string) => ({
    'sets a password': () => client.post('/api/change-password').send({ email, newPassword: NEW_PASSWORD }),
    'completes the profile': () => client.post('/api/complete-profile').send(profile(email)),
    'changes the address': () => client.post('/api/user/email').send({ email: uniqueEmail() }),
    'exports the data': () => client.get('/api/user/export'),
    'deletes the account': () => client.delete('/api/user').send({}),
    'makes a token': () => client.post('/api/user/tokens').send({ name: 'Mine', scope: 'write', expiresInDays: 7 }),
    'adds a passkey': () => client.post('/api/user/passkeys/options').send(),
    'sets up an authenticator app': () => client.post('/api/user/factors').send(),
  });

  const expectRejected = async (client: Client, email: string) => {
    for (const [what, attempt] of Object.entries(attempts(client, email))) {
      const { status, body } = await attempt();
      expect([what, status, ['CONFIRMATION_REQUIRED', 'PROFILE_INCOMPLETE'].includes(body.code)]).toEqual([
        what,
        403,
        true,
      ]);
    }
    expect(await readPassword(email)).toEqual({ password: null });
  };

  it('reads the zone but cannot take over an account by the link', async () => {
    const { email, client: own } = await joinOtherZone();
    const { token, zone } = await forwardInvitation(email);
    const client = world.createClient();
    await client.post('/api/accept-invite').send({ token, email, emailConsent: true }).expect(200);
    await client.get(`/api/zones/${zone.id}/files`).expect(200);
    await expectRejected(client, email);
    expect((await own.get('/api/user').expect(200)).body.email).toBe(email);
  });

  it('cannot take over an account by the temporary password', async () => {
    const { email, client: own } = await joinOtherZone();
    const { password } = await forwardInvitation(email);
    const client = world.createClient();
    await client.post('/api/login').send({ email, password }).expect(200);
    await expectRejected(client, email);
    await own.get('/api/user').expect(200);
  });

  it.each(['link', 'temporary password'])('cannot take over an account by a profile sent with the %s', async (by) => {
    const { email } = await joinOtherZone();
    const { zone, token, password } = await forwardInvitation(email);
    const client = world.createClient();
    const form = { ...profile(email), token, emailConsent: true, ...(by !== 'link' && { password }) };
    const rejected = await client.post('/api/accept-invite').send(form).expect(403);
    expect(rejected.body.code).toBe('CONFIRMATION_REQUIRED');
    expect(rejected.headers['set-cookie']).toBeUndefined();
    expect(await readPassword(email)).toEqual({ password: null });
    expect((await host.client.get(`/api/zones/${zone.id}/members`).expect(200)).body).toEqual([]);
    expect((await host.client.get(`/api/zones/${zone.id}/invitations`).expect(200)).body).toHaveLength(1);
  });

  it('gets no session or temporary password for an account that uses SSO', async () => {
    const grace = await registerUser(world);
    const { client } = grace;
    await rows('update users set password = null, has_external_identity = true where id = ? returning id', [grace.id]);
    const { token, password } = await forwardInvitation(grace.email);
    expect(password).toBeNull();
    const visitor = world.createClient();
    const { body, headers } = await visitor
      .post('/api/accept-invite')
      .send({ token, email: grace.email, emailConsent: true })
      .expect(200);
    expect(body.redirectUrl).toMatch(/^\/auth\?mode=login/);
    expect(headers['set-cookie']).toBeUndefined();
    await client.get('/api/shared-zones').expect(200);
  });

  it('cannot sign in to an account that has linked SSO since', async () => {
    const { email } = await joinOtherZone();
    const { password } = await forwardInvitation(email);
    await rows('update users set has_external_identity = true where email = ? returning id', [email]);
    await world.createClient().post('/api/login').send({ email, password }).expect(401);
  });

  it('cannot take over an unused account created by an import or a purchase', async () => {
    const email = uniqueEmail();
    const users = world.testApp.app.get(UserRepository);
    await inTransaction(world.testApp.em(), (em) => users.findOrCreateUnverified(em, email, 'en'));
    const { password } = await forwardInvitation(email);
    const client = world.createClient();
    await client.post('/api/login').send({ email, password }).expect(200);
    await expectRejected(client, email);
  });

  it('cannot take over a super admin account, even one created by the invitation', async () => {
    const { password } = await forwardInvitation(SUPER_ADMIN);
    const client = world.createClient();
    await client.post('/api/login').send({ email: SUPER_ADMIN, password }).expect(200);
    await expectRejected(client, SUPER_ADMIN);
  });

  it('owns an account created by the invitation for ten minutes without a code', async () => {
    const email = uniqueEmail();
    const { password } = await forwardInvitation(email);
    const client = world.createClient();
    await client.post('/api/login').send({ email, password }).expect(200);
    world.testApp.clock.advance(600_000);
    await expectRejected(client, email);
    await reauthenticateByEmail(world, client, email);
    await client.post('/api/complete-profile').send(profile(email)).expect(200);
  });

  it('stays confirmed in the session that a new password opens', async () => {
    const { email, client } = await joinOtherZone();
    await reauthenticateByEmail(world, client, email);
    await client.post('/api/change-password').send({ email, newPassword: NEW_PASSWORD }).expect(200);
    await client.get('/api/user/export').expect(200);
    world.testApp.clock.advance(600_000);
    await client.get('/api/user/export').expect(403);
  });

  it('cannot complete a profile in a session that has ended meanwhile', async () => {
    const { email, client } = await joinOtherZone();
    await reauthenticateByEmail(world, client, email);
    const [{ id }] = (await rows('select id from users where email = ?', [email])) as [{ id: string }];
    const change = {
      sql: 'select from users where id = $1 for update',
      values: [id],
      then: `delete from sessions where user_id = ${id}`,
    };
    const { status } = await whileTransactionOpen(world, change, () =>
      client.post('/api/complete-profile').send(profile(email)),
    );
    expect(status).toBe(401);
    expect(await readPassword(email)).toEqual({ password: null });
  });

  it('cannot set a password with a profile sent in a session that has ended meanwhile', async () => {
    const { email, client } = await joinOtherZone();
    await reauthenticateByEmail(world, client, email);
    const { zone, token } = await forwardInvitation(email);
    const [{ id }] = (await rows('select id from users where email = ?', [email])) as [{ id: string }];
    const change = {
      sql: 'select from users where id = $1 for update',
      values: [id],
      then: `delete from sessions where user_id = ${id}`,
    };
    const form = { ...profile(email), token, emailConsent: true };
    const { status } = await whileTransactionOpen(world, change, () => client.post('/api/accept-invite').send(form));
    expect(status).toBe(401);
    expect(await readPassword(email)).toEqual({ password: null });
    expect((await host.client.get(`/api/zones/${zone.id}/members`).expect(200)).body).toEqual([]);
  });

  it('cannot join a zone as a deactivated SSO account', async () => {
    const grace = await registerUser(world);
    const { token, zone } = await forwardInvitation(grace.email);
    await rows(
      'update users set password = null, has_external_identity = true, deactivated_at = now() where id = ? returning id',
      [grace.id],
    );
    const form = { token, email: grace.email, emailConsent: true };
    await world.createClient().post('/api/accept-invite').send(form).expect(404);
    expect((await host.client.get(`/api/zones/${zone.id}/members`).expect(200)).body).toEqual([]);
  });

  const inviteAsAdmin = async (email: string) => {
    const admin = await registerUser(world);
    await makeSuperAdmin(world, admin);
    await admin.client.post('/api/admin/users').send({ email }).expect(204);
    return waitForResetToken(world, email);
  };

  it("cannot set a password by an admin's invitation once the user is a super admin", async () => {
    const email = uniqueEmail();
    const token = await inviteAsAdmin(email);
    await rows('update users set is_super_admin = true where email = ? returning id', [email]);
    const rejected = await world
      .createClient()
      .post('/api/reset-password')
      .send({ token, password: OTHER_PASSWORD })
      .expect(400);
    expect(rejected.body.code).toBe('TOKEN_INVALID');
  });

  it("cannot set a password by an admin's invitation once the account is in use", async () => {
    const email = uniqueEmail();
    const token = await inviteAsAdmin(email);
    const check = () => world.createClient().post('/api/reset-password/check').send({ token }).expect(200);
    expect((await check()).body).toEqual({ usable: true, isFirst: true });
    await joinAsRestrictedUser(world, await createZone(host), email);
    expect((await check()).body.usable).toBe(false);
    const rejected = await world
      .createClient()
      .post('/api/reset-password')
      .send({ token, password: OTHER_PASSWORD })
      .expect(400);
    expect(rejected.body.code).toBe('TOKEN_INVALID');
    await world.createClient().post('/api/login').send({ email, password: PASSWORD }).expect(401);
  });
});
