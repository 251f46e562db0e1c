import {
  reauthenticateByEmail,
  createZone,
  PASSWORD,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../support/people/actors.js';
import { enrolAuthenticator } from '../support/people/authenticator.js';
import { waitForInvitation, invite, inviteNewAddress, uniqueEmail } from '../support/people/invitations.js';
import { joinAsRestrictedUser } from '../support/people/restricted-user.js';
import { describeInProcess, World, type Client } from '../support/world.js';
import { createApiToken } from '../e2e/auth/account-helpers.js';
import { listRoutes, type Route } from './routes.js';

/** Error codes about the kind of session; other errors depend on the request. */
const REJECTION_CODES = ['NOT_SIGNED_IN', 'PROFILE_INCOMPLETE', 'SESSION_REQUIRED', 'CONFIRMATION_REQUIRED'] as const;
type Rejection = (typeof REJECTION_CODES)[number] | null;

const isMutating = ({ method }: Route) => !['GET', 'HEAD', 'OPTIONS'].includes(method);
const isOfAdmins = ({ access }: Route) => access === 'admin' || access === 'super-admin';
const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method} ${path}`;

/**
 * Routes that can change who owns the account. They check the session themselves, because they also accept a password.
 * Each is called with a body that would succeed.
 */
const OWNERSHIP: Record<string, (email: string) => object> = {
  'POST /api/change-password': (email) => ({ email, newPassword: 'violet harbour 71' }),
  'POST /api/complete-profile': (email) => ({
    email,
    firstName: 'Eve',
    lastName: 'Taker',
    username: uniqueName('eve'),
    newPassword: 'violet harbour 71',
  }),
  'POST /api/user/email': () => ({ email: uniqueEmail() }),
  'DELETE /api/user': () => ({}),
};

/** Routes that end the calling session, so each call needs a session of its own. */
const ENDS_SESSION = [...Object.keys(OWNERSHIP), 'DELETE /api/user/sessions'];

const unlessPublic = (route: Route, rejection: Rejection): Rejection => (route.access === 'public' ? null : rejection);

/** Rejects routes that need reauthentication. Users with a password are asked for it instead. */
const unconfirmed =
  (hasPassword: boolean) =>
  (route: Route): Rejection => {
    if (route.requiresReauthentication && !isOfAdmins(route)) return 'CONFIRMATION_REQUIRED';
    if (!(nameOf(route) in OWNERSHIP)) return null;
    return hasPassword && /change-password|complete-profile/.test(route.path) ? null : 'CONFIRMATION_REQUIRED';
  };

/** What a user with an incomplete profile may do: read, and change their own data. */
const incompleteProfile =
  (more: (route: Route) => Rejection) =>
  (route: Route): Rejection => {
    const isOpen =
      route.allowsRestricted || (!isOfAdmins(route) && (route.allowsIncompleteProfile || !isMutating(route)));
    return unlessPublic(route, isOpen ? more(route) : 'PROFILE_INCOMPLETE');
  };

interface Caller {
  readonly client: Client;
  readonly email: string;
}

/** A kind of session: how to open it, and the expected rejection of each route. */
interface Kind {
  readonly open: () => Promise<Caller>;
  readonly rejectionOf: (route: Route) => Rejection;
}

describeInProcess('Access of every route by session type', () => {
  let world: World;
  let routes: Route[];
  let owner: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    world = await World.open();
    // It ends the caller's session, as intended.
    routes = listRoutes(world.testApp.app).filter(({ path }) => path !== '/api/logout');
    owner = await registerUser(world);
    zone = await createZone(owner);
  });
  afterAll(() => world.close());

  /** A user who joined a zone by its public link and has no password. */
  const joinByPublicLink = async (): Promise<Caller> => {
    const email = uniqueEmail();
    return { client: await joinAsRestrictedUser(world, zone, email), email };
  };

  /** A browser in which an emailed sign-in link was opened. */
  const signInByEmailedLink = async (email: string): Promise<Caller> => {
    const client = world.createClient();
    await client.post('/api/sign-in-mails').send({ email }).expect(200);
    const { text } = await world.waitForEmail(email, (mail) => mail.text.includes('/sign-in?'));
    const token = /\/sign-in\?token=([\w-]+)/.exec(text)![1];
    await client.post('/api/sign-in-links').send({ token }).expect(200);
    return { client, email };
  };

  /** A browser in which an invitation link was opened by the recipient. */
  const acceptInvitation = async (email: string): Promise<Caller> => {
    const host = await registerUser(world);
    const target = await createZone(host, { type: 'private' });
    await invite(target, host, email);
    const { token } = await waitForInvitation(world, email);
    const client = world.createClient();
    await client.post('/api/accept-invite').send({ token, email, emailConsent: true }).expect(200);
    return { client, email };
  };

  const signInByTemporaryPassword = async (email: string): Promise<Caller> => {
    const host = await registerUser(world);
    await invite(await createZone(host, { type: 'private' }), host, email);
    const { password } = await waitForInvitation(world, email);
    const client = world.createClient();
    await client.post('/api/login').send({ email, password }).expect(200);
    return { client, email };
  };

  const signInByPassword = async (): Promise<Caller> => {
    const { email } = await registerUser(world);
    const client = world.createClient();
    await client.post('/api/login').send({ email, password: PASSWORD }).expect(200);
    return { client, email };
  };

  const restricted = (more: (route: Route) => Rejection) => (route: Route) =>
    unlessPublic(route, route.allowsRestricted ? more(route) : 'PROFILE_INCOMPLETE');

  /** Kinds that also call every read-only route; the other kinds would show nothing new. */
  const READING = [
    'somebody signed out',
    'a temporary password that creates the account',
    'the link of a join',
    'a password',
  ];

  const kinds: Record<string, Kind> = {
    'somebody signed out': {
      open: () => Promise.resolve({ client: world.createClient(), email: uniqueEmail() }),
      rejectionOf: (route) => unlessPublic(route, 'NOT_SIGNED_IN'),
    },
    'a temporary password that creates the account': {
      open: async () => {
        const { email, password } = await inviteNewAddress(world, zone, owner);
        const client = world.createClient();
        await client.post('/api/login').send({ email, password }).expect(200);
        return { client, email };
      },
      rejectionOf: restricted(() => null),
    },
    'a temporary password of an account in use': {
      open: async () => signInByTemporaryPassword((await joinByPublicLink()).email),
      rejectionOf: restricted(unconfirmed(false)),
    },
    'an invitation that creates the account': {
      open: () => acceptInvitation(uniqueEmail()),
      rejectionOf: incompleteProfile(unconfirmed(false)),
    },
    'an invitation of an account in use': {
      open: async () => acceptInvitation((await joinByPublicLink()).email),
      rejectionOf: incompleteProfile(unconfirmed(false)),
    },
    'the link of a join': { open: joinByPublicLink, rejectionOf: incompleteProfile(unconfirmed(false)) },
    'an emailed link of a user with an incomplete profile': {
      open: async () => signInByEmailedLink((await joinByPublicLink()).email),
      rejectionOf: incompleteProfile(unconfirmed(false)),
    },
    'a user with an incomplete profile who has confirmed': {
      open: async () => {
        const caller = await joinByPublicLink();
        await reauthenticateByEmail(world, caller.client, caller.email);
        return caller;
      },
      rejectionOf: incompleteProfile(() => null),
    },
    'a mailed link of somebody with a password': {
      open: async () => signInByEmailedLink((await registerUser(world)).email),
      rejectionOf: unconfirmed(true),
    },
    'a password': { open: signInByPassword, rejectionOf: () => null },
    'a password and a second factor': {
      open: async () => {
        const { email, client } = await signInByPassword();
        const { app } = await enrolAuthenticator(world, client);
        const fresh = world.createClient();
        await fresh.post('/api/login').send({ email, password: PASSWORD }).expect(200);
        await fresh.post('/api/login/factor').send({ code: app.nextCode() }).expect(200);
        return { client: fresh, email };
      },
      rejectionOf: () => null,
    },
    'an API token': {
      open: async () => {
        const actor = await registerUser(world);
        const client = world.createClient();
        client.set('Authorization', `Bearer ${(await createApiToken(actor, 'write')).token}`);
        return { client, email: actor.email };
      },
      rejectionOf: (route) => (route.isSessionOnly ? 'SESSION_REQUIRED' : null),
    },
  };

  const call = ({ client, email }: Caller, route: Route) => {
    const path = route.path.replace(':id', String(zone.id)).replace(/:\w+/g, 'x');
    const request = client[route.method.toLowerCase() as 'post'](path).redirects(0);
    const body = OWNERSHIP[nameOf(route)];
    return body ? request.send(body(email)) : request;
  };

  it.each(Object.keys(kinds))('%s is rejected only where more is required', async (name) => {
    const { open, rejectionOf } = kinds[name]!;
    const called = READING.includes(name)
      ? routes
      : routes.filter((route) => isMutating(route) || route.requiresReauthentication);
    const shared = await open();
    const found: [string, Rejection][] = [];
    for (const route of called) {
      const caller = ENDS_SESSION.includes(nameOf(route)) ? await open() : shared;
      const { code } = (await call(caller, route)).body as { code?: string };
      found.push([nameOf(route), REJECTION_CODES.find((rejection) => rejection === code) ?? null]);
    }
    expect(found).toEqual(called.map((route) => [nameOf(route), rejectionOf(route)]));
  });
});
