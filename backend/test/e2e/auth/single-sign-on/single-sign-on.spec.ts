import { CALLBACK_PATH, IdentityProvider } from '../../../support/fakes/identity-provider.js';
import { reauthenticateByEmail, registerUser, uniqueName } from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { runConcurrently, listAuditTypes, countStatuses } from '../account-helpers.js';
import {
  beginSignIn,
  completeProviderLogin,
  signInWithProvider,
  followCallback,
  addProviderUser,
  getSessionUser,
} from './single-sign-on-helpers.js';

const APP_URL = 'http://localhost:3999';

describeInProcess('Single sign-on', () => {
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

  it('names the provider and starts with a code, PKCE, state and nonce', async () => {
    const client = world.createClient();
    expect((await client.get('/api/site').expect(200)).body.singleSignOn).toBe('Example ID');
    const { searchParams } = new URL(await beginSignIn(client));
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: APP_URL + CALLBACK_PATH,
      scope: 'openid email profile',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(searchParams.get(name)!.length).toBeGreaterThan(40);
  });

  it('stores nothing with which the database alone could complete the sign-in', async () => {
    const client = world.createClient();
    const { searchParams } = new URL(await beginSignIn(client));
    const rows = JSON.stringify(await world.testApp.em().execute('select * from begun_sign_ins'));
    for (const name of ['state', 'nonce']) expect(rows).not.toContain(searchParams.get(name)!);
    const cookie = client.jar.getCookie('zonary_sign_in', { domain: '127.0.0.1', path: '/' } as never);
    expect(cookie!.noscript).toBe(true);
    expect(rows).not.toContain(cookie!.value);
  });

  it('creates a verified, complete account without a password for a new address', async () => {
    const client = world.createClient();
    const { login, email } = addProviderUser(provider, { preferred_username: uniqueName('Grace.Höpper') });
    expect(
      await followCallback(world, client, await completeProviderLogin(client, provider, login, '/zones?sort=name')),
    ).toBe('/zones?sort=name');
    expect(await getSessionUser(client)).toMatchObject({
      email,
      firstName: 'Grace',
      lastName: 'Hopper',
      emailVerified: true,
      needsProfileCompletion: false,
      requiresPasswordChange: false,
      username: expect.stringMatching(/^grace_hopper_[a-z0-9_]+$/),
    });
    await client
      .post('/api/zones')
      .send({ name: uniqueName('Zone'), type: 'private' })
      .expect(201);
    const { id } = await getSessionUser(client);
    expect(await listAuditTypes(world, id)).toEqual(['user.registered', 'user.signed-in']);
  });

  it('recognises the identity under another address and ends the earlier session', async () => {
    const client = world.createClient();
    const { login } = addProviderUser(provider);
    await signInWithProvider(world, client, provider, login);
    const before = await getSessionUser(client);
    const earlier = (await client.get('/api/user/sessions').expect(200)).body;
    provider.claimsByLogin.set(login, { email: 'elsewhere@example.com', email_verified: false });
    expect(await signInWithProvider(world, client, provider, login)).toBe('/');
    expect((await getSessionUser(client)).id).toBe(before.id);
    const later = (await client.get('/api/user/sessions').expect(200)).body;
    expect(later).toHaveLength(1);
    expect(later[0].id).not.toBe(earlier[0].id);
    expect((await client.get('/api/user/identities').expect(200)).body).toEqual([
      expect.objectContaining({ provider: 'Example ID', email: 'elsewhere@example.com' }),
    ]);
  });

  it('asks for the names when the provider gives none', async () => {
    const client = world.createClient();
    const { login } = addProviderUser(provider, { given_name: undefined, family_name: undefined });
    await signInWithProvider(world, client, provider, login);
    expect(await getSessionUser(client)).toMatchObject({
      requiresProfileCompletion: true,
      firstName: null,
      username: null,
    });
  });

  it('takes names as one line without URLs', async () => {
    const client = world.createClient();
    const { login } = addProviderUser(provider, {
      given_name: 'Gra\u202ece\nSubject: x',
      family_name: 'http://evil.example',
    });
    await signInWithProvider(world, client, provider, login);
    expect(await getSessionUser(client)).toMatchObject({ firstName: 'Grace Subject: x', lastName: '.' });
  });

  it('gives concurrent users with the same name different usernames', async () => {
    const name = uniqueName('twin').slice(0, 20);
    const people = Array.from({ length: 6 }, () => addProviderUser(provider, { preferred_username: name }));
    const clients = people.map(() => world.createClient());
    const paths: string[] = [];
    for (const [index, { login }] of people.entries())
      paths.push(await completeProviderLogin(clients[index]!, provider, login));
    const redirects = await Promise.all(paths.map((path, index) => followCallback(world, clients[index]!, path)));
    expect(redirects).toEqual(people.map(() => '/'));
    const names = await Promise.all(clients.map(async (client) => (await getSessionUser(client)).username as string));
    expect(new Set(names).size).toBe(people.length);
    expect(names.every((username) => username.startsWith(name))).toBe(true);
  });

  it('creates one account for concurrent sign-ins of one person', async () => {
    const { login } = addProviderUser(provider);
    const clients = Array.from({ length: 4 }, () => world.createClient());
    const paths: string[] = [];
    for (const client of clients) paths.push(await completeProviderLogin(client, provider, login));
    const redirects = await Promise.all(paths.map((path, index) => followCallback(world, clients[index]!, path)));
    expect(redirects).toEqual(clients.map(() => '/'));
    const ids = await Promise.all(clients.map(async (client) => (await getSessionUser(client)).id as number));
    expect(new Set(ids).size).toBe(1);
  });

  it('rejects an address that the provider has not verified, however that is expressed', async () => {
    for (const email_verified of [false, undefined, 'true' as never]) {
      const client = world.createClient();
      const { login, email } = addProviderUser(provider, { email_verified });
      expect(await signInWithProvider(world, client, provider, login)).toBe('/auth?sso=SSO_EMAIL_UNVERIFIED');
      expect(await getSessionUser(client)).toBeNull();
      expect(await world.testApp.em().execute('select id from users where email = ?', [email])).toEqual([]);
    }
  });

  it('rejects a deactivated account', async () => {
    const client = world.createClient();
    const { login } = addProviderUser(provider);
    await signInWithProvider(world, client, provider, login);
    const { id } = await getSessionUser(client);
    await world.testApp.em().execute('update users set deactivated_at = now() where id = ?', [id]);
    expect(await signInWithProvider(world, client, provider, login)).toBe('/auth?sso=ACCOUNT_DEACTIVATED');
    expect(await getSessionUser(client)).toBeNull();
  });

  it.each(['https://evil.example', '//evil.example', '/\\evil.example', '/\t/evil.example', 'zones'])(
    'rejects a redirect outside the site: %j',
    async (next) => {
      await world.createClient().post('/api/single-sign-on').send({ next }).expect(400);
    },
  );

  it('redirects with an absolute URL so that no path is read as another site', async () => {
    const client = world.createClient();
    const { login } = addProviderUser(provider);
    const path = await completeProviderLogin(client, provider, login, '/.//evil.example');
    expect((await client.get(path).expect(302)).headers.location).toBe(`${APP_URL}//evil.example`);
  });

  describe('callback', () => {
    const state = (path: string) => new URL(path, APP_URL).searchParams.get('state')!;
    const changeParameter = (path: string, name: string, value: string) => {
      const url = new URL(path, APP_URL);
      url.searchParams.set(name, value);
      return url.pathname + url.search;
    };

    it('signs in once, even when followed concurrently', async () => {
      const client = world.createClient();
      const { login } = addProviderUser(provider);
      const path = await completeProviderLogin(client, provider, login);
      const cookie = client.jar.getCookie('zonary_sign_in', { domain: '127.0.0.1', path: '/' } as never)!;
      const responses = await runConcurrently(6, () =>
        world.createClient().get(path).set('Cookie', `zonary_sign_in=${cookie.value}`),
      );
      expect(countStatuses(responses)).toEqual({ 302: 6 });
      const redirects = responses.map(({ headers }) => headers.location!.slice(APP_URL.length)).sort();
      expect(redirects).toEqual(['/', ...Array.from({ length: 5 }, () => '/auth?sso=SSO_EXPIRED')]);
      expect(await followCallback(world, client, path)).toBe('/auth?sso=SSO_EXPIRED');
    });

    it('is rejected with a wrong state and keeps the pending sign-in', async () => {
      const client = world.createClient();
      const { login } = addProviderUser(provider);
      const path = await completeProviderLogin(client, provider, login);
      for (const wrong of [
        changeParameter(path, 'state', 'x'.repeat(64)),
        `${path}&state=${state(path)}`,
        CALLBACK_PATH,
      ]) {
        expect(await followCallback(world, client, wrong)).toBe('/auth?sso=SSO_EXPIRED');
      }
      expect(await followCallback(world, client, path)).toBe('/');
    });

    it('signs no one in from another browser', async () => {
      const [attacker, victim] = [world.createClient(), world.createClient()];
      const { login } = addProviderUser(provider);
      const path = await completeProviderLogin(attacker, provider, login);
      await beginSignIn(victim);
      expect(await followCallback(world, victim, path)).toBe('/auth?sso=SSO_EXPIRED');
      expect(await followCallback(world, world.createClient(), path)).toBe('/auth?sso=SSO_EXPIRED');
      expect(await getSessionUser(victim)).toBeNull();
    });

    it('fails at the code verifier with the code of another sign-in', async () => {
      const [attacker, victim] = [world.createClient(), world.createClient()];
      const stolen = new URL(await completeProviderLogin(victim, provider, addProviderUser(provider).login), APP_URL);
      const path = await completeProviderLogin(attacker, provider, addProviderUser(provider).login);
      const mixed = changeParameter(path, 'code', stolen.searchParams.get('code')!);
      expect(await followCallback(world, attacker, mixed)).toBe('/auth?sso=SSO_REFUSED');
      expect(await getSessionUser(attacker)).toBeNull();
    });

    it('is rejected with an ID token for another nonce', async () => {
      const client = world.createClient();
      const url = new URL(await beginSignIn(client));
      url.searchParams.set('nonce', 'n'.repeat(64));
      const { pathname, search } = await provider.logIn(url.href, addProviderUser(provider).login);
      expect(await followCallback(world, client, pathname + search)).toBe('/auth?sso=SSO_REFUSED');
      expect(await getSessionUser(client)).toBeNull();
    });

    it('is rejected with another issuer or none', async () => {
      for (const tamper of [
        (path: string) => changeParameter(path, 'iss', 'https://evil.example'),
        (path: string) => path.replace(/&iss=[^&]*/, ''),
      ]) {
        const client = world.createClient();
        const path = await completeProviderLogin(client, provider, addProviderUser(provider).login);
        expect(await followCallback(world, client, tamper(path))).toBe('/auth?sso=SSO_REFUSED');
        expect(await getSessionUser(client)).toBeNull();
      }
    });

    it('is rejected after ten minutes', async () => {
      const client = world.createClient();
      const path = await completeProviderLogin(client, provider, addProviderUser(provider).login);
      world.testApp.clock.advance(10 * 60_000 + 1);
      expect(await followCallback(world, client, path)).toBe('/auth?sso=SSO_EXPIRED');
    });

    it('redirects an error with a message', async () => {
      const client = world.createClient();
      const url = new URL(await beginSignIn(client));
      const iss = encodeURIComponent(provider.issuer);
      const path = `${CALLBACK_PATH}?error=access_denied&state=${url.searchParams.get('state')}&iss=${iss}`;
      expect(await followCallback(world, client, path)).toBe('/auth?sso=SSO_REFUSED');
    });
  });

  it('rejects a start from another site', async () => {
    await world.createClient().post('/api/single-sign-on').set('Sec-Fetch-Site', 'cross-site').send({}).expect(403);
  });

  it('deletes sign-ins that were never completed', async () => {
    const client = world.createClient();
    await beginSignIn(client);
    world.testApp.clock.advance(11 * 60_000);
    const { ExpiredSecretsService } = await import('../../../../src/modules/auth/tokens/expired-secrets.service.js');
    await world.testApp.app.get(ExpiredSecretsService, { strict: false }).purgeExpiredSecrets();
    const rows = await world.testApp.em().execute('select id from begun_sign_ins where expires_at <= now()');
    expect(rows).toEqual([]);
  });

  it('does not let an emailed code register over an SSO account', async () => {
    const client = world.createClient();
    const { login, email } = addProviderUser(provider);
    await signInWithProvider(world, client, provider, login);
    await world.createClient().post('/api/send-verification').send({ email }).expect(200);
    const mail = await world.waitForEmail(email);
    expect(mail.text).not.toMatch(/\b\d{6}\b/);
  });

  describe('identity in the settings', () => {
    it('can be disconnected once there is a password, with an email and an audit entry', async () => {
      const client = world.createClient();
      const { login, email } = addProviderUser(provider);
      await signInWithProvider(world, client, provider, login);
      const [identity] = (await client.get('/api/user/identities').expect(200)).body;
      await reauthenticateByEmail(world, client, email);
      const { body } = await client.delete(`/api/user/identities/${identity.id}`).expect(409);
      expect(body.code).toBe('LAST_WAY_IN');
      const me = await getSessionUser(client);
      const { id: donor } = await registerUser(world);
      await world.testApp
        .em()
        .execute('update users set password = (select password from users where id = ?) where id = ?', [donor, me.id]);
      const outsider = await registerUser(world);
      await outsider.client.delete(`/api/user/identities/${identity.id}`).expect(404);
      await client.delete(`/api/user/identities/${identity.id}`).expect(204);
      await client.delete(`/api/user/identities/${identity.id}`).expect(404);
      const mail = await world.waitForEmail(email, ({ subject }) => subject.includes('disconnected'));
      expect(mail.subject).toBe('Example ID has been disconnected from your account');
      expect(await listAuditTypes(world, me.id)).toContain('user.identity-unlinked');
      const other = world.createClient();
      expect(await signInWithProvider(world, other, provider, login)).toBe('/auth?sso=link');
      expect(await getSessionUser(other)).toBeNull();
    });

    it('is part of the export and is deleted with the account', async () => {
      const client = world.createClient();
      const { login, email } = addProviderUser(provider);
      await signInWithProvider(world, client, provider, login);
      await reauthenticateByEmail(world, client, email);
      const me = await getSessionUser(client);
      const { id: donor } = await registerUser(world);
      await world.testApp
        .em()
        .execute('update users set password = (select password from users where id = ?) where id = ?', [donor, me.id]);
      const { body } = await client.get('/api/user/export').expect(200);
      expect(body.externalIdentities).toEqual([
        expect.objectContaining({ issuer: provider.issuer, subject: login, email: me.email }),
      ]);
      await client.delete('/api/user').send({ password: 'correct horse battery' }).expect(204);
      const again = world.createClient();
      expect(await signInWithProvider(world, again, provider, login)).toBe('/');
      expect((await getSessionUser(again)).id).not.toBe(me.id);
    });
  });
});
