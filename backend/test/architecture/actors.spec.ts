import { createZone, register, type TestZone } from '../support/people/actors.js';
import { invited } from '../support/people/invited.js';
import { newcomer } from '../support/people/newcomer.js';
import { describeInProcess, World, type Client } from '../support/world.js';
import { routesOf, type Route } from './routes.js';

/** What a session is refused for as such; what else is said of a call depends on what it is about. */
const REFUSALS = ['NOT_SIGNED_IN', 'PROFILE_INCOMPLETE'];

type Refusal = 'NOT_SIGNED_IN' | 'PROFILE_INCOMPLETE' | null;

const ofAdmins = ({ access }: Route) => access === 'admin' || access === 'super-admin';

/** Who calls, and for what each route refuses them. */
const actors: Record<string, (route: Route) => Refusal> = {
  'somebody signed out': ({ access }) => (access === 'public' ? null : 'NOT_SIGNED_IN'),
  'a session of a temporary password': ({ access, allowRestricted }) =>
    access === 'public' || allowRestricted ? null : 'PROFILE_INCOMPLETE',
  'a reader without a profile': (route) => {
    if (route.access === 'public' || route.allowRestricted) return null;
    if (ofAdmins(route)) return 'PROFILE_INCOMPLETE';
    return route.allowReader || route.method === 'GET' ? null : 'PROFILE_INCOMPLETE';
  },
  'somebody with a profile': () => null,
};

describeInProcess('every route, called by', () => {
  let world: World;
  let routes: Route[];
  let zone: TestZone;
  let clients: Record<keyof typeof actors, () => Promise<Client>>;

  beforeAll(async () => {
    world = await World.open();
    // It ends the session of the caller, as it should.
    routes = routesOf(world.inside.app).filter(({ path }) => path !== '/api/logout');
    const owner = await register(world);
    zone = await createZone(owner);
    clients = {
      'somebody signed out': () => Promise.resolve(world.client()),
      'a session of a temporary password': async () => {
        const { email, password } = await invited(world, zone, owner);
        const client = world.client();
        await client.post('/api/login').send({ email, password }).expect(200);
        return client;
      },
      'a reader without a profile': () => newcomer(world, zone),
      'somebody with a profile': async () => (await register(world)).client,
    };
  });
  afterAll(() => world.close());

  const call = (client: Client, { method, path }: Route) => {
    const real = path.replace(':id', String(zone.id)).replace(/:\w+/g, 'x');
    return client[method.toLowerCase() as 'get'](real).redirects(0);
  };

  it.each(Object.entries(actors))('%s is refused by those that are not for them, and by no other', async (name, of) => {
    const client = await clients[name]!();
    // Nothing dangerous may come of a call that is let through.
    await world.inside.em().execute('update sessions set confirmed_at = null where id is not null');
    const found: [string, Refusal][] = [];
    for (const route of routes) {
      const { body } = await call(client, route);
      const code = (body as { code?: string }).code;
      found.push([route.name, REFUSALS.includes(code!) ? (code as Refusal) : null]);
    }
    expect(found).toEqual(routes.map((route) => [route.name, of(route)]));
  });
});
