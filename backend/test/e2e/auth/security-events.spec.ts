import { createHmac } from 'node:crypto';
import supertest from 'supertest';
import {
  purgeSecurityEvents,
  SecurityEventLogService,
} from '../../../src/platform/security-events/security-event-log.service.js';
import {
  MAX_AUDITED_PER_DAY,
  MAX_SERIES_PER_DAY,
} from '../../../src/platform/security-events/security-event.repository.js';
import { JobsService } from '../../../src/platform/jobs/jobs.service.js';
import { fullOrShort } from '../../support/full-or-short.js';
import { PASSWORD, registerUser, uniqueName, type Actor } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { registerStaff } from '../admin/staff-helpers.js';
import { runConcurrently, createApiToken } from './account-helpers.js';

interface Series {
  readonly kind: string;
  readonly user_id: number;
  readonly network: string;
  readonly detail: string;
  readonly count: number;
}

const TOKEN = 'a token for metrics';

describeInProcess('Security event log', () => {
  let world: World;
  let ada: Actor;
  beforeAll(async () => {
    world = await World.open({
      METRICS_TOKEN: TOKEN,
      TRUST_PROXY: '1',
      WOOCOMMERCE_WEBHOOK_SECRET: 'a secret of the shop',
      STRIPE_SECRET_KEY: 'sk_test_of_nobody',
      STRIPE_WEBHOOK_SECRET: 'whsec_of_the_payments',
      MAIL_EVENTS_SECRET: 'a secret of the mail server',
    });
  });
  beforeEach(async () => {
    ada = await registerUser(world);
    await world.testApp.em().execute('delete from security_events');
  });
  afterAll(() => world.close());

  const rows = <T>(sql: string, values: unknown[] = []): Promise<T[]> => world.testApp.em().execute(sql, values);
  const listSeries = async () => {
    const found = await rows<Series>(
      'select kind, user_id::int as user_id, network, detail, count from security_events order by id',
    );
    return found.map(({ kind, user_id, network, detail, count }) => ({ kind, user_id, network, detail, count }));
  };
  const listAuditEntries = (type: string) =>
    rows<{ subject_id: string | null; ip_address: string; params: object }>(
      'select subject_id, ip_address, params from audit_log where type = ? order by id',
      [type],
    );
  const tryAs = (email: string, ip: string) =>
    world.createClient().post('/api/login').set('X-Forwarded-For', ip).send({ email, password: 'not the password' });

  it('counts failed sign-ins per user, network and day in one row, audited once', async () => {
    for (const ip of ['192.0.2.1', '192.0.2.1', '2001:db8:1:2:3::4', '2001:db8:1:2:ffff::5'])
      await tryAs(ada.email, ip).expect(401);
    expect(await listSeries()).toEqual([
      { kind: 'sign-in-failed', user_id: ada.id, network: '192.0.2.1', detail: 'password', count: 2 },
      { kind: 'sign-in-failed', user_id: ada.id, network: '2001:db8:1:2::/64', detail: 'password', count: 2 },
    ]);
    const entries = (await listAuditEntries('security.sign-in-failed')).filter(
      ({ subject_id }) => Number(subject_id) === ada.id,
    );
    expect(entries.map(({ ip_address, params }) => ({ ip_address, params }))).toEqual([
      { ip_address: '192.0.2.1', params: { reason: 'password' } },
      { ip_address: '2001:db8:1:2::/64', params: { reason: 'password' } },
    ]);
  });

  it('keeps nothing of an address without an account', async () => {
    const email = `${uniqueName('nobody')}@example.com`;
    await tryAs(email, '192.0.2.9').expect(401);
    await tryAs(`${uniqueName('nobody')}@example.com`, '192.0.2.9').expect(401);
    expect(await listSeries()).toEqual([
      { kind: 'sign-in-failed', user_id: 0, network: '192.0.2.9', detail: 'password', count: 2 },
    ]);
    for (const table of ['security_events', 'audit_log'])
      expect(await rows(`select 1 from ${table} t where t::text like ?`, [`%${email.split('@')[0]}%`])).toEqual([]);
  });

  it('counts concurrent failures exactly', async () => {
    await runConcurrently(30, () => tryAs(ada.email, '192.0.2.2').expect(401));
    expect((await listSeries()).map(({ count }) => count)).toEqual([30]);
  });

  it('stays bounded for many failures from many networks or one', async () => {
    const securityEvents = world.testApp.app.get(SecurityEventLogService);
    // The short case starts just below the limit.
    const [there, failures] = fullOrShort([0, 10_000], [MAX_SERIES_PER_DAY - 100, 400]);
    await rows(
      `insert into security_events (kind, day, user_id, network, detail, count, first_at, last_at)
       select 'sign-in-failed', ?::timestamptz at time zone 'UTC', ?, '10.255.' || (n >> 6) || '.' || (n & 63), 'password', 1, ?, ?
       from generate_series(1, ?) n`,
      [world.testApp.clock.now(), ada.id, world.testApp.clock.now(), world.testApp.clock.now(), there],
    );
    const before = (await listAuditEntries('security.sign-in-failed')).length;
    for (let done = 0; done < failures; done += 10) {
      await runConcurrently(10, async (index) => {
        const at = done + index;
        const fact = { kind: 'sign-in-failed', detail: 'password', userId: ada.id } as const;
        await securityEvents.recordRejection({ ...fact, ipAddress: `10.${at >> 12}.${(at >> 6) & 63}.${at & 63}` });
        await securityEvents.recordRejection({ ...fact, ipAddress: '192.0.2.3' });
      });
    }
    const [{ kept, counted }] = (await rows<{ kept: number; counted: number }>(
      'select count(*)::int as kept, sum(count)::int as counted from security_events',
    )) as [{ kept: number; counted: number }];
    // Concurrent writes may exceed the limit by their number.
    expect(kept).toBeLessThanOrEqual(MAX_SERIES_PER_DAY + 20);
    expect(counted).toBe(there + 2 * failures);
    expect((await listAuditEntries('security.sign-in-failed')).length - before).toBeLessThanOrEqual(
      MAX_AUDITED_PER_DAY + 20,
    );
    const entries = await listSeries();
    expect(entries.find(({ network }) => network === '')).toMatchObject({ user_id: 0, detail: '' });
  });

  it('records a deactivated account only after its correct password', async () => {
    await rows('update users set deactivated_at = now() where id = ? returning id', [ada.id]);
    await tryAs(ada.email, '192.0.2.4').expect(401);
    const right = { email: ada.email, password: PASSWORD };
    await world.createClient().post('/api/login').set('X-Forwarded-For', '192.0.2.4').send(right).expect(403);
    expect((await listSeries()).map(({ detail }) => detail)).toEqual(['password', 'deactivated']);
  });

  it('records sign-ins from new browsers, but not from the first or a known one', async () => {
    const client = world.createClient();
    const signIn = (of: typeof client, ip: string) =>
      of.post('/api/login').set('X-Forwarded-For', ip).send({ email: ada.email, password: PASSWORD }).expect(200);
    await signIn(client, '192.0.2.6');
    await signIn(client, '192.0.2.7');
    expect(await listSeries()).toEqual([]);
    await signIn(world.createClient(), '192.0.2.8');
    await signIn(world.createClient(), '192.0.2.8');
    const recorded = { kind: 'new-device', user_id: ada.id, network: '192.0.2.8', detail: 'sign-in', count: 2 };
    expect(await listSeries()).toEqual([recorded]);
    const entries = await listAuditEntries('security.new-device');
    expect(entries.filter(({ subject_id }) => Number(subject_id) === ada.id)).toHaveLength(1);
  });

  it.each([
    ['woocommerce', 'woocommerce', { 'X-WC-Webhook-Signature': 'AAAA' }],
    ['stripe', 'stripe', { 'Stripe-Signature': `t=1,v1=${'0'.repeat(64)}` }],
    ['mail-events', 'mail-events', { 'X-Mail-Events-Signature': '0'.repeat(64) }],
  ])('records a webhook of %s with a wrong signature and its network', async (path, detail, headers) => {
    const send = () =>
      supertest(world.url)
        .post(`/api/webhooks/${path}`)
        .set({ ...headers, 'X-Forwarded-For': '192.0.2.5' })
        .send({ a: 1 });
    const { status } = await send();
    expect([400, 401, 403]).toContain(status);
    expect((await send()).status).toBe(status);
    expect(await listSeries()).toEqual([
      { kind: 'webhook-refused', user_id: 0, network: '192.0.2.5', detail, count: 2 },
    ]);
    expect((await listAuditEntries('security.webhook-refused')).at(-1)).toMatchObject({ params: { reason: detail } });
  });

  it('does not record correctly signed webhooks', async () => {
    const body = '[]';
    const signature = createHmac('sha256', 'a secret of the mail server').update(body).digest('hex');
    await supertest(world.url)
      .post('/api/webhooks/mail-events')
      .set({ 'X-Mail-Events-Signature': signature, 'Content-Type': 'application/json' })
      .send(body)
      .expect(200);
    expect(await listSeries()).toEqual([]);
  });

  describe('API tokens', () => {
    const use = (token: string, ip: string) =>
      supertest(world.url).get('/api/user').set('Authorization', `Bearer ${token}`).set('X-Forwarded-For', ip);
    const listNotifications = async () =>
      (await world.listEmails(ada.email)).filter(({ subject }) => subject.includes('used from a new location'));

    it('notifies the user once per network, even with concurrent uses', async () => {
      const { token } = await createApiToken(ada);
      await runConcurrently(20, () => use(token, '198.51.100.1').expect(200));
      await use(token, '198.51.100.1').expect(200);
      await world.testApp.drain();
      expect(await listNotifications()).toHaveLength(1);
      await use(token, '2001:db8:9:9::1').expect(200);
      await use(token, '2001:db8:9:9:5::1').expect(200);
      await world.testApp.drain();
      const mails = await listNotifications();
      expect(mails).toHaveLength(2);
      expect(mails[0]!.text).toContain('2001:db8:9:9::/64');
      expect(mails[0]!.text).toContain('“For write”');
      expect(mails[0]!.text).not.toContain(token);
      expect(await listSeries()).toMatchObject([
        { kind: 'token-network', user_id: ada.id, network: '198.51.100.1', count: 1 },
        { kind: 'token-network', user_id: ada.id, network: '2001:db8:9:9::/64', count: 1 },
      ]);
      const entries = await listAuditEntries('security.token-network');
      expect(entries.filter(({ subject_id }) => Number(subject_id) === ada.id)).toHaveLength(2);
    });

    it('keeps 20 networks and sends at most five emails a day', async () => {
      const { token, id } = await createApiToken(ada);
      for (let net = 1; net <= 25; net++) {
        world.testApp.clock.advance(1000);
        await use(token, `198.51.100.${net}`).expect(200);
      }
      await world.testApp.drain();
      const storedEvents = await rows<{ network: string }>(
        'select network from api_token_networks where token_id = ? order by first_at',
        [id],
      );
      expect(storedEvents.map(({ network }) => network)).toEqual(
        Array.from({ length: 20 }, (_, index) => `198.51.100.${index + 6}`),
      );
      expect(await listNotifications()).toHaveLength(5);
    });

    it('notifies the user of a deleted token', async () => {
      const { id } = await createApiToken(ada);
      await ada.client.delete(`/api/user/tokens/${id}`).expect(204);
      await world.waitForEmail(ada.email, ({ subject }) => /token of your account has been deleted/.test(subject));
    });
  });

  it('notifies a user whose sessions an admin ended', async () => {
    const { admin } = await registerStaff(world);
    await admin.client.post(`/api/admin/users/${ada.id}/end-sessions`).expect(200);
    await world.waitForEmail(ada.email, ({ text }) => text.includes('An administrator has just signed you out'));
  });

  it('deletes series after 90 days and with the account', async () => {
    const securityEvents = world.testApp.app.get(SecurityEventLogService);
    await securityEvents.recordRejection({
      kind: 'sign-in-failed',
      detail: 'password',
      userId: ada.id,
      ipAddress: '192.0.2.1',
    });
    await rows(`update security_events set day = day - 91 returning id`);
    await securityEvents.recordRejection({
      kind: 'sign-in-failed',
      detail: 'password',
      userId: ada.id,
      ipAddress: '192.0.2.2',
    });
    const em = world.testApp.em();
    await world.testApp.app.get(JobsService).enqueue(em, purgeSecurityEvents, { slot: new Date().toISOString() });
    await world.testApp.drain();
    expect((await listSeries()).map(({ network }) => network)).toEqual(['192.0.2.2']);
    await ada.client.delete('/api/user').send({ password: PASSWORD });
    await world.testApp.drain();
    expect(await listSeries()).toEqual([]);
  });

  describe('metrics', () => {
    const readMetrics = async () =>
      (await supertest(world.url).get('/metrics').set('Authorization', `Bearer ${TOKEN}`).expect(200)).text;
    const valueOf = (text: string, name: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.slice(name.length + 1) ?? 0,
      );
    const measureIncrease = async (name: string, work: () => Promise<unknown>) => {
      const before = valueOf(await readMetrics(), name);
      await work();
      return valueOf(await readMetrics(), name) - before;
    };

    it.each([
      ['zonary_sign_in_failures_total{reason="password"}', () => tryAs(ada.email, '192.0.2.6').expect(401)],
      [
        'zonary_webhooks_refused_total{sender="woocommerce"}',
        () => supertest(world.url).post('/api/webhooks/woocommerce').send({ a: 1 }),
      ],
      [
        'zonary_api_tokens_refused_total{reason="unknown"}',
        () =>
          supertest(world.url)
            .get('/api/user')
            .set('Authorization', `Bearer zonary_${'x'.repeat(43)}`)
            .expect(401),
      ],
      [
        'zonary_api_tokens_refused_total{reason="scope"}',
        async () => {
          const { token } = await createApiToken(ada, 'read');
          const name = supertest(world.url).post('/api/zones').set('Authorization', `Bearer ${token}`);
          await name.send({ name: 'A zone', type: 'private' }).expect(403);
        },
      ],
    ])('%s increases by one', async (name, work) => {
      expect(await measureIncrease(name, async () => await work())).toBe(1);
      expect(await readMetrics()).not.toContain(ada.email);
    });

    it('counts 400 ms of work as an event loop stall', async () => {
      const count = 'zonary_event_loop_stalls_total';
      const before = valueOf(await readMetrics(), count);
      const end = performance.now() + 400;
      while (performance.now() < end);
      for (let now = before; now === before; now = valueOf(await readMetrics(), count));
      const text = await readMetrics();
      expect(valueOf(text, count)).toBeGreaterThan(before);
      expect(valueOf(text, 'zonary_event_loop_stall_seconds_sum')).toBeGreaterThanOrEqual(0.2);
    });
  });
});

describeInProcess('Lockouts in the security event log', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open({ RATE_LIMIT: 'on', METRICS_TOKEN: TOKEN });
  });
  afterAll(() => world.close());

  it('are counted in one row, audited once and part of the metrics', async () => {
    const ada = await registerUser(world);
    const wrong = { email: ada.email, password: 'not the password' };
    const responses: number[] = [];
    while (responses.filter((status) => status === 429).length < 3 && responses.length < 60)
      responses.push((await world.createClient().post('/api/login').send(wrong)).status);
    expect(responses.slice(-3)).toEqual([429, 429, 429]);
    const em = world.testApp.em();
    const locked = "select count, user_id::int as user_id from security_events where kind = 'locked-out'";
    expect(await em.execute(locked)).toEqual([{ count: 3, user_id: ada.id }]);
    const entries = "select 1 from audit_log where type = 'security.locked-out' and subject_id = ?";
    expect(await em.execute(entries, [ada.id])).toHaveLength(1);
    const { text } = await supertest(world.url).get('/metrics').set('Authorization', `Bearer ${TOKEN}`).expect(200);
    expect(text).toContain('zonary_lockouts_total{of="sign-in"} 3');
  });
});
