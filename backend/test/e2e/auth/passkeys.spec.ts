import { PASSWORD, registerUser, type Actor } from '../../support/people/actors.js';
import { enrolAuthenticator } from '../../support/people/authenticator.js';
import { SoftwareAuthenticator, type AuthenticatorOverrides } from '../../support/fakes/software-authenticator.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import {
  requestPasswordReset,
  runConcurrently,
  listAuditTypes,
  countStatuses,
  OTHER_PASSWORD,
} from './account-helpers.js';

const APP_URL = 'https://files.example.com';
const MINUTE = 60_000;

describeInProcess('Passkeys', () => {
  let world: World;
  let ada: Actor;
  beforeAll(async () => {
    world = await World.open({ APP_URL: 'http://localhost:3997' });
  });
  beforeEach(async () => {
    ada = await registerUser(world);
  });
  afterAll(() => world.close());

  const origin = () => world.testApp.config.appUrl;
  const run = (sql: string, values: unknown[]) => world.testApp.em().execute(sql, values);
  const requestCreationOptions = async (client: Client) =>
    (await client.post('/api/user/passkeys/options').send().expect(200)).body;
  /** Adds a passkey as the page does. */
  const add = async (person: Actor, key = new SoftwareAuthenticator(origin()), how: AuthenticatorOverrides = {}) => {
    const response = key.create(await requestCreationOptions(person.client), how);
    const { body } = await person.client.post('/api/user/passkeys').send({ name: 'My phone', response }).expect(201);
    return { key, ...body } as { key: SoftwareAuthenticator; passkey: { id: number }; recoveryCodes: string[] };
  };
  const requestOptions = async (client: Client) =>
    (await client.post('/api/login/passkey/options').send().expect(200)).body;
  const signIn = (client: Client, response: object) => client.post('/api/login/passkey').send({ response });
  const login = (client: Client, password = PASSWORD) => client.post('/api/login').send({ email: ada.email, password });
  const isSignedIn = async (client: Client) => (await client.get('/api/session').expect(200)).body.user !== null;
  const factors = async (person: Actor) => (await person.client.get('/api/user/factors').expect(200)).body;
  const expectRejected = (response: { status: number; body: { code: string } }) =>
    expect([response.status, response.body.code]).toEqual([400, 'PASSKEY_INVALID']);

  it('are added with a name, and the first factor comes with ten recovery codes', async () => {
    const options = await requestCreationOptions(ada.client);
    expect(options.rp).toMatchObject({ id: 'localhost' });
    expect(Buffer.from(options.user.id, 'base64url').toString()).not.toContain(ada.email);
    const { passkey, recoveryCodes } = await add(ada);
    expect(recoveryCodes).toHaveLength(10);
    expect(await factors(ada)).toMatchObject({
      authenticator: null,
      recoveryCodesLeft: 10,
      passkeys: [{ id: passkey.id, name: 'My phone', createdAt: expect.any(String), lastUsedAt: null }],
    });
    expect((await add(ada)).recoveryCodes).toEqual([]);
    await world.waitForEmail(ada.email, ({ text }) => text.includes('“My phone”'));
    expect(await listAuditTypes(world, ada.id)).toContain('user.factor-enrolled');
  });

  it('bring no new recovery codes when another factor exists, and vice versa', async () => {
    await enrolAuthenticator(world, ada.client);
    expect((await add(ada)).recoveryCodes).toEqual([]);
    const bob = await registerUser(world);
    await add(bob);
    expect((await enrolAuthenticator(world, bob.client)).recoveryCodes).toEqual([]);
  });

  it('sign in alone, and the session counts as confirmed', async () => {
    const { key } = await add(ada);
    const client = world.createClient();
    const options = await requestOptions(client);
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
    const { body } = await signIn(client, key.get(options)).expect(200);
    expect(body).toMatchObject({ id: ada.id, needsProfileCompletion: false });
    await client.post('/api/user/tokens').send({ name: 'A', scope: 'read', expiresInDays: 1 }).expect(201);
    expect((await factors(ada)).passkeys[0].lastUsedAt).toEqual(expect.any(String));
    expect(await listAuditTypes(world, ada.id)).toContain('user.signed-in');
  });

  it('are requested after the password, for that user alone', async () => {
    const { key } = await add(ada);
    const eve = await registerUser(world);
    const { key: foreign } = await add(eve);
    const client = world.createClient();
    expect((await login(client).expect(200)).body).toEqual({ requiresFactor: true, factors: ['passkey', 'recovery'] });
    const getOptions = async () => (await client.post('/api/login/factor/passkey-options').send().expect(200)).body;
    const options = await getOptions();
    expect(options.allowCredentials.map(({ id }: { id: string }) => id)).toEqual([key.id]);
    const submitFactor = (passkey: object) => client.post('/api/login/factor').send({ passkey });
    expectRejected(await submitFactor(foreign.get(options)));
    expectRejected(await submitFactor(key.get(options)));
    expect(await isSignedIn(client)).toBe(false);
    expect((await submitFactor(key.get(await getOptions(), { unverified: true })).expect(200)).body.id).toBe(ada.id);
    expect(await isSignedIn(client)).toBe(true);
    await world.createClient().post('/api/login/factor/passkey-options').send().expect(401);
  });

  const invalidResponses: [string, AuthenticatorOverrides][] = [
    ['another origin', { origin: APP_URL }],
    ['another site', { rpId: 'files.example.com' }],
    ['an unknown challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['no PIN, finger or face', { unverified: true }],
    ['another type of response', { type: 'webauthn.create' }],
    ['the handle of another person', { userHandle: Buffer.from('user:1').toString('base64url') }],
    ['a signature counter that has not increased', { counter: 1 }],
  ];

  it.each(invalidResponses)('do not sign in with %s', async (_, how) => {
    const { key } = await add(ada);
    const client = world.createClient();
    expectRejected(await signIn(client, key.get(await requestOptions(client), how)));
    expect(await isSignedIn(client)).toBe(false);
  });

  it('reject replayed, foreign, late and wrong-purpose responses', async () => {
    const { key } = await add(ada);
    const [client, elsewhere] = [world.createClient(), world.createClient()];
    const assertion = key.get(await requestOptions(client));
    await requestOptions(elsewhere);
    expectRejected(await signIn(elsewhere, assertion));
    await signIn(client, assertion).expect(200);
    expectRejected(await signIn(client, assertion));
    const late = key.get(await requestOptions(client));
    world.testApp.clock.advance(5 * MINUTE);
    expectRejected(await signIn(client, late));
    const { body } = await ada.client.post('/api/user/confirm/passkey-options').send().expect(200);
    await requestOptions(ada.client);
    expectRejected(await signIn(ada.client, key.get(body)));
    expectRejected(await signIn(world.createClient(), key.get(await requestOptions(client))));
  });

  it('are rejected if their counter does not advance, which indicates a copy', async () => {
    const { key } = await add(ada);
    const copy = key.clone();
    const client = world.createClient();
    await signIn(client, key.get(await requestOptions(client))).expect(200);
    expectRejected(await signIn(client, copy.get(await requestOptions(client))));
  });

  it('sign in repeatedly without a counter, but each response counts once', async () => {
    const { key } = await add(ada, new SoftwareAuthenticator(origin(), false));
    const client = world.createClient();
    await signIn(client, key.get(await requestOptions(client))).expect(200);
    await signIn(client, key.get(await requestOptions(client))).expect(200);
    const assertion = key.get(await requestOptions(client));
    expect(countStatuses(await runConcurrently(20, () => signIn(client, assertion)))).toEqual({ 200: 1, 400: 19 });
  });

  it('get the same response whether unknown or badly signed', async () => {
    const { key } = await add(ada);
    const client = world.createClient();
    const unknownAuthenticator = new SoftwareAuthenticator(origin());
    unknownAuthenticator.create(await requestCreationOptions(ada.client));
    const unknown = await signIn(client, unknownAuthenticator.get(await requestOptions(client)));
    const assertion = key.get(await requestOptions(client));
    const other = key.get(await requestOptions(client));
    const forged = { ...assertion, response: { ...assertion.response, signature: other.response.signature } };
    const wrong = await signIn(client, forged);
    expectRejected(unknown);
    expectRejected(wrong);
    const { requestId: a, ...first } = unknown.body;
    const { requestId: b, ...second } = wrong.body;
    expect(first).toEqual(second);
    expect([a, b]).not.toContain(null);
  });

  it('do not sign in a deactivated account', async () => {
    const { key } = await add(ada);
    await run('update users set deactivated_at = now() where id = ?', [ada.id]);
    const client = world.createClient();
    const { status, body } = await signIn(client, key.get(await requestOptions(client)));
    expect([status, body.code]).toEqual([403, 'ACCOUNT_DEACTIVATED']);
    expect(await isSignedIn(client)).toBe(false);
  });

  it('are not added with an invalid response, twice, from another session, or beyond ten', async () => {
    const send = (client: Client, response: object) => client.post('/api/user/passkeys').send({ response });
    const bad: AuthenticatorOverrides[] = [
      { origin: APP_URL },
      { rpId: 'files.example.com' },
      { type: 'webauthn.get' },
    ];
    for (const how of bad) {
      expectRejected(
        await send(
          ada.client,
          new SoftwareAuthenticator(origin()).create(await requestCreationOptions(ada.client), how),
        ),
      );
    }
    const eve = await registerUser(world);
    expectRejected(
      await send(eve.client, new SoftwareAuthenticator(origin()).create(await requestCreationOptions(ada.client))),
    );
    const key = new SoftwareAuthenticator(origin());
    const attestation = key.create(await requestCreationOptions(ada.client));
    await send(ada.client, attestation).expect(201);
    expectRejected(await send(ada.client, attestation));
    for (let count = 2; count <= 10; count++) await add(ada);
    const eleventh = new SoftwareAuthenticator(origin()).create(await requestCreationOptions(ada.client));
    expect((await send(ada.client, eleventh).expect(409)).body.code).toBe('PASSKEY_LIMIT');
    const known = (await requestCreationOptions(ada.client)).excludeCredentials.map(({ id }: { id: string }) => id);
    expect(known).toContain(key.id);
  });

  it('are renamed and removed by their owner alone, and removing the last removes the recovery codes', async () => {
    const { passkey, key } = await add(ada);
    const eve = await registerUser(world);
    const path = `/api/user/passkeys/${passkey.id}`;
    expect((await eve.client.patch(path).send({ name: 'Mine' }).expect(404)).body.code).toBe('PASSKEY_NOT_FOUND');
    expect((await eve.client.delete(path).expect(404)).body.code).toBe('PASSKEY_NOT_FOUND');
    expect((await ada.client.patch(path).send({ name: 'Laptop' }).expect(200)).body.name).toBe('Laptop');
    await ada.client.patch(path).send({ name: ' ' }).expect(400);
    const waiting = world.createClient();
    await login(waiting).expect(200);
    await ada.client.delete(path).expect(204);
    expect(await factors(ada)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
    await waiting.get('/api/login/factor').expect(401);
    expectRejected(await signIn(waiting, key.get(await requestOptions(waiting))));
    expect((await login(world.createClient()).expect(200)).body.id).toBe(ada.id);
    await world.waitForEmail(ada.email, ({ subject }) => subject === 'A passkey has been removed from your account');
    expect(await listAuditTypes(world, ada.id)).toContain('user.factor-removed');
  });

  it('keep the recovery codes when the authenticator app is removed, and vice versa', async () => {
    const { passkey } = await add(ada);
    await enrolAuthenticator(world, ada.client);
    await ada.client.delete('/api/user/factors').expect(204);
    expect(await factors(ada)).toMatchObject({ authenticator: null, recoveryCodesLeft: 10 });
    await enrolAuthenticator(world, ada.client);
    await ada.client.delete(`/api/user/passkeys/${passkey.id}`).expect(204);
    expect(await factors(ada)).toMatchObject({ passkeys: [], recoveryCodesLeft: 10 });
  });

  it('serve as reauthentication, once and in this session alone', async () => {
    const { key } = await add(ada);
    const getOptions = async () => (await ada.client.post('/api/user/confirm/passkey-options').send().expect(200)).body;
    const confirm = (passkey: object) => ada.client.post('/api/user/confirm').send({ passkey });
    await run('update sessions set confirmed_at = null where user_id = ?', [ada.id]);
    expect((await ada.client.get('/api/user/confirm').expect(200)).body).toEqual({ ways: ['passkey', 'password'] });
    expectRejected(await confirm(key.get(await getOptions(), { unverified: true })));
    expectRejected(await confirm(key.get(await getOptions(), { origin: APP_URL })));
    await ada.client.post('/api/user/factors/recovery-codes').send().expect(403);
    const assertion = key.get(await getOptions());
    expect(countStatuses(await runConcurrently(5, () => confirm(assertion)))).toEqual({ 200: 1, 400: 4 });
    await ada.client.post('/api/user/factors/recovery-codes').send().expect(200);
  });

  it('are only a second factor without user verification, and do not reauthenticate', async () => {
    const { key } = await add(ada, undefined, { unverified: true });
    expect((await ada.client.get('/api/user/confirm').expect(200)).body).toEqual({ ways: ['password'] });
    const client = world.createClient();
    await login(client).expect(200);
    const { body } = await client.post('/api/login/factor/passkey-options').send().expect(200);
    await client
      .post('/api/login/factor')
      .send({ passkey: key.get(body, { unverified: true }) })
      .expect(200);
  });

  it('stay after a password reset', async () => {
    const { key } = await add(ada);
    const token = await requestPasswordReset(world, ada.email);
    await world.createClient().post('/api/reset-password').send({ token, password: OTHER_PASSWORD }).expect(200);
    expect((await login(world.createClient(), OTHER_PASSWORD).expect(200)).body.requiresFactor).toBe(true);
    const client = world.createClient();
    await signIn(client, key.get(await requestOptions(client))).expect(200);
  });

  it('are part of the export by name, without the key', async () => {
    const { key } = await add(ada);
    const { text } = await ada.client.get('/api/user/export').expect(200);
    expect(JSON.parse(text).passkeys).toEqual([expect.objectContaining({ name: 'My phone' })]);
    expect(text).not.toContain(key.id);
  });

  it.each([[{}], [{ response: 'x' }], [{ response: { id: 'a', rawId: 'b', type: 'public-key', response: {} } }]])(
    'are rejected for %j',
    async (body) => {
      const client = world.createClient();
      expect((await client.post('/api/login/passkey').send(body).expect(400)).body.code).toBe('VALIDATION_FAILED');
      expect((await ada.client.post('/api/user/passkeys').send(body).expect(400)).body.code).toBe('VALIDATION_FAILED');
    },
  );
});
