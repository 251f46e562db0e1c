import { HOUR } from '../../../src/platform/clock/clock.js';
import { SetupService } from '../../../src/modules/admin/users/setup/setup.service.js';
import { registerUser } from '../../support/people/actors.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { makeSuperAdmin } from './staff-helpers.js';

const CLOSED = { status: 404, code: 'SETUP_CLOSED' };

const form = {
  email: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'Sample',
  username: 'ada_sample',
  password: 'a pass phrase of the first one',
};

describeInProcess('Setup of an installation', () => {
  let world: World;
  let client: Client;

  beforeEach(async () => {
    world = await World.open({ RATE_LIMIT: 'on' });
    client = world.createClient();
  });
  afterEach(() => world.close());

  const issue = async (app: TestApp = world.testApp) => (await app.app.get(SetupService).issueKey())!;
  const readSetup = async (key: unknown) => {
    const { status, body } = await client.get('/api/setup').query({ key });
    return { status, code: body.code };
  };
  const send = async (key: string, more: object = {}, by: Client = client) => {
    const { status, body } = await by.post('/api/setup').send({ ...form, ...more, key });
    return { status, code: body.code };
  };
  const superAdmins = () =>
    world.testApp.em().execute<{ email: string }[]>('select email from users where is_super_admin order by id');
  const open = { status: 200, code: undefined };

  it('creates a signed-in super admin with the key and an unverified address', async () => {
    const { body } = await client
      .post('/api/setup')
      .set('Accept-Language', 'tr')
      .send({ ...form, key: await issue() });
    const expected = { email: form.email, username: form.username, isSuperAdmin: true, emailVerified: false };
    expect(body).toMatchObject({ ...expected, language: 'tr', needsProfileCompletion: false });
    await client.get('/api/admin/users').expect(200);
    const facts = await world.testApp
      .em()
      .execute('select type, actor_id, subject_id from audit_log where type <> ? order by id', ['user.signed-in']);
    expect(facts).toEqual([
      { type: 'user.super-admin-set-up', actor_id: body.id, subject_id: body.id },
      { type: 'user.registered', actor_id: body.id, subject_id: body.id },
    ]);
    const otherClient = world.createClient();
    await otherClient.post('/api/login').send({ email: form.email, password: form.password }).expect(200);
  });

  it('does not change anything when a key is checked', async () => {
    const key = await issue();
    const rows = () => world.testApp.em().execute('select used_at, expires_at from single_use_tokens');
    const before = await rows();
    expect([await readSetup(key), await readSetup(key)]).toEqual([open, open]);
    expect(await rows()).toEqual(before);
    expect(await superAdmins()).toEqual([]);
    expect(await send(key)).toMatchObject({ status: 201 });
  });

  it('rejects used, old and wrong keys and existing super admins with the same response', async () => {
    const key = await issue();
    await world.testApp.app.get(SetupService).issueKey();
    expect(await readSetup(key)).toEqual(CLOSED);
    const old = await issue();
    world.testApp.clock.advance(HOUR);
    expect([await readSetup(old), await send(old)]).toEqual([CLOSED, CLOSED]);
    for (const wrong of ['x', '', undefined, ['x', 'y']])
      expect([wrong, await readSetup(wrong)]).toEqual([wrong, CLOSED]);
    const used = await issue();
    const other = await createTestApp({}, [], world.testApp.connection);
    try {
      const unused = await issue(other);
      expect(await send(used)).toMatchObject({ status: 201 });
      expect([await send(used), await readSetup(used)]).toEqual([CLOSED, CLOSED]);
      expect([
        await send(unused, { email: 'eve@example.org', username: 'eve_sample' }),
        await readSetup(unused),
      ]).toEqual([...[CLOSED, CLOSED]]);
      expect(await other.app.get(SetupService).issueKey()).toBeNull();
    } finally {
      await other.close();
    }
    expect(await superAdmins()).toEqual([{ email: form.email }]);
  });

  it('closes permanently when a super admin is created another way', async () => {
    const key = await issue();
    const person = await registerUser(world);
    expect(await readSetup(key)).toEqual(open);
    await makeSuperAdmin(world, person);
    expect([await readSetup(key), await send(key)]).toEqual([CLOSED, CLOSED]);
  });

  it('is not reopened by earlier keys when the super admin is deleted', async () => {
    const other = await createTestApp({}, [], world.testApp.connection);
    try {
      const [used, unused] = [await issue(), await issue(other)];
      expect(await send(used)).toMatchObject({ status: 201 });
      await world.testApp.em().execute('update users set is_super_admin = false');
      expect([await readSetup(used), await readSetup(unused), await send(unused)]).toEqual([CLOSED, CLOSED, CLOSED]);
      expect(await readSetup(await issue())).toEqual(open);
    } finally {
      await other.close();
    }
  });

  it('creates one super admin for two concurrent keys', async () => {
    const other = await createTestApp({}, [], world.testApp.connection);
    try {
      const keys = [await issue(), await issue(other)];
      const responses = await Promise.all(
        [...keys, ...keys].map((key, index) =>
          send(key, { email: `person${index}@example.org`, username: `person_${index}` }, world.createClient()),
        ),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404]);
      expect(await superAdmins()).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  it('keeps the key valid when the form is rejected and takes over no account', async () => {
    const person = await registerUser(world);
    const key = await issue();
    expect(await send(key, { email: person.email })).toEqual({ status: 409, code: 'EMAIL_TAKEN' });
    const [taken] = await world.testApp.em().execute('select username from users where id = ?', [person.id]);
    expect(await send(key, taken)).toEqual({ status: 409, code: 'USERNAME_TAKEN' });
    expect(await send(key, { username: 'admin' })).toEqual({ status: 409, code: 'USERNAME_RESERVED' });
    expect(await send(key, { password: 'password' })).toEqual({ status: 400, code: 'VALIDATION_FAILED' });
    expect(await superAdmins()).toEqual([]);
    expect(await send(key)).toMatchObject({ status: 201 });
  });

  it('allows ten wrong keys per hour and network, and the correct one always works', async () => {
    const key = await issue();
    for (let tries = 0; tries < 10; tries++) expect(await readSetup(`wrong ${tries}`)).toEqual(CLOSED);
    expect(await readSetup('wrong')).toEqual({ status: 429, code: 'TOO_MANY_REQUESTS' });
    expect(await send('wrong')).toEqual({ status: 429, code: 'TOO_MANY_REQUESTS' });
    expect(await send(key)).toMatchObject({ status: 201 });
  });

  it('is not available when SUPER_ADMIN_EMAIL is set', async () => {
    const key = await issue();
    const named = await createTestApp({ SUPER_ADMIN_EMAIL: 'boss@example.org' }, [], world.testApp.connection);
    try {
      expect(await named.app.get(SetupService).issueKey()).toBeNull();
      const response = await fetch(`${named.url}/api/setup?key=${key}`);
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([404, 'SETUP_CLOSED']);
    } finally {
      await named.close();
    }
  });
});
