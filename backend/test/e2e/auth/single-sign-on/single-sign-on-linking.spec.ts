import { IdentityProvider } from '../../../support/fakes/identity-provider.js';
import { createZone, PASSWORD, registerUser, uniqueName, type Actor } from '../../../support/people/actors.js';
import { waitForInvitation, invite, uniqueEmail } from '../../../support/people/invitations.js';
import { joinAsRestrictedUser } from '../../../support/people/restricted-user.js';
import { describeInProcess, World, type Client } from '../../../support/world.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';
import { runConcurrently, listAuditTypes, countStatuses } from '../account-helpers.js';
import {
  completeProviderLogin,
  signInWithProvider,
  followCallback,
  addProviderUser,
  getSessionUser,
} from './single-sign-on-helpers.js';

const APP_URL = 'http://localhost:3998';

describeInProcess('SSO identity with the address of an existing account', () => {
  let provider: IdentityProvider;
  let world: World;
  let ada: Actor;
  beforeAll(async () => {
    provider = await IdentityProvider.listen(APP_URL);
    world = await World.open({ APP_URL, RATE_LIMIT: 'on', ...provider.env });
  });
  beforeEach(async () => {
    ada = await registerUser(world);
  });
  afterAll(async () => {
    await world.close();
    await provider.close();
  });

  const listIdentities = (userId: number) =>
    world.testApp
      .em()
      .execute<{ subject: string }[]>('select subject from external_identities where user_id = ?', [userId]);

  /** Returns from the provider with the email address of an existing account, and is asked to link it. */
  async function startLinking(email = ada.email, claims = {}): Promise<{ client: Client; login: string }> {
    const client = world.createClient();
    const { login } = addProviderUser(provider, { email, ...claims });
    expect(await signInWithProvider(world, client, provider, login)).toBe('/auth?sso=link');
    return { client, login };
  }

  async function requestCode(client: Client, email = ada.email): Promise<string> {
    const before = (await world.listEmails(email)).length;
    await client.post('/api/single-sign-on/link/code').expect(200);
    const { text } = await world.waitForEmail(email, (mail) => /\b\d{6}\b/.test(mail.text));
    expect((await world.listEmails(email)).length).toBe(before + 1);
    return /\b\d{6}\b/.exec(text)![0];
  }

  const confirm = (client: Client, proof: object) => client.post('/api/single-sign-on/link').send(proof);

  it('is not linked, and no one is signed in, before the owner confirms', async () => {
    const { client } = await startLinking();
    expect(await getSessionUser(client)).toBeNull();
    expect(await listIdentities(ada.id)).toEqual([]);
    expect((await client.get('/api/single-sign-on/link').expect(200)).body).toEqual({
      email: ada.email,
      provider: 'Example ID',
      byPassword: true,
    });
    await confirm(client, {}).expect(400);
    await confirm(world.createClient(), { password: PASSWORD }).expect(400);
    expect(await listIdentities(ada.id)).toEqual([]);
  });

  it('is linked by the account password, announced by email, and then signs in directly', async () => {
    const { client, login } = await startLinking();
    const { body } = await confirm(client, { password: PASSWORD }).expect(200);
    expect(body).toMatchObject({ id: ada.id, needsProfileCompletion: false });
    expect((await getSessionUser(client)).id).toBe(ada.id);
    expect(await listIdentities(ada.id)).toEqual([{ subject: login }]);
    const mail = await world.waitForEmail(ada.email, ({ subject }) => subject.includes('connected'));
    expect(mail.subject).toBe('Example ID has been connected to your account');
    expect(await listAuditTypes(world, ada.id)).toEqual(['user.registered', 'user.identity-linked', 'user.signed-in']);
    const other = world.createClient();
    expect(await signInWithProvider(world, other, provider, login)).toBe('/');
    expect((await getSessionUser(other)).id).toBe(ada.id);
  });

  it('ends sessions and temporary passwords of an account without its own sign-in', async () => {
    const host = await registerUser(world);
    const zone = await createZone(host);
    const email = uniqueEmail();
    const restricted = await joinAsRestrictedUser(world, zone, email);
    const { password } = await invitedAgain(host, email);
    const { client } = await startLinking(email);
    await confirm(client, { code: await requestCode(client, email) }).expect(200);
    await restricted.get('/api/user').expect(401);
    await world.createClient().post('/api/login').send({ email, password }).expect(401);
    expect((await getSessionUser(client)).email).toBe(email);
    await ada.client.get('/api/user').expect(200);
  });

  /** Invites a person to a zone of the host and returns the email's content. */
  const invitedAgain = async (host: Actor, email: string) => {
    await allowUnlimitedZones(world, host);
    await invite(await createZone(host, { type: 'private' }), host, email);
    return waitForInvitation(world, email);
  };

  it('is linked by an emailed code, once', async () => {
    const { client, login } = await startLinking();
    const code = await requestCode(client);
    await confirm(client, { code: code === '000000' ? '000001' : '000000' }).expect(400);
    await confirm(client, { code }).expect(200);
    expect(await listIdentities(ada.id)).toEqual([{ subject: login }]);
    expect((await confirm(client, { code }).expect(400)).body.code).toBe('SSO_LINK_EXPIRED');
  });

  it('redirects to the page that the user wanted', async () => {
    const client = world.createClient();
    const { login } = addProviderUser(provider, { email: ada.email });
    const path = await completeProviderLogin(client, provider, login, '/zones');
    expect(await followCallback(world, client, path)).toBe('/auth?sso=link&next=%2Fzones');
  });

  it('is void after five wrong attempts by password and code together', async () => {
    const { client } = await startLinking();
    const code = await requestCode(client);
    const wrong = code === '000000' ? '000001' : '000000';
    for (const proof of [{ password: 'not this one' }, { code: wrong }, { password: 'nor this' }, { code: wrong }]) {
      await confirm(client, proof).expect(400);
    }
    expect((await confirm(client, { password: 'never' }).expect(400)).body.code).toBe('WRONG_PASSWORD');
    expect((await confirm(client, { password: PASSWORD }).expect(400)).body.code).toBe('SSO_LINK_EXPIRED');
    expect((await confirm(client, { code }).expect(400)).body.code).toBe('SSO_LINK_EXPIRED');
    await client.get('/api/single-sign-on/link').expect(400);
    expect(await listIdentities(ada.id)).toEqual([]);
    const sql = 'select kind, detail, count from security_events where user_id = ? order by detail';
    expect(await world.testApp.em().execute(sql, [ada.id])).toEqual([
      { kind: 'sign-in-failed', detail: 'code', count: 2 },
      { kind: 'sign-in-failed', detail: 'password', count: 3 },
    ]);
  });

  it('is linked once by concurrent confirmations', async () => {
    const { client } = await startLinking();
    const cookie = client.jar.getCookie('zonary_sign_in', { domain: '127.0.0.1', path: '/' } as never)!;
    const responses = await runConcurrently(4, () =>
      world
        .createClient()
        .post('/api/single-sign-on/link')
        .set('Cookie', `zonary_sign_in=${cookie.value}`)
        .send({ password: PASSWORD }),
    );
    expect(countStatuses(responses)).toEqual({ 200: 1, 400: 3 });
    expect(await listIdentities(ada.id)).toHaveLength(1);
  });

  it('cannot be confirmed after ten minutes or by a deactivated account', async () => {
    const { client } = await startLinking();
    await world.testApp.em().execute('update users set deactivated_at = now() where id = ?', [ada.id]);
    expect((await confirm(client, { password: PASSWORD }).expect(403)).body.code).toBe('ACCOUNT_DEACTIVATED');
    await world.testApp.em().execute('update users set deactivated_at = null where id = ?', [ada.id]);
    world.testApp.clock.advance(10 * 60_000 + 1);
    expect((await confirm(client, { password: PASSWORD }).expect(400)).body.code).toBe('SSO_LINK_EXPIRED');
  });

  it('is rejected when it was linked to another account meanwhile', async () => {
    const login = uniqueName('sub');
    const bob = await registerUser(world);
    const [first, second] = [world.createClient(), world.createClient()];
    for (const [client, email] of [
      [first, ada.email],
      [second, bob.email],
    ] as const) {
      provider.claimsByLogin.set(login, { email, email_verified: true });
      expect(await signInWithProvider(world, client, provider, login)).toBe('/auth?sso=link');
    }
    await confirm(first, { password: PASSWORD }).expect(200);
    expect((await confirm(second, { password: PASSWORD }).expect(409)).body.code).toBe('SSO_LINKED_ELSEWHERE');
    expect(await listIdentities(bob.id)).toEqual([]);
    expect(await getSessionUser(second)).toBeNull();
  });

  it('is linked only by a code if the address is unverified here, which verifies it', async () => {
    await world.testApp.em().execute('update users set email_verified = false where id = ?', [ada.id]);
    const { client } = await startLinking();
    expect((await client.get('/api/single-sign-on/link').expect(200)).body.byPassword).toBe(false);
    expect((await confirm(client, { password: PASSWORD }).expect(400)).body.code).toBe('WRONG_PASSWORD');
    await confirm(client, { code: await requestCode(client) }).expect(200);
    expect((await getSessionUser(client)).emailVerified).toBe(true);
  });

  it('is rejected when the provider has not verified the address', async () => {
    const client = world.createClient();
    const { login } = addProviderUser(provider, { email: ada.email, email_verified: false });
    expect(await signInWithProvider(world, client, provider, login)).toBe('/auth?sso=SSO_EMAIL_UNVERIFIED');
    await client.get('/api/single-sign-on/link').expect(400);
  });

  it('is not linked after the account moved to another address', async () => {
    const { client } = await startLinking();
    await world.testApp.em().execute(`update users set email = 'moved-' || email where id = ?`, [ada.id]);
    expect((await confirm(client, { password: PASSWORD }).expect(400)).body.code).toBe('SSO_LINK_EXPIRED');
  });

  it('is emailed at most five codes per hour', async () => {
    const { client } = await startLinking();
    for (let times = 0; times < 5; times++) await client.post('/api/single-sign-on/link/code').expect(200);
    await client.post('/api/single-sign-on/link/code').expect(429);
  });
});
