import supertest from 'supertest';
import { SecurityEventLogService } from '../../../src/platform/security-events/security-event-log.service.js';
import { PASSWORD, registerUser, type Actor } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { createApiToken } from '../auth/account-helpers.js';
import { registerStaff } from '../admin/staff-helpers.js';

describeInProcess('Security tab and own security activity', () => {
  let world: World;
  let ada: Actor;
  let admins: Awaited<ReturnType<typeof registerStaff>>;
  beforeAll(async () => {
    world = await World.open({ TRUST_PROXY: '1' });
    [ada, admins] = [await registerUser(world), await registerStaff(world)];
    const trail = world.testApp.app.get(SecurityEventLogService);
    const from = async (ipAddress: string, userId: number | null, times: number) => {
      for (let done = 0; done < times; done++)
        await trail.recordRejection({ kind: 'sign-in-failed', detail: 'password', userId, ipAddress });
    };
    await from('192.0.2.1', ada.id, 3);
    await from('2001:db8:5:5::9', null, 2);
    await trail.recordRejection({ kind: 'webhook-refused', detail: 'stripe', ipAddress: '192.0.2.1' });
    await trail.recordRejection({ kind: 'locked-out', detail: 'sign-in', userId: ada.id, ipAddress: '192.0.2.1' });
  });
  afterAll(() => world.close());

  const listEvents = async (query: string) => {
    const { body, headers } = await admins.admin.client.get(`/api/admin/security/events?${query}`).expect(200);
    return { total: headers['x-total-count'], rows: body as { kind: string; network: string; count: number }[] };
  };

  it('count events by day for thirty days', async () => {
    const { body } = await admins.admin.client.get('/api/admin/security/days').expect(200);
    expect(body).toHaveLength(30);
    const today = world.testApp.clock.now().toISOString().slice(0, 10);
    expect(body.at(-1)).toEqual({ day: today, failedSignIns: 5, lockOuts: 1, refusedWebhooks: 1, newDevices: 0 });
    const none = { failedSignIns: 0, lockOuts: 0, refusedWebhooks: 0, newDevices: 0 };
    expect(body[0]).toEqual({ ...none, day: expect.any(String) });
  });

  it.each([
    ['', 4],
    ['kind=sign-in-failed', 2],
    ['q=192.0.2.1', 3],
    ['q=2001:db8:5:5:ffff::1', 1],
    ['q=2001:db8:5:5::/64', 1],
    ['q=nobody-of-that-name', 0],
    ['kind=locked-out&q=192.0.2.1', 1],
  ])('list events that match %p', async (query, count) => {
    const { rows, total } = await listEvents(query);
    expect([rows.length, total]).toEqual([count, String(count)]);
  });

  it('find a user by name and show the series with its count', async () => {
    const { rows } = await listEvents(`q=${ada.username}&kind=sign-in-failed`);
    expect(rows).toEqual([
      {
        id: expect.any(Number),
        kind: 'sign-in-failed',
        detail: 'password',
        network: '192.0.2.1',
        count: 3,
        userId: ada.id,
        userEmail: ada.email,
        firstAt: expect.any(String),
        lastAt: expect.any(String),
      },
    ]);
  });

  it('paginate, and reject unknown kinds and sort keys', async () => {
    const { rows, total } = await listEvents('perPage=1&page=2&sort=count&order=desc');
    expect([rows[0]!.count, rows.length, total]).toEqual([2, 1, '4']);
    await admins.admin.client.get('/api/admin/security/events?kind=x').expect(400);
    await admins.admin.client.get('/api/admin/security/events?sort=detail').expect(400);
  });

  it.each(['events', 'days'])('are restricted to admins: %s', async (path) => {
    await ada.client.get(`/api/admin/security/${path}`).expect(403);
    await world.createClient().get(`/api/admin/security/${path}`).expect(401);
    await admins.superAdmin.client.get(`/api/admin/security/${path}`).expect(200);
  });

  it('show each user the last twenty events of their own account only', async () => {
    const grace = await registerUser(world);
    const listOwnEvents = async (actor: Actor) =>
      (await actor.client.get('/api/user/security-activity').expect(200)).body;
    expect(await listOwnEvents(grace)).toMatchObject([{ kind: 'user.registered', count: 1 }]);
    expect(await listOwnEvents(ada)).toMatchObject([
      { kind: 'locked-out', count: 1, network: '192.0.2.1' },
      { kind: 'sign-in-failed', count: 3, network: '192.0.2.1' },
      { kind: 'user.registered', count: 1, network: '127.0.0.1' },
    ]);
    await admins.admin.client.post(`/api/admin/users/${grace.id}/end-sessions`).expect(200);
    const otherClient = world.createClient();
    await otherClient.post('/api/login').send({ email: grace.email, password: PASSWORD }).expect(200);
    const [signedIn, ended] = (await otherClient.get('/api/user/security-activity').expect(200)).body;
    expect(signedIn).toMatchObject({ kind: 'user.signed-in' });
    // The administrator's network is not stored with the user's event.
    expect(ended).toMatchObject({ kind: 'user.sessions-ended', network: null });
    for (let day = 0; day < 30; day++)
      await world.testApp.app.get(SecurityEventLogService).recordRejection({
        kind: 'sign-in-failed',
        detail: 'password',
        userId: grace.id,
        ipAddress: `198.51.100.${day}`,
      });
    expect((await otherClient.get('/api/user/security-activity').expect(200)).body).toHaveLength(20);
  });

  it('reject API tokens', async () => {
    const { token } = await createApiToken(ada, 'read');
    const request = supertest(world.url).get('/api/user/security-activity').set('Authorization', `Bearer ${token}`);
    expect((await request.expect(403)).body.code).toBe('SESSION_REQUIRED');
  });
});
