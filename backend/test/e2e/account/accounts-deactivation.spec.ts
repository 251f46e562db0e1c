import { UserService } from '../../../src/modules/auth/users/user.service.js';
import { EventBus } from '../../../src/platform/events/event-bus.js';
import {
  createZone,
  joinPublicZone,
  PASSWORD,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { waitForVerificationLink } from '../../support/people/restricted-user.js';
import { describeInProcess, World } from '../../support/world.js';
import {
  requestPasswordReset,
  runConcurrently,
  listAuditTypes,
  createApiToken,
  OTHER_PASSWORD,
  signIn,
} from '../auth/account-helpers.js';

describeInProcess('Deactivated account', () => {
  let world: World;
  let users: UserService;
  let owner: Actor;
  let member: Actor;
  let zone: TestZone;
  let emit: jest.SpiedFunction<EventBus['emit']>;
  beforeAll(async () => {
    world = await World.open();
    users = world.testApp.app.get(UserService);
    emit = jest.spyOn(world.testApp.app.get(EventBus), 'emit');
  });
  beforeEach(async () => {
    [owner, member] = [await registerUser(world), await registerUser(world)];
    zone = await createZone(owner);
    await joinPublicZone(zone, member);
    emit.mockClear();
  });
  afterAll(async () => {
    emit.mockRestore();
    await world.close();
  });

  const inContext = async (work: () => Promise<void>) => {
    const { MikroORM, RequestContext } = await import('@mikro-orm/postgresql');
    await RequestContext.create(world.testApp.app.get(MikroORM).em, work);
  };
  const deactivate = (actor: Actor) => inContext(() => users.deactivate(actor.id, null));
  const activate = (actor: Actor) => inContext(() => users.activate(actor.id, null));
  const login = (password = PASSWORD) => world.createClient().post('/api/login').send({ email: owner.email, password });

  it('loses its sessions and tokens, and learns the reason only with the correct password', async () => {
    const otherClient = await signIn(world, owner.email);
    const { token } = await createApiToken(owner);
    await deactivate(owner);
    for (const client of [owner.client, otherClient]) await client.get('/api/user').expect(401);
    await world.createClient().get('/api/user').set('Authorization', `Bearer ${token}`).expect(401);
    expect((await login('not the one').expect(401)).body.code).toBe('INVALID_CREDENTIALS');
    expect((await login().expect(403)).body.code).toBe('ACCOUNT_DEACTIVATED');
    expect(await world.testApp.em().execute('select id from sessions where user_id = ?', [owner.id])).toEqual([]);
  });

  it('has its zones, files and links hidden from others with 404', async () => {
    const upload = owner.client.post(`/api/zones/${zone.id}/files`).attach('files', Buffer.from('hello'), 'hello.txt');
    const [file] = (await upload.expect(201)).body as { id: number }[];
    await member.client.get(`/api/files/${file!.id}/download`).expect(200);
    const email = `${uniqueName('late')}@example.com`;
    const requestJoin = () =>
      world.createClient().post(`/api/public-zones/${zone.publicLink}/join`).send({ email, emailConsent: true });
    await requestJoin().expect(200);
    const link = await waitForVerificationLink(world, email);
    await requestJoin().expect(200);

    await deactivate(owner);
    await member.client.get(`/api/zones/${zone.id}`).expect(404);
    await member.client.get(`/api/zones/${zone.id}/files`).expect(404);
    await member.client.get(`/api/files/${file!.id}/download`).expect(404);
    await member.client.get(`/api/files/${file!.id}/view`).expect(404);
    expect((await member.client.get('/api/shared-zones').expect(200)).body).toEqual([]);
    await world.createClient().get(`/api/public-zones/${zone.publicLink}`).expect(404);
    await requestJoin().expect(404);
    await world.createClient().get('/api/verify-email').query(link).expect(400);
    await world.createClient().post('/api/verify-email').send(link).expect(400);
    const before = (await world.listEmails(email)).length;
    await world.testApp.drain();
    expect(await world.listEmails(email)).toHaveLength(before);
  });

  it('gets no password reset link and cannot use an earlier one', async () => {
    const token = await requestPasswordReset(world, owner.email);
    await deactivate(owner);
    await world.createClient().post('/api/reset-password').send({ token, password: OTHER_PASSWORD }).expect(400);
    const before = (await world.listEmails(owner.email)).length;
    await world.createClient().post('/api/forgot-password').send({ email: owner.email }).expect(200);
    await world.testApp.drain();
    expect(await world.listEmails(owner.email)).toHaveLength(before);
  });

  it('is restored by activation, without its sessions and tokens', async () => {
    const { token } = await createApiToken(owner);
    await deactivate(owner);
    await activate(owner);
    await owner.client.get('/api/user').expect(401);
    await world.createClient().get('/api/user').set('Authorization', `Bearer ${token}`).expect(401);
    await login().expect(200);
    await member.client.get(`/api/zones/${zone.id}`).expect(200);
    await world.createClient().get(`/api/public-zones/${zone.publicLink}`).expect(200);
  });

  it('is announced and audited once, however often it is requested', async () => {
    await Promise.all([1, 2, 3].map(() => deactivate(owner)));
    await Promise.all([1, 2, 3].map(() => activate(owner)));
    expect(emit.mock.calls.map(([, name, event]) => [name, event])).toEqual([
      ['user.deactivated', { user: expect.objectContaining({ id: owner.id }) }],
      ['user.activated', { user: expect.objectContaining({ id: owner.id }) }],
    ]);
    const types = (await listAuditTypes(world, owner.id)).filter((type) => /activated$/.test(type));
    expect(types).toEqual(['user.deactivated', 'user.activated']);
  });

  it('does not become verified by activation', async () => {
    await world.testApp.em().execute('update users set email_verified = false where id = ?', [owner.id]);
    await deactivate(owner);
    await activate(owner);
    const [row] = await world.testApp.em().execute('select email_verified from users where id = ?', [owner.id]);
    expect(row).toEqual({ email_verified: false });
  });

  it('keeps no session of a sign-in in progress', async () => {
    const logins = runConcurrently(10, () => login());
    await deactivate(owner);
    await logins;
    expect(await world.testApp.em().execute('select id from sessions where user_id = ?', [owner.id])).toEqual([]);
  });
});
