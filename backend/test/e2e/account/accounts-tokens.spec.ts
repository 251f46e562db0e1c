import supertest from 'supertest';
import { UserService } from '../../../src/modules/auth/users/user.service.js';
import { createZone, registerUser, type Actor } from '../../support/people/actors.js';
import { joinAsRestrictedUser } from '../../support/people/restricted-user.js';
import { describeInProcess, World } from '../../support/world.js';
import {
  requestPasswordReset,
  listAuditTypes,
  createApiToken,
  OTHER_PASSWORD,
  signIn,
} from '../auth/account-helpers.js';

const DAY = 86_400_000;

let world: World;
let ada: Actor;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  ada = await registerUser(world);
});
afterAll(() => world.close());

/** An API client: no cookies and no browser headers. */
const createApiClient = (token: string) => supertest.agent(world.url).set('Authorization', `Bearer ${token}`);
const list = async () => (await ada.client.get('/api/user/tokens').expect(200)).body;

describe('API token', () => {
  it('is shown once, listed without its secret and announced by email', async () => {
    const requestBody = { name: ' Backup ', scope: 'read', expiresInDays: 30 };
    const { body } = await ada.client.post('/api/user/tokens').send(requestBody).expect(201);
    expect(body).toMatchObject({ id: expect.any(Number), name: 'Backup', scope: 'read', lastUsedAt: null });
    expect(body.token).toMatch(/^zonary_[\w-]{43}$/);
    const rest = Date.parse(body.expiresAt) - Date.parse(body.createdAt);
    expect(rest).toBe(30 * DAY);
    const { token: _, ...row } = body;
    expect(await list()).toEqual([row]);
    const mail = await world.waitForEmail(ada.email, ({ subject }) => /new API token/.test(subject));
    expect(mail.text).toContain('“Backup”');
    expect(mail.text).not.toContain(body.token);
  });

  it('acts for its user from anywhere, without the CSRF header', async () => {
    const { token } = await createApiToken(ada, 'write');
    const me = await createApiClient(token).get('/api/user').expect(200);
    expect(me.body.id).toBe(ada.id);
    const zone = await createApiClient(token)
      .post('/api/zones')
      .send({ name: 'By a program', type: 'private' })
      .expect(201);
    await createApiClient(token).get(`/api/zones/${zone.body.id}`).expect(200);
    await createApiClient(token)
      .post(`/api/zones/${zone.body.id}/files`)
      .attach('files', Buffer.from('hello'), 'hello.txt')
      .expect(201);
    await createApiClient(token).put('/api/user/profile').send({ firstName: 'Renamed' }).expect(200);
  });

  it('cannot change data or reach session-only routes with scope read', async () => {
    const { token } = await createApiToken(ada, 'read');
    await createApiClient(token).get('/api/zones').expect(200);
    const rejected = await createApiClient(token).get('/api/user/export').expect(403);
    expect(rejected.body.code).toBe('SESSION_REQUIRED');
    const rejection = await createApiClient(token).post('/api/zones').send({ name: 'No', type: 'private' }).expect(403);
    expect(rejection.body).toMatchObject({ code: 'TOKEN_READ_ONLY', message: 'This API token is read-only.' });
    await createApiClient(token).put('/api/user/profile').send({ firstName: 'No' }).expect(403);
    await createApiClient(token).delete('/api/user/picture').expect(403);
    expect((await ada.client.get('/api/zones')).body).toEqual([]);
  });

  it('cannot change data by public routes with scope read either', async () => {
    const { token } = await createApiToken(ada, 'read');
    const owner = await registerUser(world);
    const zone = await createZone(owner);
    const calls: [path: string, body: object][] = [
      [`/api/public-zones/${zone.publicLink}/join`, { email: ada.email, emailConsent: true }],
      ['/api/verify-email', { token: 'x'.repeat(43) }],
      ['/api/accept-invite', { token: 'x'.repeat(43), email: ada.email }],
      ['/api/unsubscribe/1-1-00000000000000000000000000000000', {}],
      ['/api/send-verification', { email: ada.email }],
      ['/api/forgot-password', { email: ada.email }],
      ['/api/logout', {}],
    ];
    for (const [path, body] of calls) {
      const response = await createApiClient(token).post(path).send(body);
      expect([path, response.status, response.body.code]).toEqual([path, 403, 'TOKEN_READ_ONLY']);
    }
    expect((await owner.client.get(`/api/zones/${zone.id}`)).body.memberCount).toBe(0);
    await createApiClient(token).get(`/api/public-zones/${zone.publicLink}`).expect(200);
    await createApiClient(token).head('/api/user').expect(200);
  });

  it('is deleted by a new password, a reset or signing out everywhere, and the email says so', async () => {
    const revocations: [RegExp, () => Promise<unknown>][] = [
      [
        /signed out everywhere/,
        () => ada.client.delete('/api/user/sessions').expect(204) as unknown as Promise<unknown>,
      ],
      [
        /has been changed/,
        async () => {
          const form = { email: ada.email, currentPassword: ada.password, newPassword: OTHER_PASSWORD };
          await ada.client.post('/api/change-password').send(form).expect(200);
        },
      ],
      [
        /has been reset/,
        async () => {
          const token = await requestPasswordReset(world, ada.email);
          await world.createClient().post('/api/reset-password').send({ token, password: ada.password }).expect(200);
        },
      ],
    ];
    for (const [subject, end] of revocations) {
      const { token } = await createApiToken(ada);
      await createApiClient(token).get('/api/user').expect(200);
      await end();
      await createApiClient(token).get('/api/user').expect(401);
      const { text } = await world.waitForEmail(ada.email, (mail) => subject.test(mail.subject));
      expect(text).toMatch(/all API tokens have been deleted/i);
    }
  });

  it("cannot change the account's security", async () => {
    const { token, id } = await createApiToken(ada, 'write');
    const { email, password: currentPassword } = ada;
    const calls = [
      createApiClient(token).get('/api/user/tokens'),
      createApiClient(token).post('/api/user/tokens').send({ name: 'More', scope: 'write', expiresInDays: 1 }),
      createApiClient(token).delete(`/api/user/tokens/${id}`),
      createApiClient(token).get('/api/user/sessions'),
      createApiClient(token).delete('/api/user/sessions'),
      createApiClient(token).delete('/api/user/sessions/1'),
      createApiClient(token)
        .post('/api/change-password')
        .send({ email, currentPassword, newPassword: 'taken over now' }),
      createApiClient(token).delete('/api/user').send({ password: currentPassword }),
    ];
    for (const call of calls) expect((await call.expect(403)).body.code).toBe('SESSION_REQUIRED');
  });

  it('returns 401 if invalid, even with a valid cookie, and is ignored by public routes', async () => {
    const good = await createApiToken(ada);
    for (const token of ['made-up', `${good.token}x`, good.token.toUpperCase(), '']) {
      const response = await ada.client.get('/api/user').set('Authorization', `Bearer ${token || 'x'}`);
      expect([token, response.status, response.body.code]).toEqual([token, 401, 'NOT_SIGNED_IN']);
    }
    await ada.client.get('/api/user').expect(200);
    await createApiClient('made-up').get('/api/check-username/somebody_new').expect(200);
  });

  it('does not exempt the browser cookie from the CSRF check', async () => {
    const { email, password } = ada;
    const login = await ada.client.post('/api/login').send({ email, password }).expect(200);
    const cookie = /zonary_session=[\w-]+/.exec(String(login.headers['set-cookie']))![0];
    const forged = supertest(world.url).post('/api/zones').set({ Cookie: cookie, Authorization: 'Bearer made-up' });
    await forged.send({ name: 'Forged', type: 'private' }).expect(401);
    expect((await ada.client.get('/api/zones')).body).toEqual([]);
  });

  it('can be deleted only by its user and ends at once', async () => {
    const { token, id } = await createApiToken(ada);
    const eve = await registerUser(world);
    expect((await eve.client.delete(`/api/user/tokens/${id}`).expect(404)).body.code).toBe('API_TOKEN_NOT_FOUND');
    await createApiClient(token).get('/api/user').expect(200);
    await ada.client.delete(`/api/user/tokens/${id}`).expect(204);
    await createApiClient(token).get('/api/user').expect(401);
    await ada.client.delete(`/api/user/tokens/${id}`).expect(404);
    expect(await list()).toEqual([]);
  });

  it('can be created with scope admin only by admins', async () => {
    const requestBody = { name: 'Admin', scope: 'admin', expiresInDays: 1 };
    expect((await ada.client.post('/api/user/tokens').send(requestBody).expect(403)).body.code).toBe('ADMIN_SCOPE');
  });

  it('cannot be created before the profile is complete', async () => {
    const zone = await createZone(ada);
    const client = await joinAsRestrictedUser(world, zone);
    const requestBody = { name: 'Early', scope: 'read', expiresInDays: 1 };
    expect((await client.post('/api/user/tokens').send(requestBody).expect(403)).body.code).toBe('PROFILE_INCOMPLETE');
  });

  it.each([
    [{ name: ' ' }, 'name', 'Please enter a name for the token.'],
    [{ name: 'a'.repeat(101) }, 'name', 'This name is too long.'],
    [{ scope: 'root' }, 'scope', 'Please choose read, write or admin.'],
    [{ expiresInDays: 0 }, 'expiresInDays', 'Please choose 1 to 365 days.'],
    [{ expiresInDays: 366 }, 'expiresInDays', 'Please choose 1 to 365 days.'],
    [{ expiresInDays: '30' }, 'expiresInDays', 'Please choose 1 to 365 days.'],
    [{ expiresInDays: undefined }, 'expiresInDays', 'Please choose 1 to 365 days.'],
    [{ userId: 1 }, 'userId', 'Unknown field.'],
  ])('is rejected with %j', async (change, field, sentence) => {
    const requestBody = { name: 'Fine', scope: 'read', expiresInDays: 30, ...change };
    const response = await ada.client.post('/api/user/tokens').send(requestBody).expect(400);
    expect(response.body.errors[field]).toEqual([sentence]);
  });
});

describeInProcess('API token expiry, roles and storage', () => {
  it('leaves no token created while all are being ended', async () => {
    for (let round = 0; round < 5; round++) {
      const actor = await registerUser(world);
      const phone = await signIn(world, actor.email);
      const requestBody = { name: 'Late', scope: 'write', expiresInDays: 1 };
      const [createdToken] = await Promise.all([
        actor.client.post('/api/user/tokens').send(requestBody),
        phone.delete('/api/user/sessions').expect(204),
      ]);
      if (createdToken.status === 201) await createApiClient(createdToken.body.token).get('/api/user').expect(401);
      else expect(createdToken.status).toBe(401);
    }
  });

  it('does not restore tokens when a deactivated account is activated', async () => {
    const { token } = await createApiToken(ada);
    const users = world.testApp.app.get(UserService);
    await users.deactivate(ada.id, ada.id, null);
    const [row] = await world.testApp
      .em()
      .execute('select count(*)::int n from api_tokens where user_id = ?', [ada.id]);
    expect(row).toEqual({ n: 0 });
    await createApiClient(token).get('/api/user').expect(401);
  });

  it('expires a token on its day and deletes its row a month later', async () => {
    const { token, id } = await createApiToken(ada, 'read', 1);
    world.testApp.clock.advance(DAY - 60_000);
    await createApiClient(token).get('/api/user').expect(200);
    world.testApp.clock.advance(60_000);
    await createApiClient(token).get('/api/user').expect(401);
    const { CronScheduler } = await import('../../../src/platform/jobs/cron/cron-scheduler.js');
    const { purgeExpiredSecrets } = await import('../../../src/modules/auth/auth.jobs.js');
    const rows = async () => {
      await world.testApp.app.get(CronScheduler).enqueueCronRun(purgeExpiredSecrets, world.testApp.clock.now());
      await world.testApp.drain();
      return world.testApp.em().execute('select id from api_tokens where id = ?', [id]);
    };
    expect(await rows()).toHaveLength(1);
    world.testApp.clock.advance(30 * DAY);
    expect(await rows()).toHaveLength(0);
  });

  it('updates the last use at most once an hour', async () => {
    const { token } = await createApiToken(ada, 'read');
    const lastUsedAt = async () => (await list())[0].lastUsedAt as string;
    await createApiClient(token).get('/api/user').expect(200);
    const first = await lastUsedAt();
    world.testApp.clock.advance(30 * 60_000);
    await createApiClient(token).get('/api/user').expect(200);
    expect(await lastUsedAt()).toBe(first);
    world.testApp.clock.advance(30 * 60_000);
    await createApiClient(token).get('/api/user').expect(200);
    expect(Date.parse(await lastUsedAt()) - Date.parse(first)).toBeGreaterThanOrEqual(3_600_000);
  });

  it('stores only the digest and audits creation and deletion', async () => {
    const { token, id } = await createApiToken(ada);
    await ada.client.delete(`/api/user/tokens/${id}`).expect(204);
    expect((await listAuditTypes(world, ada.id)).slice(-2)).toEqual(['user.token-made', 'user.token-revoked']);
    const rows = await world.testApp
      .em()
      .execute(
        'select digest as value from api_tokens union all select payload::text from jobs union all select params::text from audit_log',
      );
    for (const { value } of rows as { value: string }[]) expect(value).not.toContain(token.slice(7));
  });

  it("lets an admin create a token of scope admin, limited to the user's current role", async () => {
    const em = world.testApp.em();
    await em.execute(`update users set role = 'admin' where id = ?`, [ada.id]);
    const { token } = await createApiToken(ada, 'admin');
    expect((await createApiClient(token).get('/api/user').expect(200)).body.role).toBe('admin');
    await em.execute(`update users set role = 'user' where id = ?`, [ada.id]);
    expect((await createApiClient(token).get('/api/user').expect(200)).body.role).toBe('user');
  });

  it('allows 20 tokens per hour', async () => {
    const limited = await World.open({ RATE_LIMIT: 'on' });
    try {
      const actor = await registerUser(limited);
      for (let count = 0; count < 20; count++) await createApiToken(actor, 'read');
      const requestBody = { name: 'One more', scope: 'read', expiresInDays: 1 };
      await actor.client.post('/api/user/tokens').send(requestBody).expect(429);
    } finally {
      await limited.close();
    }
  });
});
