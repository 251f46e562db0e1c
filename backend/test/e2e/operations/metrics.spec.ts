import supertest from 'supertest';
import { InstanceRegistryService } from '../../../src/platform/health/instances/instance-registry.service.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { createZone, registerUser } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';

const TOKEN = 'a token for metrics';
const bearer = { Authorization: `Bearer ${TOKEN}` };

/** The value of a series, or null without one. */
function valueOf(text: string, series: string): number | null {
  const line = text.split('\n').find((row) => row.startsWith(`${series} `));
  return line ? Number(line.slice(series.length + 1)) : null;
}

describeInProcess('GET /metrics', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open({ METRICS_TOKEN: TOKEN });
  });
  afterAll(() => world.close());
  const read = async () => (await supertest(world.url).get('/metrics').set(bearer).expect(200)).text;

  it('times requests by route pattern, never by path', async () => {
    const owner = await registerUser(world);
    const zone = await createZone(owner);
    await owner.client.get(`/api/zones/${zone.id}`).expect(200);
    await owner.client.get('/api/public-zones/a-secret-link-of-somebody').expect(404);
    const text = await read();
    const series = 'http_request_duration_seconds_count{method="GET",route="/api/zones/:id",status="2xx"}';
    expect(valueOf(text, series)).toBe(1);
    expect(text).not.toContain(`/api/zones/${zone.id}"`);
    expect(text).not.toContain('a-secret-link');
    expect(text).not.toContain(owner.email);
  });

  it('counts live workers', async () => {
    const workers = world.testApp.app.get(InstanceRegistryService);
    const count = async () => {
      // Database figures are cached for five seconds.
      world.testApp.clock.advance(6000);
      return valueOf(await read(), 'zonary_workers');
    };
    expect(await count()).toBe(0);
    let isWorking = true;
    await workers.register('worker', null, () => isWorking);
    expect(await count()).toBe(1);
    // A worker that hangs sends no more heartbeats.
    isWorking = false;
    world.testApp.clock.advance(61_000);
    expect(await count()).toBe(0);
    isWorking = true;
    await workers.register('worker', null);
    expect(await count()).toBe(1);
    await workers.unregister();
    expect(await count()).toBe(0);
  });

  it('reports queues, dead jobs, sent emails and process health', async () => {
    const text = await read();
    expect(valueOf(text, 'zonary_database_up')).toBe(1);
    expect(valueOf(text, 'zonary_jobs{queue="mail",state="dead"}')).toBe(0);
    expect(valueOf(text, 'zonary_job_oldest_due_seconds{queue="mail"}')).not.toBeNull();
    expect(valueOf(text, 'zonary_campaign_deliveries{state="delivered"}')).toBe(0);
    expect(valueOf(text, 'zonary_campaign_deliveries{state="failed"}')).toBe(0);
    expect(valueOf(text, 'zonary_database_connections{state="used"}')).not.toBeNull();
    expect(valueOf(text, 'zonary_disk_free_bytes')).toBeGreaterThan(0);
    expect(valueOf(text, 'zonary_disk_reserve_bytes')).toBeGreaterThan(0);
    expect(valueOf(text, 'zonary_storage_owned')).toBe(1);
    expect(valueOf(text, 'zonary_mail_server_refusing_seconds')).toBe(0);
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
    expect(text).toContain('process_resident_memory_bytes');
  });

  it('queries the database at most every five seconds', async () => {
    const { clock } = world.testApp;
    const dead = async () => valueOf(await read(), 'zonary_jobs{queue="maintenance",state="dead"}');
    await clock.freezeWhile(async () => {
      clock.advance(5000);
      const before = (await dead())!;
      await world.testApp.em().execute(
        `insert into jobs (queue, name, payload, state, run_at, attempts, max_attempts, created_at)
         values ('maintenance', 'nobody-does-this', '{}', 'dead', now(), 3, 3, now())`,
      );
      const seen = await Promise.all(Array.from({ length: 50 }, dead));
      expect(new Set(seen)).toEqual(new Set([before]));
      clock.advance(5000);
      expect(await dead()).toBe(before + 1);
    });
  });
});

describeInProcess('GET /metrics without a configured token', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  it.each([
    ['localhost', { Host: 'localhost' }],
    ['the loopback address', { Host: '127.0.0.1' }],
    ['a name that resolves to this machine', { Host: 'zones.example' }],
    ['a proxy', { 'X-Forwarded-For': '203.0.113.7' }],
    ['a proxy that names only itself', { Via: '1.1 proxy' }],
    ['an unknown host with a token', { Host: 'localhost.zones.example', Authorization: 'Bearer null' }],
  ])('returns 404 for %s', async (_, headers) => {
    const { body } = await supertest(app.url).get('/metrics').set(headers).expect(404);
    expect(body.code).toBe('NOT_FOUND');
  });
});

describeInProcess('GET /metrics with a configured token', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ METRICS_TOKEN: TOKEN });
  });
  afterAll(() => app.close());

  it.each([
    [TOKEN, 200],
    ['another token of the same length', 401],
    [TOKEN.slice(0, -1), 401],
  ])('checks the token: %s returns %i', async (token, status) => {
    await supertest(app.url).get('/metrics').set('Authorization', `Bearer ${token}`).expect(status);
  });

  it('requires the token in the header, not in the URL or a session', async () => {
    const { body, headers } = await supertest(app.url)
      .get(`/metrics?token=${encodeURIComponent(TOKEN)}`)
      .expect(401);
    expect(headers['www-authenticate']).toBe('Bearer');
    expect(body.code).toBe('METRICS_TOKEN_REQUIRED');
  });

  it('reports how long due jobs have waited', async () => {
    await app.em().execute(
      `insert into jobs (queue, name, payload, state, run_at, attempts, max_attempts, created_at)
       values ('mail', 'nobody-does-this', '{}', 'queued', now() - interval '90 seconds', 0, 3, now()),
              ('mail', 'nobody-does-this', '{}', 'dead', now(), 3, 3, now())`,
    );
    app.clock.advance(5000);
    const { text } = await supertest(app.url).get('/metrics').set(bearer).expect(200);
    expect(valueOf(text, 'zonary_jobs{queue="mail",state="queued"}')).toBeGreaterThanOrEqual(1);
    expect(valueOf(text, 'zonary_jobs{queue="mail",state="dead"}')).toBe(1);
    expect(valueOf(text, 'zonary_job_oldest_due_seconds{queue="mail"}')).toBeGreaterThanOrEqual(90);
  });
});
