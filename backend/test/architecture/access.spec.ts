import { Controller, Get, Module } from '@nestjs/common';
import supertest from 'supertest';
import { createZone, joinPublicZone, registerUser, type Actor, type TestZone } from '../support/people/actors.js';
import { createApiToken } from '../e2e/auth/account-helpers.js';
import { allowUnlimitedZones } from '../e2e/mirrors/mirror-helpers.js';
import { inviteNewAddress } from '../support/people/invitations.js';
import { joinAsRestrictedUser } from '../support/people/restricted-user.js';
import { describeInProcess, World, type Client } from '../support/world.js';
import { INCOMPLETE_PROFILE_WRITE_ROUTES, REAUTHENTICATED_ROUTES, PUBLIC_ROUTES } from './route-lists.js';
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

/** Routes that return the user's own data and take no id of another user; suggestions are open to everyone. */
const OWN =
  /^\/api\/(user|home|zones|members|shared-zones|campaigns|search|search\/texts|email-quota|subscription-status|subscription-status\/refresh|create-subscription|manage-subscription|checkout-session\/:sessionId|dashboard\/\w+|analytics\/\w+(\.csv)?|complete-profile|change-password|email-templates|uploads|feature-suggestions|feature-suggestions\/similar|feature-suggestions\/:id\/(vote|words|withdraw)|user\/[\w-]+|user\/(confirm\/[\w-]+|factors\/[\w-]+|passkeys\/options))$/;

/** Resources with an owner, by their path segment. Uploads have their own suite, which speaks tus. */
const OWNED_RESOURCES = [
  'files',
  'folders',
  'folder-mirrors',
  'temporary-links',
  'item-links',
  'campaigns',
  'email-templates',
] as const;
type Thing = (typeof OWNED_RESOURCES)[number];

/** Routes that accept only a form, by controller and method. */
const FORM_ROUTES = ['VersionsController.replace'];

const UNSAFE = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** The media type of every error, whatever the route returns otherwise. */
const JSON_TYPE = 'application/json';

describeInProcess('Access rules of routes', () => {
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
  async function createOneOfEach(): Promise<Record<Thing, number>> {
    await allowUnlimitedZones(world, owner);
    const createResource = async (path: string, body: object) =>
      (await owner.client.post(path).send(body).expect(201)).body.id;
    const { id: target } = await createZone(owner, { type: 'private' });
    const mail = { name: 'News', subject: 'News', htmlContent: '<p>News</p>' };
    const folder = await createResource(`/api/zones/${zone.id}/folders`, { name: 'Folder' });
    const uploaded = await owner.client
      .post(`/api/zones/${zone.id}/files`)
      .attach('files', Buffer.from('text'), 'a.txt')
      .expect(201);
    const mirror = { sourceFolderId: folder, targetZoneId: target, targetFolderName: 'Mirror' };
    return {
      files: [uploaded.body].flat()[0].id,
      folders: folder,
      'folder-mirrors': await createResource(`/api/zones/${zone.id}/folder-mirrors`, mirror),
      'temporary-links': await createResource(`/api/zones/${target}/temporary-links`, {
        name: 'Link',
        expiresInHours: 1,
      }),
      'item-links': await createResource(`/api/folders/${folder}/links`, { name: 'Link' }),
      campaigns: await createResource('/api/campaigns', { ...mail, zoneId: zone.id }),
      'email-templates': await createResource('/api/email-templates', mail),
    };
  }

  it('are declared by every route', () => {
    expect(routes.length).toBeGreaterThan(20);
    expect(routes.filter(({ access }) => access === undefined).map(({ name }) => name)).toEqual([]);
  });

  it('reject signed-out users unless the route is public', async () => {
    for (const route of routes.filter(({ access }) => access !== 'public')) {
      const { status, body, type } = await call(world.createClient(), route);
      expect([route.name, status, body.code, type]).toEqual([route.name, 401, 'NOT_SIGNED_IN', JSON_TYPE]);
    }
  });

  it('return every error of a public route as JSON that is not cached', async () => {
    const client = world.createClient();
    for (const route of routes.filter(({ access }) => access === 'public')) {
      const { status, type, headers } = await call(client, route).redirects(0);
      if (status < 400) continue;
      expect([route.name, type, headers['cache-control']]).toEqual([route.name, JSON_TYPE, 'no-store']);
    }
  });

  it('return errors of routes with other content types as JSON', async () => {
    for (const path of ['/api/analytics/series.csv?range=x', '/api/analytics/zones.csv?range=x']) {
      const { status, type, headers } = await owner.client.get(path);
      expect([path, status, type, headers['cache-control']]).toEqual([path, 400, JSON_TYPE, 'no-store']);
    }
  });

  it('reject a restricted session unless the route allows it', async () => {
    const { email, password } = await inviteNewAddress(world, zone, owner);
    const client = world.createClient();
    await client.post('/api/login').send({ email, password }).expect(200);
    for (const route of routes.filter(({ access, allowsRestricted }) => access !== 'public' && !allowsRestricted)) {
      const { status, body } = await call(client, route);
      expect([route.name, status, body.code]).toEqual([route.name, 403, 'PROFILE_INCOMPLETE']);
    }
  });

  it('reject users with an incomplete profile on routes that write for others and in the administration', async () => {
    const client = await joinAsRestrictedUser(world, zone);
    const isAllowed = ({ access, method, allowsIncompleteProfile, allowsRestricted }: Route) =>
      allowsRestricted || (access === 'signed-in' && (allowsIncompleteProfile || method === 'GET'));
    for (const route of routes.filter((route) => route.access !== 'public' && !isAllowed(route))) {
      const { status, body } = await call(client, route);
      expect([route.name, status, body.code]).toEqual([route.name, 403, 'PROFILE_INCOMPLETE']);
    }
  });

  it('allow users with an incomplete profile to change only their own data', () => {
    const open = routes.filter(
      ({ allowsIncompleteProfile, method }) => allowsIncompleteProfile && UNSAFE.includes(method),
    );
    expect(open.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      [...INCOMPLETE_PROFILE_WRITE_ROUTES].sort(),
    );
  });

  it('allow restricted sessions only to read and complete the profile', () => {
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

  it('return 404 to non-members for a zone and its contents', async () => {
    const outsider = await registerUser(world);
    for (const route of routes.filter(({ path }) => path.startsWith('/api/zones/:id'))) {
      const { status, type } = await call(outsider.client, route);
      expect([route.name, status, type]).toEqual([route.name, 404, JSON_TYPE]);
    }
  });

  it('list every public route', () => {
    const open = routes.filter(({ access }) => access === 'public').map(({ method, path }) => `${method} ${path}`);
    expect(open.sort()).toEqual([...PUBLIC_ROUTES].sort());
  });

  it("return 404 to other users for a user's own resources", async () => {
    const ids = await createOneOfEach();
    const outsider = await registerUser(world);
    const mail = { name: 'Other', subject: 'Other', htmlContent: '<p>Other</p>', isActive: true };
    const bodies: Partial<Record<Thing, object>> = {
      'email-templates': { ...mail, isActive: undefined },
      'folder-mirrors': { isActive: false },
    };
    const sendBody = (request: ReturnType<Client['post']>, route: string, body: object = {}) =>
      FORM_ROUTES.includes(route) ? request.attach('file', Buffer.from('text'), 'a.txt') : request.send(body);
    for (const resource of OWNED_RESOURCES) {
      const ownedRoutes = routes.filter(
        ({ path, access }) => access !== 'public' && path.startsWith(`/api/${resource}/:id`),
      );
      expect(ownedRoutes.length).toBeGreaterThan(1);
      for (const { name, method, path } of ownedRoutes) {
        const response = outsider.client[method.toLowerCase() as 'put'](path.replace(':id', String(ids[resource])));
        const { status, type } = await (method === 'GET' ? response : sendBody(response, name, bodies[resource]));
        expect([name, status, type]).toEqual([name, 404, JSON_TYPE]);
      }
    }
  });

  it('tie every signed-in route to a zone, a resource or the user', () => {
    const covered = ({ path }: Route) =>
      path.startsWith('/api/zones/:id') ||
      [
        'shared-zones',
        'transfers',
        'uploads',
        'user/identities',
        'user/invitations',
        'user/passkeys',
        'user/sessions',
        'user/tokens',
        ...OWNED_RESOURCES,
      ].some((resource) => path.startsWith(`/api/${resource}/:id`)) ||
      OWN.test(path);
    const signedIn = routes.filter(({ access }) => access === 'signed-in');
    expect(signedIn.filter((route) => !covered(route)).map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('reject ordinary users on admin routes', async () => {
    const person = await registerUser(world);
    for (const route of routes.filter(({ access }) => access === 'admin' || access === 'super-admin')) {
      const { status, type } = await call(person.client, route);
      expect([route.name, status, type]).toEqual([route.name, 403, JSON_TYPE]);
    }
  });

  it('reject cross-site requests on routes that change data', async () => {
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    for (const route of routes.filter(({ method, allowsCrossSite }) => UNSAFE.includes(method) && !allowsCrossSite)) {
      for (const client of [member.client, world.createClient()]) {
        const { status, body } = await call(client, route).set('Sec-Fetch-Site', 'cross-site');
        expect([route.name, status, body.code]).toEqual([route.name, 403, 'CROSS_SITE']);
      }
    }
  });

  it('require a signature on routes that accept cross-site requests', () => {
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

  it('reject API tokens on routes for account security or session-long streams', async () => {
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
        'POST /api/files/:id/pages/reading',
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

  it('require reauthentication on dangerous routes only, even for super admins', async () => {
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

  it('reject read-only API tokens on routes that change data', async () => {
    const bearer = `Bearer ${(await createApiToken(owner, 'read')).token}`;
    for (const route of routes.filter(({ method }) => UNSAFE.includes(method))) {
      const { status, body } = await call(owner.client, route).set('Authorization', bearer);
      expect([route.name, status, body.code]).toEqual([route.name, 403, 'TOKEN_READ_ONLY']);
    }
  });

  it("reject an admin's API token without the admin scope on admin routes", async () => {
    const admin = await registerUser(world);
    await world.testApp.em().execute('update users set is_super_admin = true where id = ?', [admin.id]);
    const bearer = `Bearer ${(await createApiToken(admin, 'write')).token}`;
    for (const route of routes.filter(({ access }) => access === 'admin' || access === 'super-admin')) {
      const { status } = await call(admin.client, route).set('Authorization', bearer);
      expect([route.name, status]).toEqual([route.name, 403]);
    }
  });

  it('check the Origin header of old browsers and reject foreign or missing origins', async () => {
    const login = (headers: Record<string, string>) =>
      supertest(world.url).post('/api/login').set(headers).send({ email: 'a@b.co', password: 'not the one' });
    await login({ Origin: world.url }).expect(401);
    await login({ Origin: 'https://evil.example' }).expect(403);
    await login({ Origin: 'null' }).expect(403);
    await login({}).expect(403);
  });
});

describeInProcess('Route without an access declaration', () => {
  it('returns 403, even to a super admin', async () => {
    const { createTestApp } = await import('../support/test-app.js');
    const testApp = await createTestApp({}, [ForgottenModule]);
    try {
      await supertest(testApp.url).get('/api/forgotten').expect(403);
      expect(listRoutes(testApp.app).find(({ path }) => path === '/api/forgotten')?.access).toBeUndefined();
    } finally {
      await testApp.close();
    }
  });
});
