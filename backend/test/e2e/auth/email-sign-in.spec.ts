import { createZone, registerUser, uniqueName, type Actor } from '../../support/people/actors.js';
import { enrolAuthenticator } from '../../support/people/authenticator.js';
import { joinAsRestrictedUser } from '../../support/people/restricted-user.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import {
  runConcurrently,
  listAuditTypes,
  countStatuses,
  OTHER_PASSWORD,
  requestPasswordReset,
} from './account-helpers.js';

const MINUTE = 60_000;

describeInProcess('Sign-in by email', () => {
  let world: World;
  let ada: Actor;
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    ada = await registerUser(world);
  });
  afterAll(() => world.close());

  interface SignInMail {
    token: string;
    code: string;
    url: URL;
  }
  const requestSignIn = (email: string, more: object = {}, client = world.createClient()) =>
    client.post('/api/sign-in-mails').send({ email, ...more });
  const waitForSignInEmail = async (email: string): Promise<SignInMail> => {
    const { text, subject } = await world.waitForEmail(email, (mail) => mail.text.includes('/sign-in?'));
    const url = new URL(/https?:\/\/\S+\/sign-in\?\S+/.exec(text)![0]);
    return { url, token: url.searchParams.get('token')!, code: /\d{6}/.exec(subject)![0] };
  };
  const requestEmail = async (email: string, more: object = {}) => {
    await requestSignIn(email, more).expect(200);
    return waitForSignInEmail(email);
  };
  const signInByLink = (token: string, client = world.createClient()) =>
    client.post('/api/sign-in-links').send({ token });
  const signInByCode = (email: string, code: string, client = world.createClient()) =>
    client.post('/api/sign-in-codes').send({ email, code });
  const isUsable = async (token: string) =>
    (await world.createClient().post('/api/sign-in-links/check').send({ token }).expect(200)).body.usable as boolean;
  const readSignedInEmail = async (client: Client) =>
    (await client.get('/api/session').expect(200)).body.user?.email ?? null;
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  it('signs in by the link once, and checking the link changes nothing', async () => {
    const { token, code } = await requestEmail(ada.email);
    expect([await isUsable(token), await isUsable(token), await isUsable('made-up')]).toEqual([true, true, false]);
    const client = world.createClient();
    expect((await signInByLink(token, client).expect(200)).body).toMatchObject({ id: ada.id, email: ada.email });
    expect(await readSignedInEmail(client)).toBe(ada.email);
    expect((await listAuditTypes(world, ada.id)).at(-1)).toBe('user.signed-in');
    expect(await isUsable(token)).toBe(false);
    expect((await signInByLink(token).expect(400)).body.code).toBe('TOKEN_INVALID');
    expect((await signInByCode(ada.email, code).expect(400)).body.code).toBe('CODE_INVALID');
  });

  it('signs in by the code in the requesting window, which voids the link', async () => {
    const client = world.createClient();
    await requestSignIn(ada.email, {}, client).expect(200);
    const { token, code } = await waitForSignInEmail(ada.email);
    expect((await signInByCode(ada.email, ` ${code} `, client).expect(200)).body.id).toBe(ada.id);
    expect(await readSignedInEmail(client)).toBe(ada.email);
    expect((await signInByLink(token).expect(400)).body.code).toBe('TOKEN_INVALID');
    expect((await signInByCode(ada.email, code).expect(400)).body.code).toBe('CODE_INVALID');
  });

  it('does not count as confirmation and ends the earlier session', async () => {
    const client = world.createClient();
    const first = await registerUser(world);
    await signInByLink((await requestEmail(first.email)).token, client).expect(200);
    await signInByLink((await requestEmail(ada.email)).token, client).expect(200);
    expect(await readSignedInEmail(client)).toBe(ada.email);
    const requestBody = { name: 'For a program', scope: 'read', expiresInDays: 1 };
    expect((await client.post('/api/user/tokens').send(requestBody).expect(403)).body.code).toBe(
      'CONFIRMATION_REQUIRED',
    );
    const { body } = await client.get('/api/user/sessions').expect(200);
    expect((body.items ?? body).filter((session: { current: boolean }) => session.current)).toHaveLength(1);
  });

  it('requires the second factor', async () => {
    const { app } = await enrolAuthenticator(world, ada.client);
    const client = world.createClient();
    const { body } = await signInByLink((await requestEmail(ada.email)).token, client).expect(200);
    expect(body).toEqual({ requiresFactor: true, factors: ['totp', 'recovery'] });
    expect(await readSignedInEmail(client)).toBeNull();
    await client.post('/api/login/factor').send({ code: app.nextCode() }).expect(200);
    expect(await readSignedInEmail(client)).toBe(ada.email);
  });

  it('signs in a user without a password and returns the wanted page', async () => {
    const owner = await registerUser(world);
    const zone = await createZone(owner);
    const email = `${uniqueName('member')}@example.com`;
    await joinAsRestrictedUser(world, zone, email);
    const { token, url } = await requestEmail(email, { next: `/zones/${zone.id}?sort=name` });
    expect(url.searchParams.get('next')).toBe(`/zones/${zone.id}?sort=name`);
    const { body } = await signInByLink(token).expect(200);
    expect(body).toMatchObject({ email, requiresProfileCompletion: true, isReader: true });
  });

  it('gives the same response for unknown addresses and sends nothing without an active account', async () => {
    const deletedUser = await registerUser(world);
    const { token, code } = await requestEmail(deletedUser.email);
    const unknownEmail = `${uniqueName('nobody')}@example.com`;
    const responses = [await requestSignIn(ada.email).expect(200), await requestSignIn(unknownEmail).expect(200)];
    expect(responses[0]!.body).toEqual(responses[1]!.body);
    await world.testApp.em().execute('update users set deactivated_at = now() where id = ?', [deletedUser.id]);
    await requestSignIn(deletedUser.email).expect(200);
    await waitForSignInEmail(ada.email);
    await world.testApp.drain();
    expect(await world.listEmails(unknownEmail)).toEqual([]);
    expect((await world.listEmails(deletedUser.email)).filter(({ text }) => text.includes('/sign-in?'))).toHaveLength(
      1,
    );
    expect((await signInByLink(token).expect(400)).body.code).toBe('TOKEN_INVALID');
    expect((await signInByCode(deletedUser.email, code).expect(400)).body.code).toBe('CODE_INVALID');
    expect((await signInByCode(unknownEmail, code).expect(400)).body.code).toBe('CODE_INVALID');
  });

  it('rejects links and codes after a new password or ten minutes', async () => {
    const before = await requestEmail(ada.email);
    const reset = await requestPasswordReset(world, ada.email);
    await world.createClient().post('/api/reset-password').send({ token: reset, password: OTHER_PASSWORD }).expect(200);
    await signInByLink(before.token).expect(400);
    await signInByCode(ada.email, before.code).expect(400);
    const late = await requestEmail(ada.email);
    world.testApp.clock.advance(10 * MINUTE + 1000);
    expect(await isUsable(late.token)).toBe(false);
    await signInByLink(late.token).expect(400);
    await signInByCode(ada.email, late.code).expect(400);
  });

  it('accepts one of several concurrent uses of a link, and of a code', async () => {
    const { token } = await requestEmail(ada.email);
    expect(countStatuses(await runConcurrently(10, () => signInByLink(token)))).toEqual({ 200: 1, 400: 9 });
    const next = await requestEmail(ada.email);
    expect(countStatuses(await runConcurrently(5, () => signInByCode(ada.email, next.code)))).toEqual({
      200: 1,
      400: 4,
    });
  });

  it('allows five codes, counted before comparison, and the link stays valid', async () => {
    const { token, code } = await requestEmail(ada.email);
    for (let tries = 0; tries < 5; tries++) await signInByCode(ada.email, wrong(code)).expect(400);
    expect((await signInByCode(ada.email, code).expect(400)).body.code).toBe('CODE_INVALID');
    await signInByLink(token).expect(200);
  });

  it('rejects invalid addresses, codes and foreign pages', async () => {
    expect((await requestSignIn('nobody').expect(400)).body.errors).toHaveProperty('email');
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example']) {
      expect((await requestSignIn(ada.email, { next }).expect(400)).body.errors).toHaveProperty('next');
    }
    expect((await signInByCode(ada.email, '12345').expect(400)).body.errors).toHaveProperty('code');
    await signInByLink('').expect(400);
  });
});

describeInProcess('Rate limit of sign-in emails', () => {
  it('allows five per hour to one address from one network', async () => {
    const world = await World.open({ RATE_LIMIT: 'on' });
    try {
      const email = `${uniqueName('ask')}@example.com`;
      const responses = await runConcurrently(8, () => world.createClient().post('/api/sign-in-mails').send({ email }));
      expect(countStatuses(responses)).toEqual({ 200: 5, 429: 3 });
    } finally {
      await world.close();
    }
  });
});
