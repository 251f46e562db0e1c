import {
  waitForCode,
  reauthenticateByEmail,
  createZone,
  PASSWORD,
  registerUser,
  uniqueName,
  type Actor,
} from '../../support/people/actors.js';
import { enrolAuthenticator, type EnrolledAuthenticator } from '../../support/people/authenticator.js';
import { IdentityProvider } from '../../support/fakes/identity-provider.js';
import { waitForInvitation, invite } from '../../support/people/invitations.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { OTHER_PASSWORD } from './account-helpers.js';
import {
  completeProviderLogin,
  signInWithProvider,
  followCallback,
  addProviderUser,
} from './single-sign-on/single-sign-on-helpers.js';

const APP_URL = 'http://localhost:3998';

/** Every sign-in method except the password, which `mfa.spec.ts` covers. None may bypass a second factor. */
describeInProcess('Second factor on sign-in without the account password', () => {
  let provider: IdentityProvider;
  let world: World;
  beforeAll(async () => {
    provider = await IdentityProvider.listen(APP_URL);
    world = await World.open({ APP_URL, ...provider.env });
  });
  afterAll(async () => {
    await world.close();
    await provider.close();
  });

  const run = (sql: string, values: unknown[]) => world.testApp.em().execute(sql, values);
  const listSubjects = async ({ id }: Actor) => {
    const rows = (await run('select subject from external_identities where user_id = ?', [id])) as {
      subject: string;
    }[];
    return rows.map(({ subject }) => subject);
  };
  const isSignedIn = async (client: Client) => (await client.get('/api/session').expect(200)).body.user !== null;
  /** The sign-in is pending, and the next code completes it. */
  const completeSignIn = async (client: Client, { app }: EnrolledAuthenticator, id: number) => {
    expect(await isSignedIn(client)).toBe(false);
    await client.get('/api/login/factor').expect(200);
    const { body } = await client.post('/api/login/factor').send({ code: app.nextCode() }).expect(200);
    expect(body.id).toBe(id);
    expect(await isSignedIn(client)).toBe(true);
    return body;
  };
  /** An account without a password, as after a reverted change of email address. */
  const createWithoutPassword = async () => {
    const ada = await registerUser(world);
    const enrolled = await enrolAuthenticator(world, ada.client);
    await run('update users set password = null where id = ?', [ada.id]);
    return { ada, enrolled };
  };

  it('is required by SSO, and the redirect follows', async () => {
    const { login, email } = addProviderUser(provider);
    const home = world.createClient();
    await signInWithProvider(world, home, provider, login);
    const { id } = (await home.get('/api/session').expect(200)).body.user;
    // The provider may not have authenticated the user again, so changing the account's security needs
    // reauthentication.
    expect((await home.post('/api/user/factors').send().expect(403)).body.code).toBe('CONFIRMATION_REQUIRED');
    await reauthenticateByEmail(world, home, email);
    const enrolled = await enrolAuthenticator(world, home);
    const client = world.createClient();
    const path = await completeProviderLogin(client, provider, login, '/zones?sort=name');
    expect(await followCallback(world, client, path)).toBe('/auth?step=factor&next=%2Fzones%3Fsort%3Dname');
    await completeSignIn(client, enrolled, id);
  });

  it('is required after the password when SSO is used for the first time', async () => {
    const ada = await registerUser(world);
    const enrolled = await enrolAuthenticator(world, ada.client);
    const { login } = addProviderUser(provider, { email: ada.email });
    const client = world.createClient();
    expect(await signInWithProvider(world, client, provider, login)).toBe('/auth?sso=link');
    const { body } = await client.post('/api/single-sign-on/link').send({ password: PASSWORD }).expect(200);
    expect(body).toEqual({ requiresFactor: true, factors: ['totp', 'recovery'] });
    await completeSignIn(client, enrolled, ada.id);
    expect(await listSubjects(ada)).toEqual([login]);
  });

  it('is required before an SSO identity is linked, and another sign-in does not link it', async () => {
    const ada = await registerUser(world);
    const { app } = await enrolAuthenticator(world, ada.client);
    const { login } = addProviderUser(provider, { email: ada.email });
    const startLinking = async () => {
      const client = world.createClient();
      expect(await signInWithProvider(world, client, provider, login)).toBe('/auth?sso=link');
      await client.post('/api/single-sign-on/link').send({ password: PASSWORD }).expect(200);
      return client;
    };
    const [first, second] = [await startLinking(), await startLinking()];
    await first.post('/api/login/factor').send({ code: app.wrongCode() }).expect(400);
    expect(await listSubjects(ada)).toEqual([]);
    const byPassword = world.createClient();
    await byPassword.post('/api/login').send({ email: ada.email, password: PASSWORD }).expect(200);
    await byPassword.post('/api/login/factor').send({ code: app.nextCode() }).expect(200);
    expect(await listSubjects(ada)).toEqual([]);
    // If another user connects the identity meanwhile, the first sign-in fails and its code isn't used up.
    const eve = await registerUser(world);
    await run(
      `insert into external_identities (user_id, issuer, subject, email, created_at, last_used_at)
       select ?, issuer, subject, identity_email, created_at, created_at from pending_sign_ins where subject = ? limit 1
       returning id`,
      [eve.id, login],
    );
    const code = app.nextCode();
    const rejected = await first.post('/api/login/factor').send({ code }).expect(409);
    expect(rejected.body.code).toBe('SSO_LINKED_ELSEWHERE');
    expect(await isSignedIn(first)).toBe(false);
    await run('delete from external_identities where user_id = ? returning id', [eve.id]);
    await second.post('/api/login/factor').send({ code }).expect(200);
    expect(await listSubjects(ada)).toEqual([login]);
  });

  it('is required with a temporary password, followed by a new password', async () => {
    const { ada, enrolled } = await createWithoutPassword();
    const owner = await registerUser(world);
    const zone = await createZone(owner, { type: 'private' });
    await invite(zone, owner, ada.email);
    const { password } = await waitForInvitation(world, ada.email);
    const client = world.createClient();
    const { body } = await client.post('/api/login').send({ email: ada.email, password }).expect(200);
    expect(body.requiresFactor).toBe(true);
    expect(await completeSignIn(client, enrolled, ada.id)).toMatchObject({ requiresPasswordChange: true });
    await client.get('/api/zones').expect(403);
  });

  it.each([false, true])(
    'is required with an invitation before anything else (with a profile: %s)',
    async (withProfile) => {
      const { ada, enrolled } = await createWithoutPassword();
      if (withProfile) await run('update users set username = null where id = ?', [ada.id]);
      const owner = await registerUser(world);
      const zone = await createZone(owner, { type: 'private' });
      await invite(zone, owner, ada.email);
      const { token, password } = await waitForInvitation(world, ada.email);
      const client = world.createClient();
      const profile = { firstName: 'Ada', lastName: 'Test', username: uniqueName('ada'), newPassword: OTHER_PASSWORD };
      const form = { token, email: ada.email, password, emailConsent: true, ...(withProfile && profile) };
      if (withProfile) {
        // Completing a profile sets a password, which needs the second factor first.
        const rejected = await client.post('/api/accept-invite').send(form).expect(403);
        expect(rejected.body.code).toBe('CONFIRMATION_REQUIRED');
        expect(await isSignedIn(client)).toBe(false);
        expect(await run('select password from users where id = ?', [ada.id])).toEqual([{ password: null }]);
        await client.get('/api/login/factor').expect(401);
        return;
      }
      const { body } = await client.post('/api/accept-invite').send(form).expect(200);
      expect(body.redirectUrl).toBe(`/auth?step=factor&next=%2Fzones%2F${zone.id}`);
      expect(await completeSignIn(client, enrolled, ada.id)).toMatchObject({ needsProfileCompletion: true });
    },
  );

  it('is required with an invitation link, which is then spent', async () => {
    const { ada, enrolled } = await createWithoutPassword();
    const owner = await registerUser(world);
    const zone = await createZone(owner, { type: 'private' });
    await invite(zone, owner, ada.email);
    const { token } = await waitForInvitation(world, ada.email);
    const form = { token, email: ada.email, emailConsent: true };
    const client = world.createClient();
    const { body } = await client.post('/api/accept-invite').send(form).expect(200);
    expect(body.redirectUrl).toBe(`/auth?step=factor&next=%2Fzones%2F${zone.id}`);
    await client.post('/api/login/factor').send({ code: enrolled.app.wrongCode() }).expect(400);
    expect(await isSignedIn(client)).toBe(false);
    await client.get(`/api/zones/${zone.id}/files`).expect(401);
    const second = world.createClient();
    const secondUse = await second.post('/api/accept-invite').send(form);
    expect([secondUse.status, secondUse.body.code]).toEqual([409, 'ALREADY_MEMBER']);
    await second.get('/api/login/factor').expect(401);
    await completeSignIn(client, enrolled, ada.id);
    await client.get(`/api/zones/${zone.id}/files`).expect(200);
  });

  it('is required with a join link, which opens a restricted session', async () => {
    const { ada, enrolled } = await createWithoutPassword();
    const owner = await registerUser(world);
    const zone = await createZone(owner);
    const client = world.createClient();
    const requestBody = { email: ada.email, emailConsent: true };
    await client.post(`/api/public-zones/${zone.publicLink}/join`).send(requestBody).expect(200);
    const { text } = await world.waitForEmail(ada.email, (mail) => mail.text.includes('/verify-email?'));
    const link = new URL(/https?:\S+\/verify-email\?\S+/.exec(text)![0]).searchParams;
    const body = { token: link.get('token'), join: link.get('join') };
    const response = await client.post('/api/verify-email').send(body).expect(200);
    expect(response.body.redirectUrl).toBe(`/auth?step=factor&next=%2Fzones%2F${zone.id}`);
    expect(await completeSignIn(client, enrolled, ada.id)).toMatchObject({ needsProfileCompletion: true });
  });

  it('is required when registering the address of an account without a password', async () => {
    const { ada, enrolled } = await createWithoutPassword();
    const client = world.createClient();
    await client.post('/api/send-verification').send({ email: ada.email }).expect(200);
    const verificationCode = await waitForCode(world, ada.email);
    const names = { firstName: 'Ada', lastName: 'Test', username: uniqueName('ada') };
    const form = { email: ada.email, password: OTHER_PASSWORD, verificationCode, ...names };
    const { body } = await client.post('/api/register').send(form).expect(201);
    expect(body.requiresFactor).toBe(true);
    await completeSignIn(client, enrolled, ada.id);
  });

  it.each(['change-password', 'complete-profile'])(
    'is required when a restricted session calls /%s, even if opened earlier',
    async (route) => {
      const ada = await registerUser(world);
      const names = { firstName: 'Ada', lastName: 'Test', username: uniqueName('ada') };
      const restricted = await openRestrictedSession(ada, route === 'complete-profile');
      const enrolled = await enrolAuthenticator(world, ada.client);
      const requestBody = { email: ada.email, newPassword: OTHER_PASSWORD, ...(route === 'complete-profile' && names) };
      const rejected = await restricted.post(`/api/${route}`).send(requestBody).expect(403);
      expect(rejected.body.code).toBe('CONFIRMATION_REQUIRED');
      await restricted.post('/api/user/confirm').send({ code: enrolled.app.nextCode() }).expect(200);
      const { body } = await restricted.post(`/api/${route}`).send(requestBody).expect(200);
      expect(body.requiresFactor).toBe(true);
      await completeSignIn(restricted, enrolled, ada.id);
    },
  );

  /** A second browser of a user without a password, in a restricted session; the first keeps its full session. */
  async function openRestrictedSession(ada: Actor, nameless: boolean): Promise<Client> {
    await run('update users set password = null where id = ?', [ada.id]);
    const owner = await registerUser(world);
    const zone = await createZone(owner, { type: 'private' });
    await invite(zone, owner, ada.email);
    const { password } = await waitForInvitation(world, ada.email);
    const client = world.createClient();
    await client.post('/api/login').send({ email: ada.email, password }).expect(200);
    if (nameless) await run('update users set username = null where id = ?', [ada.id]);
    return client;
  }

  it('is kept when an email change is undone, unless it was set up since', async () => {
    for (const since of [false, true]) {
      const ada = await registerUser(world);
      if (!since) await enrolAuthenticator(world, ada.client);
      const to = `${uniqueName('moved')}@example.com`;
      await ada.client.post('/api/user/email').send({ email: to, password: PASSWORD }).expect(200);
      await world
        .createClient()
        .post('/api/email-change')
        .send({ token: await waitForToken(to, 'change-email') })
        .expect(200);
      if (since) await enrolAuthenticator(world, ada.client);
      const token = await waitForToken(ada.email, 'undo-email-change');
      await world.createClient().post('/api/email-change/undo').send({ token }).expect(200);
      const reset = await waitForToken(ada.email, 'reset-password');
      await world
        .createClient()
        .post('/api/reset-password')
        .send({ token: reset, password: OTHER_PASSWORD })
        .expect(200);
      const login = { email: ada.email, password: OTHER_PASSWORD };
      const { body } = await world.createClient().post('/api/login').send(login).expect(200);
      expect(body.requiresFactor ?? false).toBe(!since);
    }
  });

  const waitForToken = async (email: string, page: string) => {
    const { text } = await world.waitForEmail(email, (mail) => mail.text.includes(`/${page}?token=`));
    return new RegExp(`/${page}\\?token=([\\w-]+)`).exec(text)![1]!;
  };
});
