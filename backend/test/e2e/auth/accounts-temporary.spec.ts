import { reauthenticateByEmail, PASSWORD, registerUser, uniqueName } from '../../support/people/actors.js';
import {
  TemporaryPasswordPort,
  type TemporaryPassword,
  type TemporaryPasswordSource,
} from '../../../src/modules/auth/passwords/temporary-password.port.js';
import { digestOf, newToken } from '../../../src/platform/security/secrets.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { requestPasswordReset, OTHER_PASSWORD } from './account-helpers.js';

/** A module that emails temporary passwords, as invitations and purchases do. */
class Mailed implements TemporaryPasswordSource {
  readonly provesUnusedAccounts = false;
  private readonly given = new Map<string, TemporaryPassword[]>();

  constructor(private readonly now: () => Date) {}

  give(email: string, days = 7): string {
    const password = newToken();
    const expiresAt = new Date(this.now().getTime() + days * 86_400_000);
    this.given.set(email, [...(this.given.get(email) ?? []), { digest: digestOf(password), expiresAt }]);
    return password;
  }

  async listByEmail(email: string): Promise<TemporaryPassword[]> {
    return this.given.get(email) ?? [];
  }

  async revokeAll(_em: unknown, email: string): Promise<void> {
    this.given.delete(email);
  }
}

describeInProcess('Temporary passwords', () => {
  let world: World;
  let emailed: Mailed;
  let email: string;
  beforeAll(async () => {
    world = await World.open();
    emailed = new Mailed(() => world.testApp.clock.now());
    world.testApp.app.get(TemporaryPasswordPort).registerSource(emailed);
  });
  beforeEach(() => {
    email = `${uniqueName('invited')}@example.com`;
  });
  afterAll(() => world.close());

  const login = (password: string, client = world.createClient()) =>
    client.post('/api/login').send({ email: email.toUpperCase(), password });
  const completeProfile = (client: Client) =>
    client.post('/api/complete-profile').send({
      email,
      firstName: 'New',
      lastName: 'Person',
      username: uniqueName('new'),
      newPassword: PASSWORD,
    });

  it('open a restricted session, even before an account exists, and verify the address', async () => {
    const client = world.createClient();
    const { body } = await login(emailed.give(email), client).expect(200);
    expect(body).toMatchObject({
      email,
      emailVerified: true,
      needsProfileCompletion: true,
      requiresProfileCompletion: true,
      requiresPasswordChange: false,
      isReader: false,
    });
    const rejected = await client.get('/api/zones').expect(403);
    expect(rejected.body.code).toBe('PROFILE_INCOMPLETE');
    await completeProfile(client).expect(200);
    await client.get('/api/zones').expect(200);
  });

  it('let a user without a profile sign in for 7 days', async () => {
    const password = emailed.give(email);
    await login(password).expect(200);
    world.testApp.clock.advance(7 * 86_400_000 - 60_000);
    await login(password).expect(200);
    world.testApp.clock.advance(60_000);
    await login(password).expect(401);
  });

  it('require only a new password when the names are known, which opens a full session', async () => {
    const person = await registerUser(world);
    email = person.email;
    await world.testApp.em().execute('update users set password = null where id = ?', [person.id]);
    const client = world.createClient();
    const { body } = await login(emailed.give(email), client).expect(200);
    expect(body).toMatchObject({
      id: person.id,
      needsProfileCompletion: true,
      requiresPasswordChange: true,
      requiresProfileCompletion: false,
    });
    const set = () => client.post('/api/change-password').send({ email, newPassword: OTHER_PASSWORD });
    expect((await set().expect(403)).body.code).toBe('CONFIRMATION_REQUIRED');
    await reauthenticateByEmail(world, client, email);
    const changed = await set().expect(200);
    expect(changed.body).toMatchObject({ needsProfileCompletion: false, requiresPasswordChange: false });
    await client.get('/api/zones').expect(200);
  });

  it.each([
    ['in the profile', async (client: Client) => void (await completeProfile(client).expect(200))],
    [
      'by changing it',
      async (client: Client) =>
        void (await client.post('/api/change-password').send({ email, newPassword: OTHER_PASSWORD }).expect(200)),
    ],
    [
      'by a reset link',
      async () => {
        const token = await requestPasswordReset(world, email);
        await world.createClient().post('/api/reset-password').send({ token, password: OTHER_PASSWORD }).expect(200);
      },
    ],
  ])('end with their sessions when the user sets a password %s', async (_way, setOwn) => {
    const password = emailed.give(email);
    const [client, elsewhere] = [world.createClient(), world.createClient()];
    await login(password, client).expect(200);
    await login(password, elsewhere).expect(200);
    await setOwn(client);
    await login(password).expect(401);
    await elsewhere.get('/api/user').expect(401);
    expect(await emailed.listByEmail(email)).toEqual([]);
  });

  it('are rejected for a user with a password', async () => {
    const person = await registerUser(world);
    email = person.email;
    await login(emailed.give(email)).expect(401);
    await login(PASSWORD).expect(200);
  });

  it('are rejected for another address', async () => {
    const password = emailed.give(email);
    email = `${uniqueName('other')}@example.com`;
    await login(password).expect(401);
    emailed.give(email);
    await login(password).expect(401);
  });

  it('are rejected with the reason for a deactivated user', async () => {
    const password = emailed.give(email);
    await login(password).expect(200);
    await world.testApp.em().execute('update users set deactivated_at = now() where email = ?', [email]);
    const response = await login(password).expect(403);
    expect(response.body.code).toBe('ACCOUNT_DEACTIVATED');
  });
});
