import { createZone, registerUser, type Actor } from '../../support/people/actors.js';
import { waitForVerificationLink } from '../../support/people/restricted-user.js';
import { describeInProcess, World } from '../../support/world.js';
import {
  requestPasswordReset,
  runConcurrently,
  listAuditTypes,
  countStatuses,
  OTHER_PASSWORD,
} from './account-helpers.js';

const BOSS = 'boss@example.com';

describeInProcess('Address verification of an account', () => {
  let world: World;
  let ada: Actor;
  beforeAll(async () => {
    world = await World.open({ SUPER_ADMIN_EMAIL: BOSS.toUpperCase() });
  });
  beforeEach(async () => {
    ada = await registerUser(world);
    await unverify(ada);
  });
  afterAll(() => world.close());

  const unverify = ({ id }: Actor) =>
    world.testApp.em().execute('update users set email_verified = false where id = ?', [id]);
  const requestEmail = (actor: Actor) => actor.client.post('/api/user/verification-mail').expect(200);
  async function requestToken(actor: Actor): Promise<string> {
    await requestEmail(actor);
    const { text } = await world.waitForEmail(actor.email, (mail) => mail.text.includes('/verify-email?'));
    return /\/verify-email\?token=([\w-]+)\s/.exec(text)![1]!;
  }
  const me = async (actor: Actor) => (await actor.client.get('/api/user').expect(200)).body;
  const verify = (token: string, client = world.createClient()) => client.post('/api/verify-email').send({ token });

  it('verifies on POST, not on GET, with the token alone', async () => {
    const token = await requestToken(ada);
    const preview = await world.createClient().get('/api/verify-email').query({ token }).expect(200);
    expect(preview.body).toMatchObject({ success: true, email: ada.email, zoneName: null, redirectUrl: null });
    expect((await me(ada)).emailVerified).toBe(false);
    const response = await verify(token).expect(200);
    expect(response.headers['set-cookie']).toBeUndefined();
    expect(response.body).toEqual({
      success: true,
      message: 'Your email address is verified.',
      email: ada.email,
      inviteToken: null,
      redirectUrl: null,
      zoneName: null,
      requiresApproval: false,
    });
    expect((await me(ada)).emailVerified).toBe(true);
  });

  it('responds the same to repeated clicks, redirects signed-in users home and is audited once', async () => {
    const token = await requestToken(ada);
    const responses = await runConcurrently(10, () => verify(token, ada.client));
    expect(countStatuses(responses)).toEqual({ 200: 10 });
    expect((await verify(token, ada.client).expect(200)).body.redirectUrl).toBe('/');
    const types = await listAuditTypes(world, ada.id);
    expect(types.filter((type) => type === 'user.address-verified')).toHaveLength(1);
  });

  it('sends no email to a user who is verified already', async () => {
    const other = await registerUser(world);
    const { body } = await requestEmail(other);
    expect(body.message).toBe('Your email address is already verified.');
    await world.testApp.drain();
    expect((await world.listEmails(other.email)).filter(({ text }) => text.includes('/verify-email?'))).toEqual([]);
  });

  it('rejects made-up, expired and superseded tokens and those of deactivated users', async () => {
    const first = await requestToken(ada);
    await requestEmail(ada);
    await world.waitForEmail(ada.email, ({ text }) => text.includes('/verify-email?') && !text.includes(first));
    for (const token of ['made-up', first]) {
      expect((await verify(token).expect(400)).body.code).toBe('TOKEN_INVALID');
    }
    const second = await requestToken(ada);
    await world.testApp.em().execute('update users set deactivated_at = now() where id = ?', [ada.id]);
    await verify(second).expect(400);
    await world.testApp.em().execute('update users set deactivated_at = null where id = ?', [ada.id]);
    world.testApp.clock.advance(86_400_000 + 1);
    await verify(second).expect(400);
  });

  it('rejects tokens of join requests, and join requests reject tokens of this kind', async () => {
    const owner = await registerUser(world);
    const zone = await createZone(owner);
    await world
      .createClient()
      .post(`/api/public-zones/${zone.publicLink}/join`)
      .send({ email: ada.email, emailConsent: true });
    const link = await waitForVerificationLink(world, ada.email);
    await verify(link.token).expect(400);
    await world.createClient().get('/api/verify-email').query({ token: link.token }).expect(400);
    const token = await requestToken(ada);
    await world.createClient().post('/api/verify-email').send({ token, join: link.join }).expect(400);
    await world.createClient().post('/api/verify-email').send({ token, join: '' }).expect(400);
    expect((await me(ada)).emailVerified).toBe(false);
    await world.createClient().post('/api/verify-email').send(link).expect(200);
  });

  it('grants super admin to SUPER_ADMIN_EMAIL alone, by verification or password reset', async () => {
    await verify(await requestToken(ada)).expect(200);
    expect((await me(ada)).isSuperAdmin).toBe(false);
    await unverify(ada);
    await world.testApp.em().execute('update users set email = ? where id = ?', [BOSS, ada.id]);
    const superAdmin = { ...ada, email: BOSS };
    expect((await me(superAdmin)).isSuperAdmin).toBe(false);
    await verify(await requestToken(superAdmin)).expect(200);
    expect(await me(superAdmin)).toMatchObject({ isSuperAdmin: true, emailVerified: true });
    expect(await listAuditTypes(world, ada.id)).toContain('user.super-admin-granted');

    await world.testApp.em().execute('update users set is_super_admin = false where id = ?', [ada.id]);
    await unverify(ada);
    const token = await requestPasswordReset(world, BOSS);
    await world.createClient().post('/api/reset-password').send({ token, password: OTHER_PASSWORD }).expect(200);
    const login = await world
      .createClient()
      .post('/api/login')
      .send({ email: BOSS, password: OTHER_PASSWORD })
      .expect(200);
    expect(login.body).toMatchObject({ isSuperAdmin: true, emailVerified: true });
  });

  it('sends 5 emails per hour', async () => {
    const limited = await World.open({ RATE_LIMIT: 'on' });
    try {
      const actor = await registerUser(limited);
      await limited.testApp.em().execute('update users set email_verified = false');
      for (let count = 0; count < 5; count++) await actor.client.post('/api/user/verification-mail').expect(200);
      await actor.client.post('/api/user/verification-mail').expect(429);
    } finally {
      await limited.close();
    }
  });
});
