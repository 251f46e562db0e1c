import { Controller, Get, Module } from '@nestjs/common';
import supertest from 'supertest';
import { createZone, joinPublicZone, registerUser, type Actor, type TestZone } from '../support/people/actors.js';
import { createApiToken } from '../e2e/auth/account-helpers.js';
import { allowUnlimitedZones } from '../e2e/mirrors/mirror-helpers.js';
import { inviteNewAddress } from '../support/people/invitations.js';
import { joinAsRestrictedUser } from '../support/people/restricted-user.js';
import { describeInProcess, World, type Client } from '../support/world.js';
import { READER_WRITE_ROUTES, REAUTHENTICATED_ROUTES, PUBLIC_ROUTES } from './route-lists.js';
import { listRoutes, type Route } from './routes.js';

/** A route without an access decorator. */
@Controller('api/forgotten')
class ForgottenController {
  @Get()
  secret(): string {
    return 'secret';
  }
}

@Module({ controllers: [ForgottenController] })
class ForgottenModule {}

/** Sensitive as well, but these also accept the password instead of a reauthentication. */
const CONFIRMED_OR_PASSWORD = [
  ['delete', '/api/user', {}],
  ['post', '/api/user/email', { email: 'elsewhere@example.com' }],
] as const;

/** Routes that return the user's own data and take no id of anybody else's; suggestions are open to everybody. */
const OWN =
  /^\/api\/(user|home|zones|members|shared-zones|campaigns|search|search\/texts|email-quota|subscription-status|subscription-status\/refresh|create-subscription|manage-subscription|checkout-session\/:sessionId|dashboard\/\w+|analytics\/\w+(\.csv)?|complete-profile|change-password|email-templates|uploads|feature-suggestions|feature-suggestions\/similar|feature-suggestions\/:id\/(vote|words|withdraw)|user\/[\w-]+|user\/(confirm\/[\w-]+|factors\/[\w-]+|passkeys\/options))$/;

/** Resources with an owner, by their path segment. Uploads have their own suite, which speaks tus. */
const THINGS = ['files', 'folders', 'folder-mirrors', 'temporary-links', 'campaigns', 'email-templates'] as const;
type Thing = (typeof THINGS)[number];

const UNSAFE = ['POST', 'PUT', 'PATCH', 'DELETE'];

describeInProcess('every route', () => {
  let world: World;
  let routes: Route[];
  let owner: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    world = await World.open();
    routes = listRoutes(world.testApp.app);
    owner = await registerUser(world);
    zone = await createZone(owner);
  });
  afterAll(() => world.close());

  const call = (client: Client, { method, path }: Route) => {
    const real = path.replace(':id', String(zone.id)).replace(/:\w+/g, 'x');
    return client[method.toLowerCase() as 'get'](real);
  };

  /** Creates one of each resource for the owner, who gets an unlimited number of zones. */
  async function oneOfEach(): Promise<Record<Thing, number>> {
    await allowUnlimitedZones(world, owner);
    const made = async (path: string, body: object) => (await owner.client.post(path).send(body).expect(201)).body.id;
    const { id: target } = await createZone(owner, { type: 'private' });
    const mail = { name: 'News', subject: 'News', htmlContent: '<p>News</p>' };
    const folder = await made(`/api/zones/${zone.id}/folders`, { name: 'Folder' });
    const uploaded = await owner.client
      .post(`/api/zones/${zone.id}/files`)
      .attach('files', Buffer.from('text'), 'a.txt')
      .expect(201);
    const mirror = { sourceFolderId: folder, targetZoneId: target, targetFolderName: 'Mirror' };
    return {
      files: [uploaded.body].flat()[0].id,
      folders: folder,
      'folder-mirrors': await made(`/api/zones/${zone.id}/folder-mirrors`, mirror),
      'temporary-links': await made(`/api/zones/${target}/temporary-links`, { name: 'Link', expiresInHours: 1 }),
      campaigns: await made('/api/campaigns', { ...mail, zoneId: zone.id }),
      'email-templates': await made('/api/email-templates', mail),
    };
  }

  it('declares its access', () => {
    expect(routes.length).toBeGreaterThan(20);
    expect(routes.filter(({ access }) => access === undefined).map(({ name }) => name)).toEqual([]);
  });

  it('refuses who is not signed in, unless it is public', async () => {
    for (const route of routes.filter(({ access }) => access !== 'public')) {
      const { status, body } = await call(world.createClient(), route);
      expect([route.name, status, body.code]).toEqual([route.name, 401, 'NOT_SIGNED_IN']);
    }
  });

  it('refuses a restricted session, unless it says otherwise', async () => {
    const { email, password } = await inviteNewAddress(world, zone, owner);
    const client = world.createClient();
    await client.post('/api/login').send({ email, password }).expect(200);
    for (const route of routes.filter(({ access, allowsRestricted }) => access !== 'public' && !allowsRestricted)) {
      const { status, body } = await call(client, route);
      expect([route.name, status, body.code]).toEqual([route.name, 403, 'PROFILE_INCOMPLETE']);
    }
  });

  it('that writes for others refuses a reader, and every one of the administration does', async () => {
    const client = await joinAsRestrictedUser(world, zone);
    const isForReaders = ({ access, method, allowsReader, allowsRestricted }: Route) =>
      allowsRestricted || (access === 'signed-in' && (allowsReader || method === 'GET'));
    for (const route of routes.filter((one) => one.access !== 'public' && !isForReaders(one))) {
      const { status, body } = await call(client, route);
      expect([route.name, status, body.code]).toEqual([route.name, 403, 'PROFILE_INCOMPLETE']);
    }
  });

  it('by which readers change something is about themselves', () => {
    const open = routes.filter(({ allowsReader, method }) => allowsReader && UNSAFE.includes(method));
    expect(open.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...READER_WRITE_ROUTES].sort());
  });

  it('that only reads or finishes a profile answers in a restricted session, and no other does', () => {
    const open = routes
      .filter(({ allowsRestricted }) => allowsRestricted)
      .map(({ method, path }) => `${method} ${path}`);
    expect(open.sort()).toEqual([
      'GET /api/user',
      'GET /api/user/confirm',
      'POST /api/change-password',
      'POST /api/complete-profile',
      'POST /api/user/confirm',
      'POST /api/user/confirm/mail',
      'POST /api/user/confirm/passkey-options',
    ]);
  });

  it('hides a zone and what is in it from strangers as if they were not there', async () => {
    const stranger = await registerUser(world);
    for (const route of routes.filter(({ path }) => path.startsWith('/api/zones/:id'))) {
      const { status } = await call(stranger.client, route);
      expect([route.name, status]).toEqual([route.name, 404]);
    }
  });

  it('that anybody may call is known to be one', () => {
    const open = routes.filter(({ access }) => access === 'public').map(({ method, path }) => `${method} ${path}`);
    expect(open.sort()).toEqual([...PUBLIC_ROUTES].sort());
  });

  it('of a thing hides it from strangers as if it were not there', async () => {
    const ids = await oneOfEach();
    const stranger = await registerUser(world);
    const mail = { name: 'Other', subject: 'Other', htmlContent: '<p>Other</p>', isActive: true };
    const bodies: Partial<Record<Thing, object>> = {
      'email-templates': { ...mail, isActive: undefined },
      'folder-mirrors': { isActive: false },
    };
    for (const thing of THINGS) {
      const ofThing = routes.filter(({ path, access }) => access !== 'public' && path.startsWith(`/api/${thing}/:id`));
      expect(ofThing.length).toBeGreaterThan(1);
      for (const { name, method, path } of ofThing) {
        const asked = stranger.client[method.toLowerCase() as 'put'](path.replace(':id', String(ids[thing])));
        const { status } = await (method === 'GET' ? asked : asked.send(bodies[thing] ?? {}));
        expect([name, status]).toEqual([name, 404]);
      }
    }
  });

  it('that a signed-in person may call is of a zone, of a thing, or of their own', () => {
    const covered = ({ path }: Route) =>
      path.startsWith('/api/zones/:id') ||
      [
        'shared-zones',
        'uploads',
        'user/identities',
        'user/invitations',
        'user/passkeys',
        'user/sessions',
        'user/tokens',
        ...THINGS,
      ].some((thing) => path.startsWith(`/api/${thing}/:id`)) ||
      OWN.test(path);
    const signedIn = routes.filter(({ access }) => access === 'signed-in');
    expect(signedIn.filter((route) => !covered(route)).map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('of an admin refuses an ordinary person', async () => {
    const person = await registerUser(world);
    for (const route of routes.filter(({ access }) => access === 'admin' || access === 'super-admin')) {
      const { status } = await call(person.client, route);
      expect([route.name, status]).toEqual([route.name, 403]);
    }
  });

  it('that changes something refuses other sites, with a cookie and without', async () => {
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    for (const route of routes.filter(({ method, allowsCrossSite }) => UNSAFE.includes(method) && !allowsCrossSite)) {
      for (const client of [member.client, world.createClient()]) {
        const { status, body } = await call(client, route).set('Sec-Fetch-Site', 'cross-site');
        expect([route.name, status, body.code]).toEqual([route.name, 403, 'CROSS_SITE']);
      }
    }
  });

  it('that takes requests from other sites checks a signature instead', () => {
    const open = routes.filter(({ allowsCrossSite }) => allowsCrossSite).map(({ method, path }) => `${method} ${path}`);
    expect(open.sort()).toEqual([
      'POST /api/unsubscribe/:token',
      'POST /api/webhooks/acedumy',
      'POST /api/webhooks/mail-events',
      'POST /api/webhooks/stripe',
      'POST /api/webhooks/stripe-acedumy',
      'POST /api/webhooks/woocommerce',
    ]);
  });

  it('that touches the security of an account, or lasts as long as a session, refuses API tokens', async () => {
    const bearer = `Bearer ${(await createApiToken(owner, 'write')).token}`;
    const guarded = routes.filter(({ isSessionOnly }) => isSessionOnly).map(({ method, path }) => `${method} ${path}`);
    expect(guarded.sort()).toEqual(
      [
        ...REAUTHENTICATED_ROUTES,
        'DELETE /api/user',
        'DELETE /api/user/sessions',
        'DELETE /api/user/sessions/:id',
        'DELETE /api/user/tokens/:id',
        'GET /api/admin/installation',
        'GET /api/admin/installation/dns',
        'GET /api/files/:id/watch',
        'POST /api/files/:id/pages/unlock',
        'POST /api/admin/installation/test-mail',
        'GET /api/user/confirm',
        'GET /api/user/identities',
        'GET /api/user/factors',
        'GET /api/user/security-activity',
        'GET /api/user/sessions',
        'GET /api/user/tokens',
        'POST /api/change-password',
        'POST /api/complete-profile',
        'POST /api/user/confirm',
        'PATCH /api/user/passkeys/:id',
        'POST /api/user/confirm/mail',
        'POST /api/user/confirm/passkey-options',
        'POST /api/user/email',
      ].sort(),
    );
    for (const route of routes.filter(({ isSessionOnly }) => isSessionOnly)) {
      const { status, body } = await call(owner.client, route).set('Authorization', bearer);
      expect([route.name, status, body.code]).toEqual([route.name, 403, 'SESSION_REQUIRED']);
    }
  });

  it('that is dangerous asks for a confirmation, also of a super admin, and no other does', async () => {
    const admin = await registerUser(world);
    const em = world.testApp.em();
    await em.execute('update users set is_super_admin = true where id = ?', [admin.id]);
    await em.execute('update sessions set confirmed_at = null where user_id = ?', [admin.id]);
    for (const [method, path, body] of CONFIRMED_OR_PASSWORD) {
      const answer = await admin.client[method](path).send(body);
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'CONFIRMATION_REQUIRED']);
    }
    const dangerous = routes.filter(({ requiresReauthentication }) => requiresReauthentication);
    expect(dangerous.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(REAUTHENTICATED_ROUTES);
    for (const route of dangerous) {
      const { status, body } = await call(admin.client, route);
      expect([route.name, status, body.code]).toEqual([route.name, 403, 'CONFIRMATION_REQUIRED']);
    }
  });

  it('that changes something refuses an API token that may only read', async () => {
    const bearer = `Bearer ${(await createApiToken(owner, 'read')).token}`;
    for (const route of routes.filter(({ method }) => UNSAFE.includes(method))) {
      const { status, body } = await call(owner.client, route).set('Authorization', bearer);
      expect([route.name, status, body.code]).toEqual([route.name, 403, 'TOKEN_READ_ONLY']);
    }
  });

  it('of an admin refuses an admin’s API token without that scope', async () => {
    const admin = await registerUser(world);
    await world.testApp.em().execute('update users set is_super_admin = true where id = ?', [admin.id]);
    const bearer = `Bearer ${(await createApiToken(admin, 'write')).token}`;
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
      expect(listRoutes(inside.app).find(({ path }) => path === '/api/forgotten')?.access).toBeUndefined();
    } finally {
      await inside.close();
    }
  });
});
