import { request } from 'node:http';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { describeWithRedis, RedisServer } from '../../support/fakes/redis-server.js';
import { waitUntil } from '../../support/wait-until.js';

const LIMIT = 600;
const PICTURES = 3000;

describeWithRedis('Rate limits shared through Redis', () => {
  let redis: RedisServer;
  let apps: TestApp[];

  beforeAll(async () => {
    redis = await RedisServer.start();
    const env = { REDIS_URL: redis.url, RATE_LIMIT: 'on', TRUST_PROXY: '1' };
    const first = await createTestApp(env);
    apps = [first, await createTestApp(env, [], first.connection)];
    for (const { url } of apps) await waitUntil('Redis is connected', async () => (await ready(url)).answers === true);
  });
  afterAll(async () => {
    for (const app of [...apps].reverse()) await app.close();
    await redis.close();
  });

  async function ready(url: string): Promise<{ status: number; answers: unknown }> {
    const response = await fetch(`${url}/readyz`);
    const body = (await response.json()) as { details: { redis: { answers: boolean } } };
    return { status: response.status, answers: body.details.redis.answers };
  }
  /**
   * Sends `count` requests from an address; returns how many were processed, including 401s, and how many were
   * rate-limited.
   */
  async function sendRequests(app: TestApp, address: string, path: string, count: number) {
    const statuses: number[] = [];
    for (let left = count; left > 0; left -= 30) {
      statuses.push(
        ...(await Promise.all(Array.from({ length: Math.min(30, left) }, () => status(app, address, path)))),
      );
    }
    return {
      answered: statuses.filter((code) => code !== 429).length,
      refused: statuses.filter((code) => code === 429).length,
    };
  }
  function status(app: TestApp, address: string, path: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const call = request(app.url + path, { headers: { 'X-Forwarded-For': address } }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode!));
      });
      call.on('error', reject);
      call.end();
    });
  }

  it('count the requests of an address together over processes and routes', async () => {
    const responses = await Promise.all([
      sendRequests(apps[0]!, '192.0.2.1', '/api/plans', 200),
      sendRequests(apps[0]!, '192.0.2.1', '/api/user', 110),
      sendRequests(apps[1]!, '192.0.2.1', '/api/plans', 310),
    ]);
    const sum = (of: 'answered' | 'refused') => responses.reduce((total, response) => total + response[of], 0);
    expect({ answered: sum('answered'), refused: sum('refused') }).toEqual({ answered: LIMIT, refused: 20 });
    expect(await sendRequests(apps[1]!, '192.0.2.2', '/api/plans', 1)).toEqual({ answered: 1, refused: 0 });
  });

  it('count thumbnails separately from other requests', async () => {
    const address = '192.0.2.4';
    const pictures = [
      sendRequests(apps[0]!, address, '/api/files/1/thumbnail', PICTURES / 2),
      sendRequests(apps[1]!, address, '/api/files/2/thumbnail', PICTURES / 2 + 10),
    ];
    const responses = await Promise.all(pictures);
    expect(responses.reduce((sum, { refused: rejected }) => sum + rejected, 0)).toBe(10);
    expect(await sendRequests(apps[1]!, address, '/api/plans', LIMIT + 5)).toEqual({ answered: LIMIT, refused: 5 });
  });

  it('work per process without Redis', async () => {
    await redis.kill();
    await waitUntil(
      'the process reports Redis as unavailable',
      async () => (await ready(apps[0]!.url)).answers === false,
    );
    expect((await ready(apps[0]!.url)).status).toBe(200);
    const [app] = apps;
    expect(await sendRequests(app!, '192.0.2.3', '/api/plans', LIMIT + 10)).toEqual({ answered: LIMIT, refused: 10 });
    await redis.restart();
    await waitUntil('the process reports Redis as available', async () => (await ready(app!.url)).answers === true);
  });
});
