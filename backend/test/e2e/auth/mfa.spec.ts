import { ExpiredSecretsService } from '../../../src/modules/auth/tokens/expired-secrets.service.js';
import { PASSWORD, registerUser, type Actor } from '../../support/people/actors.js';
import { AuthenticatorApp, enrolAuthenticator } from '../../support/people/authenticator.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import {
  requestPasswordReset,
  runConcurrently,
  listAuditTypes,
  countStatuses,
  OTHER_PASSWORD,
} from './account-helpers.js';

const MINUTE = 60_000;

describeInProcess('Authenticator app', () => {
  let world: World;
  let ada: Actor;
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    ada = await registerUser(world);
  });
  afterAll(() => world.close());

  const rows = <T extends object>(sql: string, values: unknown[]) => world.testApp.em().execute<T[]>(sql, values);
  const factors = async (client: Client) => (await client.get('/api/user/factors').expect(200)).body;
  const login = (client: Client, password = PASSWORD) => client.post('/api/login').send({ email: ada.email, password });
  const submitFactor = (client: Client, proof: object) => client.post('/api/login/factor').send(proof);
  /** Returns a browser after the password step. */
  const enterPassword = async () => {
    const client = world.createClient();
    const { body } = await login(client).expect(200);
    expect(body).toEqual({ requiresFactor: true, factors: ['totp', 'recovery'] });
    return client;
  };
  /** Starts many, a few at a time: hashing more passwords at once would take too long. */
  const enterPasswordInBrowsers = async (count: number) => {
    const browsers: Client[] = [];
    while (browsers.length < count) browsers.push(...(await runConcurrently(10, enterPassword)));
    return browsers;
  };
  const isSignedIn = async (client: Client) => (await client.get('/api/session').expect(200)).body.user !== null;

  it('is enrolled with a secret, active from its first code, and comes with ten recovery codes', async () => {
    expect(await factors(ada.client)).toEqual({
      authenticator: null,
      recoveryCodesLeft: 0,
      passkeys: [],
      required: false,
    });
    const { body } = await ada.client.post('/api/user/factors').send().expect(201);
    const uri = new URL(body.uri);
    expect(uri.protocol).toBe('otpauth:');
    expect(decodeURIComponent(uri.pathname)).toContain(ada.email);
    expect(uri.searchParams.get('secret')).toBe(body.secret);
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
    const app = new AuthenticatorApp(world, body.secret);
    expect((await factors(ada.client)).authenticator).toBeNull();
    const wrong = await ada.client.post('/api/user/factors/verify').send({ code: app.wrongCode() }).expect(400);
    expect(wrong.body.code).toBe('CODE_INVALID');
    expect((await login(world.createClient()).expect(200)).body.id).toBe(ada.id);
    const enrolment = await ada.client.post('/api/user/factors/verify').send({ code: app.currentCode() }).expect(200);
    expect(new Set(enrolment.body.recoveryCodes).size).toBe(10);
    expect(await factors(ada.client)).toMatchObject({
      authenticator: { enrolledAt: expect.any(String) },
      recoveryCodesLeft: 10,
    });
    const secondEnrolment = await ada.client.post('/api/user/factors').send().expect(409);
    expect(secondEnrolment.body.code).toBe('FACTOR_ENROLLED');
    expect(await listAuditTypes(world, ada.id)).toContain('user.factor-enrolled');
    await world.waitForEmail(
      ada.email,
      ({ subject }) => subject === 'Your account is now protected by an authenticator app',
    );
  });

  it('stores no secret or recovery code in plain text', async () => {
    const { body } = await ada.client.post('/api/user/factors').send().expect(201);
    const code = new AuthenticatorApp(world, body.secret).currentCode();
    const enrolment = await ada.client.post('/api/user/factors/verify').send({ code }).expect(200);
    const storedData = JSON.stringify([
      await rows('select * from authenticators where user_id = ?', [ada.id]),
      await rows('select * from recovery_codes where user_id = ?', [ada.id]),
      await rows('select * from jobs', []),
    ]);
    expect(storedData).not.toContain(body.secret);
    for (const recoveryCode of enrolment.body.recoveryCodes) expect(storedData).not.toContain(recoveryCode);
  });

  it('is required after the password, which alone opens no session', async () => {
    const { app } = await enrolAuthenticator(world, ada.client);
    const client = await enterPassword();
    expect(await isSignedIn(client)).toBe(false);
    expect((await client.get('/api/login/factor').expect(200)).body.factors).toEqual(['totp', 'recovery']);
    expect((await submitFactor(client, { code: app.wrongCode() }).expect(400)).body.code).toBe('CODE_INVALID');
    expect(await isSignedIn(client)).toBe(false);
    const { body } = await submitFactor(client, { code: app.nextCode() }).expect(200);
    expect(body).toMatchObject({ id: ada.id, needsProfileCompletion: false });
    expect(await isSignedIn(client)).toBe(true);
    await client.post('/api/user/tokens').send({ name: 'A', scope: 'read', expiresInDays: 1 }).expect(201);
    expect((await submitFactor(client, { code: app.nextCode() }).expect(401)).body.code).toBe('SIGN_IN_OVER');
    expect((await listAuditTypes(world, ada.id)).filter((type) => type === 'user.signed-in')).toHaveLength(1);
  });

  it('ends the earlier session of the browser only after the second step', async () => {
    const { app } = await enrolAuthenticator(world, ada.client);
    await login(ada.client).expect(200);
    expect(await isSignedIn(ada.client)).toBe(true);
    const before = await rows<{ id: string }>('select id from sessions where user_id = ?', [ada.id]);
    await submitFactor(ada.client, { code: app.nextCode() }).expect(200);
    const after = await rows<{ id: string }>('select id from sessions where user_id = ?', [ada.id]);
    expect(after).toHaveLength(1);
    expect(before).not.toContainEqual(after[0]);
  });

  it('accepts a code once, in any browser and among fifty concurrent attempts', async () => {
    const { app } = await enrolAuthenticator(world, ada.client);
    const [first, second] = [await enterPassword(), await enterPassword()];
    const code = app.nextCode();
    await submitFactor(first, { code }).expect(200);
    expect((await submitFactor(second, { code }).expect(400)).body.code).toBe('CODE_INVALID');
    const browsers = await enterPasswordInBrowsers(50);
    const next = app.nextCode();
    const responses = await Promise.all(browsers.map((browser) => submitFactor(browser, { code: next })));
    expect(countStatuses(responses)).toEqual({ 200: 1, 400: 49 });
  });

  it('opens one session for fifty concurrent attempts of the same sign-in', async () => {
    const { app } = await enrolAuthenticator(world, ada.client);
    const client = await enterPassword();
    const code = app.nextCode();
    const responses = await runConcurrently(50, () => submitFactor(client, { code }));
    const { 200: let_in, ...others } = countStatuses(responses);
    expect(let_in).toBe(1);
    expect(Object.keys(others).every((status) => ['400', '401'].includes(status))).toBe(true);
  });

  it('is awaited for ten minutes, only in the browser where the sign-in started', async () => {
    const { app } = await enrolAuthenticator(world, ada.client);
    const client = await enterPassword();
    expect((await submitFactor(world.createClient(), { code: app.nextCode() }).expect(401)).body.code).toBe(
      'SIGN_IN_OVER',
    );
    world.testApp.clock.advance(10 * MINUTE);
    expect((await submitFactor(client, { code: app.nextCode() }).expect(401)).body.code).toBe('SIGN_IN_OVER');
    await client.get('/api/login/factor').expect(401);
  });

  it('can be replaced by a recovery code, once among fifty attempts, with an email', async () => {
    const { recoveryCodes } = await enrolAuthenticator(world, ada.client);
    const [first, second] = recoveryCodes as [string, string];
    await submitFactor(await enterPassword(), { recoveryCode: first.toUpperCase().replace('-', ' ') }).expect(200);
    const { text } = await world.waitForEmail(ada.email, ({ subject }) => subject.includes('A recovery code was used'));
    expect(text).toContain('You have 9 recovery codes left.');
    expect(await listAuditTypes(world, ada.id)).toContain('user.recovery-code-used');
    expect((await submitFactor(await enterPassword(), { recoveryCode: first }).expect(400)).body.code).toBe(
      'CODE_INVALID',
    );
    const browsers = await enterPasswordInBrowsers(50);
    const responses = await Promise.all(browsers.map((browser) => submitFactor(browser, { recoveryCode: second })));
    expect(countStatuses(responses)).toEqual({ 200: 1, 400: 49 });
    expect((await factors(ada.client)).recoveryCodesLeft).toBe(8);
  });

  it('rejects recovery codes of other users and superseded ones', async () => {
    const eve = await registerUser(world);
    const { recoveryCodes: foreign } = await enrolAuthenticator(world, eve.client);
    const { recoveryCodes: old } = await enrolAuthenticator(world, ada.client);
    await submitFactor(await enterPassword(), { recoveryCode: foreign[0] }).expect(400);
    const { body } = await ada.client.post('/api/user/factors/recovery-codes').send().expect(200);
    await submitFactor(await enterPassword(), { recoveryCode: old[0] }).expect(400);
    await submitFactor(await enterPassword(), { recoveryCode: body.recoveryCodes[0] }).expect(200);
    await world.waitForEmail(ada.email, ({ subject }) => subject === 'New recovery codes for your account');
    expect(await listAuditTypes(world, ada.id)).toContain('user.recovery-codes-made');
  });

  it('is removed with its recovery codes, after which the password alone signs in', async () => {
    const { app, recoveryCodes } = await enrolAuthenticator(world, ada.client);
    const waiting = await enterPassword();
    await ada.client.delete('/api/user/factors').expect(204);
    expect(await factors(ada.client)).toMatchObject({ authenticator: null, recoveryCodesLeft: 0 });
    for (const proof of [{ code: app.nextCode() }, { recoveryCode: recoveryCodes[0] }]) {
      expect((await submitFactor(waiting, proof).expect(401)).body.code).toBe('SIGN_IN_OVER');
    }
    expect((await login(world.createClient()).expect(200)).body.id).toBe(ada.id);
    expect((await ada.client.delete('/api/user/factors').expect(404)).body.code).toBe('FACTOR_MISSING');
    await ada.client.post('/api/user/factors/recovery-codes').send().expect(404);
    await world.waitForEmail(ada.email, ({ subject }) => subject.includes('has been removed'));
    expect(await listAuditTypes(world, ada.id)).toContain('user.factor-removed');
  });

  it('cannot be changed without reauthentication', async () => {
    await world.testApp.em().execute('update sessions set confirmed_at = null where user_id = ?', [ada.id]);
    const requests = [
      ada.client.post('/api/user/factors').send(),
      ada.client.post('/api/user/factors/verify').send({ code: '123456' }),
      ada.client.post('/api/user/factors/recovery-codes').send(),
      ada.client.delete('/api/user/factors'),
    ];
    for (const request of requests) expect((await request.expect(403)).body.code).toBe('CONFIRMATION_REQUIRED');
  });

  it('serves as reauthentication, once per code', async () => {
    const { app } = await enrolAuthenticator(world, ada.client);
    await world.testApp.em().execute('update sessions set confirmed_at = null where user_id = ?', [ada.id]);
    expect((await ada.client.get('/api/user/confirm').expect(200)).body).toEqual({ ways: ['totp', 'password'] });
    const confirm = (code: string) => ada.client.post('/api/user/confirm').send({ code });
    expect((await confirm(app.wrongCode()).expect(400)).body.code).toBe('CODE_INVALID');
    const code = app.nextCode();
    const responses = await runConcurrently(5, () => confirm(code));
    expect(countStatuses(responses)).toEqual({ 200: 1, 400: 4 });
    await ada.client.post('/api/user/factors/recovery-codes').send().expect(200);
    await world.testApp.em().execute('update users set password = null where id = ?', [ada.id]);
    expect((await ada.client.get('/api/user/confirm').expect(200)).body).toEqual({ ways: ['totp'] });
    expect((await ada.client.post('/api/user/confirm/mail').send().expect(409)).body.code).toBe(
      'CONFIRMATION_BY_OTHER_MEANS',
    );
  });

  it('stays after a password reset, which ends pending sign-ins', async () => {
    const { app } = await enrolAuthenticator(world, ada.client);
    const waiting = await enterPassword();
    const token = await requestPasswordReset(world, ada.email);
    await world.createClient().post('/api/reset-password').send({ token, password: OTHER_PASSWORD }).expect(200);
    expect((await submitFactor(waiting, { code: app.nextCode() }).expect(401)).body.code).toBe('SIGN_IN_OVER');
    const client = world.createClient();
    expect((await login(client, OTHER_PASSWORD).expect(200)).body.requiresFactor).toBe(true);
    await submitFactor(client, { code: app.nextCode() }).expect(200);
  });

  it('rejects a user who was deactivated between the two steps', async () => {
    const { app } = await enrolAuthenticator(world, ada.client);
    const waiting = await enterPassword();
    await world.testApp.em().execute('update users set deactivated_at = now() where id = ?', [ada.id]);
    expect((await submitFactor(waiting, { code: app.nextCode() }).expect(401)).body.code).toBe('SIGN_IN_OVER');
  });

  it.each([[{}], [{ code: '12345' }], [{ code: ['123456'] }], [{ recoveryCode: 'short' }], [{ code: 123456 }]])(
    'rejects %j',
    async (proof) => {
      await enrolAuthenticator(world, ada.client);
      expect((await submitFactor(await enterPassword(), proof).expect(400)).body.code).toBe('VALIDATION_FAILED');
    },
  );

  it('cleans up unfinished enrolments and sign-ins', async () => {
    await ada.client.post('/api/user/factors').send().expect(201);
    const other = await registerUser(world);
    await enrolAuthenticator(world, other.client);
    await world.createClient().post('/api/login').send({ email: other.email, password: PASSWORD }).expect(200);
    await world.createClient().post('/api/login/passkey/options').expect(200);
    const listRemaining = async () => {
      await world.testApp.app.get(ExpiredSecretsService).purgeExpiredSecrets();
      const tables = ['authenticators where confirmed_at is null', 'pending_sign_ins', 'passkey_challenges'];
      const counts = tables.map((table) => rows<{ count: number }>(`select count(*)::int as count from ${table}`, []));
      return (await Promise.all(counts)).map(([row]) => row!.count);
    };
    const before = await listRemaining();
    expect(before.every((count) => count > 0)).toBe(true);
    world.testApp.clock.advance(10 * MINUTE);
    expect((await listRemaining()).slice(1)).toEqual([0, 0]);
    world.testApp.clock.advance(24 * 60 * MINUTE);
    expect(await listRemaining()).toEqual([0, 0, 0]);
    expect(await factors(other.client)).toMatchObject({ authenticator: { enrolledAt: expect.any(String) } });
  });

  it('is part of the export without its secret or recovery codes', async () => {
    const { recoveryCodes } = await enrolAuthenticator(world, ada.client);
    const { text } = await ada.client.get('/api/user/export').expect(200);
    expect(JSON.parse(text).authenticators).toEqual([{ enrolledAt: expect.any(String) }]);
    const [{ secret }] = (await rows<{ secret: string }>('select secret from authenticators where user_id = ?', [
      ada.id,
    ])) as [{ secret: string }];
    for (const word of [secret, recoveryCodes[0]!]) expect(text).not.toContain(word);
  });
});
