import { waitForCode, createZone, PASSWORD, registerUser, type Actor } from '../../support/people/actors.js';
import { waitForInvitation, invite, uniqueEmail } from '../../support/people/invitations.js';
import { joinAsRestrictedUser } from '../../support/people/restricted-user.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { runConcurrently, countStatuses, OTHER_PASSWORD, signIn } from './account-helpers.js';

const MINUTE = 60_000;
const TOKEN = 'a token for metrics';

describeInProcess('Reauthentication for dangerous actions', () => {
  let world: World;
  let ada: Actor;
  beforeAll(async () => {
    world = await World.open({ RATE_LIMIT: 'on', METRICS_TOKEN: TOKEN, TRUST_PROXY: '1' });
  });
  beforeEach(async () => {
    ada = await registerUser(world);
  });
  afterAll(() => world.close());

  const createToken = (client: Client) =>
    client.post('/api/user/tokens').send({ name: 'A', scope: 'read', expiresInDays: 1 });
  const confirm = (client: Client, body: object) => client.post('/api/user/confirm').send(body);
  const expectConfirmationRequired = async (client: Client) => {
    const { body } = await createToken(client).expect(403);
    expect(body).toMatchObject({
      code: 'CONFIRMATION_REQUIRED',
      message: 'Please confirm your identity first.',
    });
  };
  const clearConfirmation = (person: Actor) =>
    world.testApp.em().execute('update sessions set confirmed_at = null where user_id = ?', [person.id]);
  const listSeries = () =>
    world.testApp
      .em()
      .execute('select kind, detail, count from security_events where user_id = ? order by kind, detail', [ada.id]);
  /** Makes the user sign in only through the identity provider. */
  const removePassword = (person: Actor) =>
    world.testApp
      .em()
      .execute('update users set password = null, has_external_identity = true where id = ?', [person.id]);

  it('is not required within ten minutes of signing in', async () => {
    const client = await signIn(world, ada.email);
    await createToken(client).expect(201);
    world.testApp.clock.advance(10 * MINUTE - 5000);
    await createToken(client).expect(201);
    world.testApp.clock.advance(10_000);
    await expectConfirmationRequired(client);
    await client.get('/api/user').expect(200);
  });

  it('lasts ten minutes after a password, in that session alone', async () => {
    const other = await signIn(world, ada.email);
    await clearConfirmation(ada);
    expect((await ada.client.get('/api/user/confirm').expect(200)).body).toEqual({ ways: ['password'] });
    const { body } = await confirm(ada.client, { password: PASSWORD }).expect(200);
    const rest = Date.parse(body.confirmedUntil) - world.testApp.clock.now().getTime();
    expect(rest).toBeGreaterThan(9 * MINUTE);
    expect(rest).toBeLessThanOrEqual(10 * MINUTE);
    await createToken(ada.client).expect(201);
    await expectConfirmationRequired(other);
    world.testApp.clock.advance(10 * MINUTE);
    await expectConfirmationRequired(ada.client);
  });

  it('counts wrong passwords and blocks after ten', async () => {
    await clearConfirmation(ada);
    const responses = await runConcurrently(12, () => confirm(ada.client, { password: OTHER_PASSWORD }));
    expect(countStatuses(responses)).toEqual({ 400: 10, 429: 2 });
    expect(responses.find(({ status }) => status === 400)!.body.code).toBe('WRONG_PASSWORD');
    await confirm(ada.client, { password: PASSWORD }).expect(429);
    expect(await listSeries()).toEqual([
      ...[{ kind: 'confirmation-failed', detail: 'password', count: 10 }],
      ...[{ kind: 'locked-out', detail: 'confirmation', count: 3 }],
    ]);
    await expectConfirmationRequired(ada.client);
    world.testApp.clock.advance(15 * MINUTE);
    await confirm(ada.client, { password: PASSWORD }).expect(200);
    await createToken(ada.client).expect(201);
  });

  it('records each failure with its reason and network, wherever the password is asked for', async () => {
    const from = (path: string, body: object, method: 'post' | 'delete' = 'post') =>
      ada.client[method](path).set('X-Forwarded-For', '192.0.2.5').send(body);
    for (const password of ['not it', 'nor this']) await from('/api/user/confirm', { password }).expect(400);
    await from('/api/user/confirm', {}).expect(400);
    await from('/api/user/confirm', { code: '123456' }).expect(400);
    const change = { email: ada.email, currentPassword: 'not it', newPassword: 'violet harbour 71' };
    await from('/api/change-password', change).expect(400);
    await from('/api/user', { password: 'not it' }, 'delete').expect(400);
    await from('/api/user/email', { email: 'a@example.com', password: 'not it' }).expect(400);
    await from('/api/user/confirm', { password: PASSWORD }).expect(200);
    expect(await listSeries()).toEqual([
      { kind: 'confirmation-failed', detail: 'code', count: 1 },
      { kind: 'confirmation-failed', detail: 'password', count: 5 },
    ]);
    const audited = await world.testApp
      .em()
      .execute(
        `select ip_address, params from audit_log where type = 'security.confirmation-failed' and subject_id = ? order by id`,
        [ada.id],
      );
    expect(audited).toEqual([
      { ip_address: '192.0.2.5', params: { reason: 'password' } },
      { ip_address: '192.0.2.5', params: { reason: 'code' } },
    ]);
    const { text } = await world.createClient().get('/metrics').set('Authorization', `Bearer ${TOKEN}`).expect(200);
    expect(text).toMatch(/zonary_reauthentication_failures_total\{reason="code"\} \d+/);
    const { body } = await ada.client.get('/api/user/security-activity').expect(200);
    expect(body).toContainEqual(
      expect.objectContaining({ kind: 'confirmation-failed', count: 5, network: '192.0.2.5' }),
    );
  });

  it('is not required after a password change', async () => {
    await clearConfirmation(ada);
    const requestBody = { email: ada.email, currentPassword: PASSWORD, newPassword: OTHER_PASSWORD };
    await ada.client.post('/api/change-password').send(requestBody).expect(200);
    await createToken(ada.client).expect(201);
  });

  it.each([[{}], [{ password: 5 }], [{ code: '12' }], [{ code: ['123456'] }], [{ userId: 1 }]])(
    'rejects %j',
    async (body) => {
      await clearConfirmation(ada);
      const response = await confirm(ada.client, body).expect(400);
      expect(response.body.code).toBe('VALIDATION_FAILED');
      await expectConfirmationRequired(ada.client);
    },
  );

  describe('for a user without a password', () => {
    beforeEach(async () => {
      await removePassword(ada);
      await clearConfirmation(ada);
    });
    const requestConfirmationCode = () => ada.client.post('/api/user/confirm/mail').send();

    it('accepts an emailed code once', async () => {
      expect((await ada.client.get('/api/user/confirm').expect(200)).body).toEqual({ ways: ['mail'] });
      await confirm(ada.client, { password: PASSWORD }).expect(400);
      await requestConfirmationCode().expect(200);
      const code = await waitForCode(world, ada.email);
      await confirm(ada.client, { code: code === '000000' ? '000001' : '000000' }).expect(400);
      await expectConfirmationRequired(ada.client);
      const responses = await runConcurrently(3, () => confirm(ada.client, { code }));
      expect(countStatuses(responses)).toEqual({ 200: 1, 400: 2 });
      expect(responses.find(({ status }) => status === 400)!.body.code).toBe('CODE_INVALID');
      await createToken(ada.client).expect(201);
      await confirm(ada.client, { code }).expect(400);
    });

    it('is required to set the first password, after which the current password is required', async () => {
      const set = (body: object) =>
        ada.client.post('/api/change-password').send({ email: ada.email, newPassword: OTHER_PASSWORD, ...body });
      expect((await set({}).expect(403)).body.code).toBe('CONFIRMATION_REQUIRED');
      expect((await set({ currentPassword: PASSWORD }).expect(400)).body.code).toBe('WRONG_PASSWORD');
      expect((await ada.client.get('/api/user').expect(200)).body.hasPassword).toBe(false);
      await requestConfirmationCode().expect(200);
      await confirm(ada.client, { code: await waitForCode(world, ada.email) }).expect(200);
      const responses = await runConcurrently(3, () => set({}));
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      const { body } = await ada.client.get('/api/user').expect(200);
      expect(body).toMatchObject({ hasPassword: true, needsProfileCompletion: false });
      expect((await set({ newPassword: PASSWORD }).expect(400)).body.code).toBe('VALIDATION_FAILED');
      await set({ currentPassword: OTHER_PASSWORD, newPassword: 'another one of three words' }).expect(200);
      await signIn(world, ada.email, 'another one of three words');
    });

    it('rejects the codes of others, superseded codes and codes for another purpose', async () => {
      const eve = await registerUser(world);
      await removePassword(eve);
      await eve.client.post('/api/user/confirm/mail').send().expect(200);
      await confirm(ada.client, { code: await waitForCode(world, eve.email) }).expect(400);
      await world.createClient().post('/api/sign-in-mails').send({ email: ada.email }).expect(200);
      await confirm(ada.client, { code: await waitForCode(world, ada.email) }).expect(400);
      await requestConfirmationCode().expect(200);
      const code = await waitForCode(world, ada.email);
      world.testApp.clock.advance(10 * MINUTE);
      await confirm(ada.client, { code }).expect(400);
      await expectConfirmationRequired(ada.client);
    });

    it('keeps the owner’s codes and attempts when a forwarded email opened another session', async () => {
      const owner = await registerUser(world);
      const email = uniqueEmail();
      const incompleteUser = await joinAsRestrictedUser(world, await createZone(owner), email);
      const host = await registerUser(world);
      await invite(await createZone(host, { type: 'private' }), host, email);
      const { token } = await waitForInvitation(world, email);
      const signedOut = world.createClient();
      await signedOut.post('/api/accept-invite').send({ token, email, emailConsent: true }).expect(200);
      const requestCode = (client: Client) => client.post('/api/user/confirm/mail').send();
      await requestCode(incompleteUser).expect(200);
      const code = await waitForCode(world, email);
      expect(countStatuses(await runConcurrently(6, () => requestCode(signedOut)))).toEqual({ 200: 5, 429: 1 });
      const wrong = code === '000000' ? '000001' : '000000';
      const guesses = await runConcurrently(12, () => confirm(signedOut, { code: wrong }));
      expect(countStatuses(guesses)).toEqual({ 400: 10, 429: 2 });
      await confirm(incompleteUser, { code }).expect(200);
      expect((await signedOut.get('/api/user/export').expect(403)).body.code).toBe('CONFIRMATION_REQUIRED');
    });

    it('sends 5 codes per hour and allows 10 attempts in 15 minutes', async () => {
      expect(countStatuses(await runConcurrently(6, requestConfirmationCode))).toEqual({ 200: 5, 429: 1 });
      expect(countStatuses(await runConcurrently(12, () => confirm(ada.client, { code: '123456' })))).toEqual({
        400: 10,
        429: 2,
      });
    });
  });

  it('sends no code to a user with a password', async () => {
    const { body } = await ada.client.post('/api/user/confirm/mail').send().expect(409);
    expect(body.code).toBe('CONFIRMATION_BY_OTHER_MEANS');
    expect(await world.listEmails(ada.email)).toEqual([]);
  });
});
