import { Controller, Get, Module } from '@nestjs/common';
import supertest from 'supertest';
import { createZone, join, register, type Actor, type TestZone } from '../support/actors.js';
import { makeToken } from '../e2e/accounts.js';
import { newcomer } from '../support/newcomer.js';
import { describeInProcess, World, type Client } from '../support/world.js';
import { routesOf, type Route } from './routes.js';

/** A route that forgot to say who may call it. */
@Controller('api/forgotten')
class ForgottenController {
  @Get()
  secret(): string {
    return 'secret';
  }
}

@Module({ controllers: [ForgottenController] })
class ForgottenModule {}

const UNSAFE = ['POST', 'PUT', 'PATCH', 'DELETE'];

describeInProcess('every route', () => {
  let world: World;
  let routes: Route[];
  let owner: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    world = await World.open();
    routes = routesOf(world.inside.app);
    owner = await register(world);
    zone = await createZone(owner);
  });
  afterAll(() => world.close());

  const call = (client: Client, { method, path }: Route) => {
    const real = path.replace(':id', String(zone.id)).replace(/:\w+/g, 'x');
    return client[method.toLowerCase() as 'get'](real);
  };

  it('declares its access', () => {
    expect(routes.length).toBeGreaterThan(20);
    expect(routes.filter(({ access }) => access === undefined).map(({ name }) => name)).toEqual([]);
  });

  it('refuses who is not signed in, unless it is public', async () => {
    for (const route of routes.filter(({ access }) => access !== 'public')) {
      const { status, body } = await call(world.client(), route);
      expect([route.name, status, body.code]).toEqual([route.name, 401, 'NOT_SIGNED_IN']);
    }
  });

  it('refuses a restricted session, unless it says otherwise', async () => {
    const client = await newcomer(world, zone);
    for (const route of routes.filter(({ access, allowRestricted }) => access !== 'public' && !allowRestricted)) {
      const { status, body } = await call(client, route);
      expect([route.name, status, body.code]).toEqual([route.name, 403, 'PROFILE_INCOMPLETE']);
    }
  });

  it('that only reads or finishes a profile answers in a restricted session, and no other does', () => {
    const open = routes.filter(({ allowRestricted }) => allowRestricted).map(({ method, path }) => `${method} ${path}`);
    expect(open.sort()).toEqual(['GET /api/user', 'POST /api/change-password', 'POST /api/complete-profile']);
  });

  it('hides a zone and what is in it from strangers as if they were not there', async () => {
    const stranger = await register(world);
    for (const route of routes.filter(({ path }) => path.startsWith('/api/zones/:id'))) {
      const { status } = await call(stranger.client, route);
      expect([route.name, status]).toEqual([route.name, 404]);
    }
  });

  it('of an admin refuses an ordinary person', async () => {
    const person = await register(world);
    for (const route of routes.filter(({ access }) => access === 'admin' || access === 'super-admin')) {
      const { status } = await call(person.client, route);
      expect([route.name, status]).toEqual([route.name, 403]);
    }
  });

  it('that changes something refuses other sites, with a cookie and without', async () => {
    const member = await register(world);
    await join(zone, member);
    for (const route of routes.filter(({ method, crossSite }) => UNSAFE.includes(method) && !crossSite)) {
      for (const client of [member.client, world.client()]) {
        const { status, body } = await call(client, route).set('Sec-Fetch-Site', 'cross-site');
        expect([route.name, status, body.code]).toEqual([route.name, 403, 'CROSS_SITE']);
      }
    }
  });

  it('that takes requests from other sites checks a signature instead', () => {
    const open = routes.filter(({ crossSite }) => crossSite).map(({ method, path }) => `${method} ${path}`);
    expect(open.sort()).toEqual([
      'POST /api/unsubscribe/:token',
      'POST /api/webhooks/acedumy',
      'POST /api/webhooks/mail-events',
      'POST /api/webhooks/stripe',
      'POST /api/webhooks/stripe-acedumy',
      'POST /api/webhooks/woocommerce',
    ]);
  });

  it('that touches the security of an account refuses API tokens', async () => {
    const bearer = `Bearer ${(await makeToken(owner, 'write')).token}`;
    const guarded = routes.filter(({ sessionOnly }) => sessionOnly).map(({ method, path }) => `${method} ${path}`);
    expect(guarded.sort()).toEqual([
      'DELETE /api/user',
      'DELETE /api/user/sessions',
      'DELETE /api/user/sessions/:id',
      'DELETE /api/user/tokens/:id',
      'GET /api/user/export',
      'GET /api/user/sessions',
      'GET /api/user/tokens',
      'POST /api/change-password',
      'POST /api/complete-profile',
      'POST /api/user/tokens',
    ]);
    for (const route of routes.filter(({ sessionOnly }) => sessionOnly)) {
      const { status, body } = await call(owner.client, route).set('Authorization', bearer);
      expect([route.name, status, body.code]).toEqual([route.name, 403, 'SESSION_REQUIRED']);
    }
  });

  it('that changes something refuses an API token that may only read', async () => {
    const bearer = `Bearer ${(await makeToken(owner, 'read')).token}`;
    for (const route of routes.filter(({ access, method }) => access !== 'public' && UNSAFE.includes(method))) {
      const { status, body } = await call(owner.client, route).set('Authorization', bearer);
      const code = route.sessionOnly ? 'SESSION_REQUIRED' : 'FORBIDDEN';
      expect([route.name, status, body.code]).toEqual([route.name, 403, code]);
    }
  });

  it('of an admin refuses an admin’s API token without that scope', async () => {
    const admin = await register(world);
    await world.inside.em().execute('update users set is_super_admin = true where id = ?', [admin.id]);
    const bearer = `Bearer ${(await makeToken(admin, 'write')).token}`;
    for (const route of routes.filter(({ access }) => access === 'admin' || access === 'super-admin')) {
      const { status } = await call(admin.client, route).set('Authorization', bearer);
      expect([route.name, status]).toEqual([route.name, 403]);
    }
  });

  it('takes the Origin header for old browsers: ours passes, others and none do not', async () => {
    const login = (headers: Record<string, string>) =>
      supertest(world.url).post('/api/login').set(headers).send({ email: 'a@b.co', password: 'not the one' });
    await login({ Origin: world.url }).expect(401);
    await login({ Origin: 'https://evil.example' }).expect(403);
    await login({ Origin: 'null' }).expect(403);
    await login({}).expect(403);
  });
});

describeInProcess('a route that declares nothing', () => {
  it('answers 403, to a super admin too', async () => {
    const { createTestApp } = await import('../support/test-app.js');
    const inside = await createTestApp({}, [ForgottenModule]);
    try {
      await supertest(inside.url).get('/api/forgotten').expect(403);
      expect(routesOf(inside.app).find(({ path }) => path === '/api/forgotten')?.access).toBeUndefined();
    } finally {
      await inside.close();
    }
  });
});
