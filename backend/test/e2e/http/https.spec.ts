import supertest from 'supertest';
import { PASSWORD, registerUser } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';

describeInProcess('HTTPS installation', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open({ APP_URL: 'https://zones.example', RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' });
  });
  afterAll(() => world.close());

  it('sends HSTS on every response', async () => {
    for (const path of ['/', '/api/plans', '/api/nothing', '/healthz', '/join/x']) {
      const { headers } = await supertest(world.url).get(path);
      expect([path, headers['strict-transport-security']]).toEqual([path, 'max-age=31536000; includeSubDomains']);
      expect(headers['content-security-policy']).toContain('upgrade-insecure-requests');
    }
  });

  it('sets its cookies as secure and for this host only', async () => {
    const ada = await registerUser(world);
    const signInResponse = await supertest(world.url)
      .post('/api/login')
      .set('Sec-Fetch-Site', 'same-origin')
      .send({ email: ada.email, password: PASSWORD })
      .expect(200);
    const cookies = signInResponse.headers['set-cookie'] as unknown as string[];
    expect(cookies.length).toBeGreaterThan(1);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-/);
      expect(cookie).toMatch(/; Path=\/(;|$)/);
      expect(cookie).toMatch(/; Secure(;|$)/);
      expect(cookie).toMatch(/; HttpOnly(;|$)/);
      expect(cookie).not.toMatch(/Domain=/i);
    }
  });

  it('is not assumed for an HTTP address', async () => {
    const plain = await World.open();
    try {
      const { headers } = await supertest(plain.url).get('/');
      expect(headers['strict-transport-security']).toBeUndefined();
      expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
    } finally {
      await plain.close();
    }
  });
});
