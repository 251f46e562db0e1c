import { RateLimitService } from '../../src/platform/http/limits/rate-limit.service.js';
import { registerUser } from '../support/people/actors.js';
import { describeInProcess, World } from '../support/world.js';
import { listRoutes, type Route } from './routes.js';

const SAFE = ['GET', 'HEAD', 'OPTIONS'];

/** POST routes for signed-out and restricted sessions that have no rate limit per network, and why. */
const EXEMPT_ROUTES: Record<string, string> = {
  'POST /api/login': 'attempts are limited per network too and recorded as security events: accounts-lockout.spec.ts',
  'POST /api/logout': 'ends only the session that sends it',
  'POST /api/unsubscribe/:token': 'signed; mail providers call it for thousands of people from one network',
  'POST /api/unsubscribe/:token/undo': 'signed, and can be done once',
  'POST /api/unsubscribe/:token/consent': 'signed, for one person and one zone',
  'DELETE /api/unsubscribe/:token/consent': 'signed, for one person and one zone',
  'POST /api/webhooks/acedumy': 'signed; all requests of a sender come from one network',
  'POST /api/webhooks/mail-events': 'signed; all requests of a sender come from one network',
  'POST /api/webhooks/stripe': 'signed; all requests of a sender come from one network',
  'POST /api/webhooks/stripe-acedumy': 'signed; all requests of a sender come from one network',
  'POST /api/webhooks/woocommerce': 'signed; all requests of a sender come from one network',
};

/** Routes that accept only a form; they are called without a body. */
const FORM_ROUTES = ['POST /api/shared/:token/files'];

const nameOf = ({ method, path }: Route) => `${method} ${path}`;

describeInProcess('Network limits of public POST routes', () => {
  let world: World;
  let open: Route[];
  beforeAll(async () => {
    world = await World.open({ RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' });
    const routes = listRoutes(world.testApp.app).filter(({ method }) => !SAFE.includes(method));
    open = routes.filter(({ access, networkLimit }) => access === 'public' || networkLimit);
  });
  afterAll(() => world.close());

  it('are declared, or the exception is listed with its reason', () => {
    const without = open.filter(({ networkLimit }) => !networkLimit).map(nameOf);
    expect(without.sort()).toEqual(Object.keys(EXEMPT_ROUTES).sort());
  });

  it('block one network and no other, before the request is examined', async () => {
    const limits = world.testApp.app.get(RateLimitService);
    const person = await registerUser(world);
    let last = 0;
    for (const route of open.filter(({ networkLimit }) => networkLimit)) {
      const from = `198.51.100.${(last += 1)}`;
      const call = (network: string) =>
        person.client[route.method.toLowerCase() as 'post'](route.path.replace(/:\w+/g, 'x'))
          .set('X-Forwarded-For', network)
          .send(FORM_ROUTES.includes(nameOf(route)) ? undefined : { nonsense: true });
      await limits.consumeUpTo(route.networkLimit!, from, route.networkLimit!.limit);
      expect([nameOf(route), (await call(from)).status]).toEqual([nameOf(route), 429]);
      const other = await call('198.51.100.200');
      expect([nameOf(route), other.status === 429 || other.status >= 500]).toEqual([nameOf(route), false]);
    }
    expect(last).toBeGreaterThan(15);
  });

  it('allow enough requests for a class or office and prevent guessing', () => {
    for (const { networkLimit } of open) {
      if (!networkLimit) continue;
      const perHour = (networkLimit.limit * 3_600_000) / networkLimit.window;
      expect([networkLimit.name, perHour >= 100 && perHour <= 7200]).toEqual([networkLimit.name, true]);
    }
  });
});
