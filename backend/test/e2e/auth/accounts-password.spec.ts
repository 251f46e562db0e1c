import {
  type Actor,
  reauthenticateByEmail,
  createZone,
  PASSWORD,
  registerUser,
  uniqueName,
} from '../../support/people/actors.js';
import { joinAsRestrictedUser } from '../../support/people/restricted-user.js';
import { describeInProcess, World } from '../../support/world.js';
import {
  requestPasswordReset,
  runConcurrently,
  listAuditTypes,
  countStatuses,
  OTHER_PASSWORD,
  waitForResetToken,
  signIn,
} from './account-helpers.js';

let world: World;
let ada: Actor;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  ada = await registerUser(world);
});
afterAll(() => world.close());

const login = (email: string, password: string) => world.createClient().post('/api/login').send({ email, password });
const reset = (token: string, password = OTHER_PASSWORD) =>
  world.createClient().post('/api/reset-password').send({ token, password });

describe('Password reset', () => {
  it('sets a new password by the emailed link, ends every session and notifies the user', async () => {
    const second = await signIn(world, ada.email);
    const token = await requestPasswordReset(world, ada.email);
    const { body, headers } = await reset(token).expect(200);
    expect(body).toEqual({ message: 'Password reset successful!' });
    expect(headers['set-cookie']).toBeUndefined();
    for (const client of [ada.client, second]) await client.get('/api/user').expect(401);
    await login(ada.email, PASSWORD).expect(401);
    await login(ada.email, OTHER_PASSWORD).expect(200);
    const mail = await world.waitForEmail(ada.email, ({ subject }) => /has been reset/.test(subject));
    expect(mail.text).toContain('/settings');
  });

  it('checks whether a link is valid without spending it', async () => {
    const check = (token: unknown) => world.createClient().post('/api/reset-password/check').send({ token });
    const token = await requestPasswordReset(world, ada.email);
    expect((await check(token).expect(200)).body).toEqual({ usable: true, isFirst: false });
    expect((await check('made-up').expect(200)).body).toEqual({ usable: false, isFirst: false });
    await check(['x']).expect(400);
    await reset(token).expect(200);
    expect((await check(token).expect(200)).body).toEqual({ usable: false, isFirst: false });
  });

  it('rejects the current password and keeps the link valid', async () => {
    const token = await requestPasswordReset(world, ada.email);
    const { body } = await reset(token, PASSWORD).expect(400);
    expect([body.code, body.errors]).toEqual(['PASSWORD_UNCHANGED', { password: [body.message] }]);
    await login(ada.email, PASSWORD).expect(200);
    await reset(token).expect(200);
  });

  it('rejects a second use of a link', async () => {
    const token = await requestPasswordReset(world, ada.email);
    await reset(token).expect(200);
    const secondUse = await reset(token, 'an attacker’s choice').expect(400);
    expect(secondUse.body.code).toBe('TOKEN_INVALID');
    await login(ada.email, OTHER_PASSWORD).expect(200);
  });

  it('accepts one of several concurrent uses of a link', async () => {
    const token = await requestPasswordReset(world, ada.email);
    const passwords = Array.from({ length: 8 }, (_, index) => `tab number ${index} wins`);
    const responses = await Promise.all(passwords.map((password) => reset(token, password)));
    expect(countStatuses(responses)).toEqual({ 200: 1, 400: 7 });
    const logins = await Promise.all(passwords.map((password) => login(ada.email, password)));
    const winner = responses.findIndex(({ status }) => status === 200);
    expect(logins.map(({ status }) => status)).toEqual(passwords.map((_, index) => (index === winner ? 200 : 401)));
  });

  it('accepts any of the last three links until one is used', async () => {
    const tokens = [await requestPasswordReset(world, ada.email)];
    while (tokens.length < 4) {
      await world.createClient().post('/api/forgot-password').send({ email: ada.email }).expect(200);
      const isNew = ({ text }: { text: string }) =>
        text.includes('/reset-password?') && !tokens.some((token) => text.includes(token));
      await world.waitForEmail(ada.email, isNew);
      tokens.push(await waitForResetToken(world, ada.email));
    }
    const [first, second, third, fourth] = tokens as [string, string, string, string];
    await reset(first).expect(400);
    await reset(second).expect(200);
    for (const token of [second, third, fourth]) await reset(token).expect(400);
  });

  it('rejects a link after the password was changed in the settings', async () => {
    const token = await requestPasswordReset(world, ada.email);
    const form = { email: ada.email, currentPassword: PASSWORD, newPassword: 'changed in settings' };
    await ada.client.post('/api/change-password').send(form).expect(200);
    await reset(token).expect(400);
    await login(ada.email, 'changed in settings').expect(200);
  });

  it('sets a first password for a user without one, who can then complete the profile', async () => {
    const zone = await createZone(ada);
    const email = `${uniqueName('joined')}@example.com`;
    const reading = await joinAsRestrictedUser(world, zone, email);
    await reset(await requestPasswordReset(world, email)).expect(200);
    await reading.get('/api/user').expect(401);
    const response = await login(email, OTHER_PASSWORD).expect(200);
    expect(response.body).toMatchObject({
      needsProfileCompletion: true,
      requiresProfileCompletion: true,
      requiresPasswordChange: false,
    });
  });

  it.each([
    [{ token: 'made-up', password: OTHER_PASSWORD }, 'TOKEN_INVALID', undefined],
    [{ token: '', password: OTHER_PASSWORD }, 'VALIDATION_FAILED', { token: ['Invalid Reset Link'] }],
    [{ password: OTHER_PASSWORD }, 'VALIDATION_FAILED', { token: ['Invalid Reset Link'] }],
    [
      { token: 'x', password: 'short12' },
      'VALIDATION_FAILED',
      { password: ['Password must be at least 8 characters'] },
    ],
    [{ token: ['x'], password: OTHER_PASSWORD }, 'VALIDATION_FAILED', { token: ['Invalid Reset Link'] }],
  ])('rejects %j', async (body, code, errors) => {
    const response = await world.createClient().post('/api/reset-password').send(body).expect(400);
    expect([response.body.code, response.body.errors]).toEqual([code, errors]);
  });

  it('rejects an invalid address, in Turkish when Turkish is requested', async () => {
    const response = await world
      .createClient()
      .post('/api/forgot-password')
      .set('Accept-Language', 'tr')
      .send({ email: 'no address' })
      .expect(400);
    expect(response.body.errors.email).toEqual(['Lütfen geçerli bir e-posta adresi girin']);
  });

  it('rejects a common password and keeps the link valid', async () => {
    const token = await requestPasswordReset(world, ada.email);
    const response = await reset(token, 'password123').expect(400);
    expect(response.body.errors.password[0]).toMatch(/too common/);
    await reset(token).expect(200);
  });
});

describe('POST /api/change-password', () => {
  const change = (body: Record<string, unknown>, client = ada.client) => client.post('/api/change-password').send(body);

  it('rejects the current password as the new one and ends no session', async () => {
    const other = await signIn(world, ada.email);
    const { body } = await change({ email: ada.email, currentPassword: PASSWORD, newPassword: PASSWORD }).expect(400);
    expect([body.code, body.errors]).toEqual(['PASSWORD_UNCHANGED', { newPassword: [body.message] }]);
    expect(body.message).toBe('This is already your password. Please choose a new one.');
    await other.get('/api/user').expect(200);
  });

  it('ends the other sessions, renews this session ID and notifies the user', async () => {
    const other = await signIn(world, ada.email);
    const [before] = (await ada.client.get('/api/user/sessions').expect(200)).body;
    const form = { email: ada.email, currentPassword: PASSWORD, newPassword: OTHER_PASSWORD };
    const response = await change(form).expect(200);
    expect(response.body).toMatchObject({ id: ada.id, needsProfileCompletion: false });
    expect(response.headers['set-cookie']?.[0]).toMatch(/HttpOnly; SameSite=Lax/);
    await other.get('/api/user').expect(401);
    const sessions = (await ada.client.get('/api/user/sessions').expect(200)).body;
    expect(sessions).toHaveLength(1);
    expect(sessions[0].id).not.toBe(before.id);
    await login(ada.email, PASSWORD).expect(401);
    await login(ada.email, OTHER_PASSWORD).expect(200);
    await world.waitForEmail(ada.email, ({ subject }) => subject === 'Your password has been changed');
  });

  it('requires the current password', async () => {
    const wrong = await change({ email: ada.email, currentPassword: 'not the one', newPassword: OTHER_PASSWORD });
    expect([wrong.status, wrong.body.code, wrong.body.message]).toEqual([
      400,
      'WRONG_PASSWORD',
      'The current password is incorrect.',
    ]);
    await ada.client.get('/api/user').expect(200);
    await login(ada.email, PASSWORD).expect(200);
  });

  it.each([{}, { currentPassword: '' }, { currentPassword: null }])(
    'rejects a full session that sends only an address (%j)',
    async (more) => {
      const response = await change({ email: ada.email, newPassword: OTHER_PASSWORD, ...more }).expect(400);
      expect(response.body.errors.currentPassword).toEqual(['All fields are required']);
      await login(ada.email, PASSWORD).expect(200);
    },
  );

  it('returns 401 when not signed in', async () => {
    const form = { email: ada.email, currentPassword: PASSWORD, newPassword: OTHER_PASSWORD };
    await change(form, world.createClient()).expect(401);
    await login(ada.email, PASSWORD).expect(200);
  });

  it('returns 403 for an address other than that of the session', async () => {
    const other = await registerUser(world);
    const form = { email: other.email, currentPassword: PASSWORD, newPassword: OTHER_PASSWORD };
    const response = await change(form).expect(403);
    expect(response.body.code).toBe('EMAIL_MISMATCH');
    for (const { email } of [ada, other]) await login(email, PASSWORD).expect(200);
  });

  it('accepts one of 20 concurrent changes with the same old password and leaves one session', async () => {
    const passwords = Array.from({ length: 20 }, (_, index) => `chosen in tab ${index}`);
    const cookie = `zonary_session=${(await readSessionCookie(ada)).value}`;
    const responses = await runConcurrently(20, (index) =>
      world
        .createClient()
        .post('/api/change-password')
        .set('Cookie', cookie)
        .send({ email: ada.email, currentPassword: PASSWORD, newPassword: passwords[index] }),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const winner = responses.findIndex(({ status }) => status === 200);
    const client = await signIn(world, ada.email, passwords[winner]);
    expect((await client.get('/api/user/sessions').expect(200)).body).toHaveLength(2);
  });

  it('requires an emailed code from a user without a password and keeps the session restricted', async () => {
    const zone = await createZone(ada);
    const email = `${uniqueName('joined')}@example.com`;
    const client = await joinAsRestrictedUser(world, zone, email);
    await change({ email: ada.email, newPassword: OTHER_PASSWORD }, client).expect(403);
    const rejected = await change({ email, newPassword: OTHER_PASSWORD }, client).expect(403);
    expect(rejected.body.code).toBe('CONFIRMATION_REQUIRED');
    await reauthenticateByEmail(world, client, email);
    const response = await change({ email, newPassword: OTHER_PASSWORD }, client).expect(200);
    expect(response.body).toMatchObject({ requiresProfileCompletion: true, requiresPasswordChange: false });
    await client.get('/api/zones').expect(200);
    await client.post('/api/zones').send({ name: 'Mine', type: 'private' }).expect(403);
    await login(email, OTHER_PASSWORD).expect(200);
  });
});

describeInProcess('Password links, limits and records', () => {
  it('expires a reset link after an hour', async () => {
    const token = await requestPasswordReset(world, ada.email);
    world.testApp.clock.advance(3_600_000 + 1);
    await reset(token).expect(400);
  });

  it('does not store reset tokens in plain text', async () => {
    const token = await requestPasswordReset(world, ada.email);
    const rows = await world.testApp
      .em()
      .execute('select digest as value from single_use_tokens union all select payload::text from jobs');
    for (const { value } of rows as { value: string }[]) expect(value).not.toContain(token);
  });

  it('audits both ways to set a password', async () => {
    await reset(await requestPasswordReset(world, ada.email)).expect(200);
    const client = await signIn(world, ada.email, OTHER_PASSWORD);
    const form = { email: ada.email, currentPassword: OTHER_PASSWORD, newPassword: PASSWORD };
    await client.post('/api/change-password').send(form).expect(200);
    expect((await listAuditTypes(world, ada.id)).slice(1)).toEqual([
      'user.password-reset',
      'user.signed-in',
      'user.password-changed',
    ]);
  });

  it('allows 5 reset links per hour and address, and 10 wrong current passwords in 15 minutes', async () => {
    const limited = await World.open({ RATE_LIMIT: 'on' });
    try {
      const { email, client } = await registerUser(limited);
      const requestReset = () => limited.createClient().post('/api/forgot-password').send({ email });
      for (let count = 0; count < 5; count++) await requestReset().expect(200);
      await requestReset().expect(429);
      const change = (currentPassword: string) =>
        client.post('/api/change-password').send({ email, currentPassword, newPassword: OTHER_PASSWORD });
      for (let count = 0; count < 10; count++) await change('not the one').expect(400);
      const rejected = await change(PASSWORD).expect(429);
      expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(800);
    } finally {
      await limited.close();
    }
  });

  it('lifts the sign-in limit after a password reset', async () => {
    const limited = await World.open({ RATE_LIMIT: 'on' });
    try {
      const { email } = await registerUser(limited);
      const attempt = (password: string) => limited.createClient().post('/api/login').send({ email, password });
      for (let count = 0; count < 10; count++) await attempt('not the one').expect(401);
      await attempt(PASSWORD).expect(429);
      const token = await requestPasswordReset(limited, email);
      await limited.createClient().post('/api/reset-password').send({ token, password: OTHER_PASSWORD }).expect(200);
      await attempt(OTHER_PASSWORD).expect(200);
    } finally {
      await limited.close();
    }
  });
});

/** Returns the session cookie of a new sign-in in the actor's browser. */
async function readSessionCookie(actor: Actor): Promise<{ value: string }> {
  const { email, password } = actor;
  const { headers } = await actor.client.post('/api/login').send({ email, password }).expect(200);
  return { value: /zonary_session=([\w-]+)/.exec(String(headers['set-cookie']))![1]! };
}
