import { SetupService } from '../../../src/modules/admin/users/setup/setup.service.js';
import { PASSWORD, registerUser } from '../../support/people/actors.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { makeSuperAdmin } from './staff-helpers.js';

const path = '/api/admin/installation';
const form = {
  email: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'Sample',
  username: 'ada_sample',
  password: 'a pass phrase of the first one',
};

describeInProcess('Setup steps after the account', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  async function setUp(): Promise<Client> {
    const client = world.createClient();
    const key = await world.testApp.app.get(SetupService).issueKey();
    await client
      .post('/api/setup')
      .send({ ...form, key })
      .expect(201);
    return client;
  }
  const listRemainingSteps = async (client: Client) => (await client.get(path).expect(200)).body.setupLeft as string[];
  const change = async (client: Client, body: object) => {
    const response = await client.patch(path).send(body);
    return [response.status, response.body.setupLeft];
  };

  it('are asked in order until answered or skipped', async () => {
    const client = await setUp();
    expect(await listRemainingSteps(client)).toEqual(['purpose', 'mail']);
    expect(await change(client, { name: 'Watercolour' })).toEqual([200, ['purpose', 'mail']]);
    // This step is not the current one.
    expect(await change(client, { finishedStep: 'mail' })).toEqual([200, ['purpose', 'mail']]);
    expect(await change(client, { purpose: 'own', finishedStep: 'purpose' })).toEqual([200, ['mail']]);
    expect(await change(client, { finishedStep: 'purpose' })).toEqual([200, ['mail']]);
    expect(await listRemainingSteps(client)).toEqual(['mail']);
    expect(await change(client, { finishedStep: 'mail' })).toEqual([200, []]);
    expect(await change(client, { finishedStep: 'purpose' })).toEqual([200, []]);
    expect(await world.testApp.em().execute('select key, value from installation_settings order by key')).toEqual([
      { key: 'name', value: 'Watercolour' },
      { key: 'purpose', value: 'own' },
    ]);
  });

  it('stay open when the submitted values are invalid', async () => {
    const client = await setUp();
    expect(await change(client, { address: 'nowhere', finishedStep: 'purpose' })).toEqual([400, undefined]);
    expect(await change(client, { finishedStep: 'account' })).toEqual([400, undefined]);
    expect(await change(client, { finishedStep: null })).toEqual([400, undefined]);
    // Without rate limits, as here, https URLs are rejected; that is checked after the form's own validation.
    expect(await change(client, { address: 'https://zones.example', finishedStep: 'purpose' })).toEqual([
      400,
      undefined,
    ]);
    expect(await listRemainingSteps(client)).toEqual(['purpose', 'mail']);
  });

  const server = { SMTP_URL: 'smtp://mail.example:25' };
  const byVariables = [
    [{ ...server, MAIL_FROM: 'hello@zones.example' }, ['purpose']],
    [server, ['purpose', 'mail']],
  ] as const;

  it('are announced with the setup key', async () => {
    const readSetup = async ({ app, url }: TestApp) => {
      const key = await app.get(SetupService).issueKey();
      const response = await fetch(`${url}/api/setup?key=${key}`);
      return [response.status, await response.json()];
    };
    expect(await readSetup(world.testApp)).toEqual([200, { state: 'open', following: ['purpose', 'mail'] }]);
    for (const [env, following] of byVariables) {
      const other = await createTestApp(env, [], world.testApp.connection);
      try {
        expect([env, await readSetup(other)]).toEqual([env, [200, { state: 'open', following }]]);
      } finally {
        await other.close();
      }
    }
    await registerUser(world);
    expect(await readSetup(world.testApp)).toEqual([200, { state: 'open', following: [] }]);
  });

  it('skip the mail server and sender when set by variables', async () => {
    const client = await setUp();
    for (const [env, expected] of byVariables) {
      const other = await createTestApp(env, [], world.testApp.connection);
      try {
        const there = World.prototype.createClient.call({ url: other.url } as World);
        await there.post('/api/login').send({ email: form.email, password: form.password }).expect(200);
        expect([env, await listRemainingSteps(there)]).toEqual([env, expected]);
      } finally {
        await other.close();
      }
    }
    expect(await change(client, { finishedStep: 'purpose' })).toEqual([200, ['mail']]);
  });

  it('are restricted to super admins', async () => {
    await setUp();
    const person = await registerUser(world);
    await person.client.get(path).expect(403);
    await person.client.patch(path).send({ finishedStep: 'purpose' }).expect(403);
  });

  it('are not asked where users existed before or for other super admins', async () => {
    const person = await registerUser(world);
    const client = await setUp();
    expect(await listRemainingSteps(client)).toEqual([]);
    await makeSuperAdmin(world, person);
    await person.client.post('/api/login').send({ email: person.email, password: PASSWORD }).expect(200);
    expect(await listRemainingSteps(person.client)).toEqual([]);
  });
});
