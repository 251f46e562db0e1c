import { createSign, generateKeyPairSync } from 'node:crypto';
import {
  CALLBACK_PATH,
  IdentityProvider,
  startFakeProvider,
  toProviderEnv,
} from '../../../support/fakes/identity-provider.js';
import { uniqueName } from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import {
  beginSignIn,
  completeProviderLogin,
  followCallback,
  addProviderUser,
  getSessionUser,
} from './single-sign-on-helpers.js';

const APP_URL = 'http://localhost:3997';

type ProviderResponse = { status?: number; body: string; type?: string };

describeInProcess('SSO provider failures', () => {
  it('offers nothing when no provider is configured', async () => {
    const world = await World.open();
    try {
      const client = world.createClient();
      expect((await client.get('/api/site').expect(200)).body.singleSignOn).toBeNull();
      const { body } = await client.post('/api/single-sign-on').send({}).expect(404);
      expect(body.code).toBe('SSO_OFF');
      await client.get('/api/single-sign-on/link').expect(404);
      const { headers } = await client.get(`${CALLBACK_PATH}?code=a&state=b`).expect(302);
      expect(headers.location).toMatch(/\/auth\?sso=SSO_EXPIRED$/);
    } finally {
      await world.close();
    }
  });

  it('returns an error while the provider is unreachable, starts anyway and recovers', async () => {
    const provider = await IdentityProvider.listen(APP_URL);
    await provider.close();
    const world = await World.open({ APP_URL, ...provider.env });
    try {
      const client = world.createClient();
      const { body } = await client.post('/api/single-sign-on').send({}).expect(503);
      expect(body).toMatchObject({ code: 'SSO_UNAVAILABLE', message: expect.stringContaining("Couldn't reach") });
      expect(await world.testApp.em().execute('select id from begun_sign_ins')).toEqual([]);
      const back = await IdentityProvider.listen(APP_URL, Number(new URL(provider.issuer).port));
      try {
        const path = await completeProviderLogin(client, back, addProviderUser(back).login);
        await back.close();
        expect(await followCallback(world, client, path)).toBe('/auth?sso=SSO_UNAVAILABLE');
        expect(await getSessionUser(client)).toBeNull();
      } finally {
        await back.close();
      }
    } finally {
      await world.close();
    }
  });

  const metadata = (issuer: string) =>
    JSON.stringify({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/me`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    });

  it.each<[string, (issuer: string) => ProviderResponse]>([
    ['HTML instead of JSON', () => ({ body: '<html>Welcome</html>', type: 'text/html' })],
    ['empty JSON', () => ({ body: '{}' })],
    ['malformed JSON', () => ({ body: '{"issuer":' })],
    ['the metadata of another issuer', () => ({ body: metadata('https://other.example') })],
    ['a server error', () => ({ status: 500, body: 'oops' })],
    ['a redirect elsewhere', () => ({ status: 302, body: '' })],
  ])('treats a provider that responds with %s as unreachable', async (_, response) => {
    const provider = await startFakeProvider((path, issuer) => response(issuer));
    const world = await World.open({ APP_URL, ...toProviderEnv(provider.issuer) });
    try {
      const { body } = await world.createClient().post('/api/single-sign-on').send({}).expect(503);
      expect(body.code).toBe('SSO_UNAVAILABLE');
    } finally {
      await world.close();
      await provider.close();
    }
  });

  describe('with a valid provider configuration', () => {
    const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const otherKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    let createTokenEndpointResponse: (issuer: string, nonce: string) => ProviderResponse;
    let nonce = '';
    let provider: Awaited<ReturnType<typeof startFakeProvider>>;
    let world: World;
    beforeAll(async () => {
      provider = await startFakeProvider((path, issuer) => {
        if (path.startsWith('/.well-known/')) return { body: metadata(issuer) };
        const jwk = { ...keys.publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'a' };
        if (path === '/jwks') return { body: JSON.stringify({ keys: [jwk] }) };
        return createTokenEndpointResponse(issuer, nonce);
      });
      world = await World.open({ APP_URL, ...toProviderEnv(provider.issuer) });
    });
    afterAll(async () => {
      await world.close();
      await provider.close();
    });

    /** An ID token with a verified email address and the test's changes. */
    function createTokenResponse(
      issuer: string,
      changes: object,
      { key = keys.privateKey, alg = 'RS256' } = {},
    ): ProviderResponse {
      const now = Math.floor(Date.now() / 1000);
      const email = `${uniqueName('forged')}@example.com`;
      const claims = {
        iss: issuer,
        aud: 'zonary',
        sub: uniqueName('sub'),
        email,
        email_verified: true,
        given_name: 'Eve',
      };
      const text = `${part({ alg, kid: 'a' })}.${part({ ...claims, iat: now, exp: now + 60, nonce, ...changes })}`;
      const signature = alg === 'none' ? '' : createSign('RSA-SHA256').update(text).sign(key, 'base64url');
      const id_token = `${text}.${signature}`;
      return { body: JSON.stringify({ access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token }) };
    }

    async function completeCallback(): Promise<string> {
      const client = world.createClient();
      const { searchParams } = new URL(await beginSignIn(client));
      nonce = searchParams.get('nonce')!;
      const redirect = await followCallback(
        world,
        client,
        `${CALLBACK_PATH}?code=c&state=${searchParams.get('state')}`,
      );
      expect((await getSessionUser(client)) !== null).toBe(redirect === '/');
      return redirect;
    }

    it('signs in with a valid token', async () => {
      createTokenEndpointResponse = (issuer) => createTokenResponse(issuer, {});
      expect(await completeCallback()).toBe('/');
    });

    it.each<[string, (issuer: string) => ProviderResponse]>([
      ['for another client', (issuer) => createTokenResponse(issuer, { aud: 'somebody else' })],
      ['of another issuer', (issuer) => createTokenResponse(issuer, { iss: 'https://other.example' })],
      ['without a nonce', (issuer) => createTokenResponse(issuer, { nonce: undefined })],
      ['that has expired', (issuer) => createTokenResponse(issuer, { exp: Math.floor(Date.now() / 1000) - 3600 })],
    ])('rejects a token %s', async (_, response) => {
      createTokenEndpointResponse = response;
      await world.testApp.em().execute('delete from security_events');
      expect(await completeCallback()).toBe('/auth?sso=SSO_REFUSED');
      const sql = `select kind, detail, user_id::int as person, network <> '' as placed, count from security_events`;
      expect(await world.testApp.em().execute(sql)).toEqual([
        { kind: 'sign-in-failed', detail: 'provider', person: 0, placed: true, count: 1 },
      ]);
    });

    it.each<[string, (issuer: string) => ProviderResponse]>([
      ['a token signed with another key', (issuer) => createTokenResponse(issuer, {}, { key: otherKeys.privateKey })],
      ['an unsigned token', (issuer) => createTokenResponse(issuer, {}, { alg: 'none' })],
      ['no ID token', () => ({ body: '{"access_token":"a","token_type":"Bearer"}' })],
      ['an HTML response', () => ({ body: '<html></html>', type: 'text/html' })],
      ['a response that the client secret is wrong', () => ({ status: 401, body: '{"error":"invalid_client"}' })],
      ['a server error', () => ({ status: 502, body: 'Bad gateway', type: 'text/plain' })],
    ])('signs no one in with %s', async (_, response) => {
      createTokenEndpointResponse = response;
      expect(await completeCallback()).toMatch(/^\/auth\?sso=SSO_(REFUSED|UNAVAILABLE)$/);
    });
  });
});
