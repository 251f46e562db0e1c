import { MikroORM } from '@mikro-orm/postgresql';
import supertest from 'supertest';
import { AuditRepository } from '../../../src/platform/audit/audit.repository.js';
import { AppConfig } from '../../../src/platform/config/app-config.js';
import { InstallationSettingsService } from '../../../src/platform/installation/installation-settings.service.js';
import { InstallationSettingRepository } from '../../../src/platform/installation/installation-setting.repository.js';
import type { JobNotifier } from '../../../src/platform/jobs/job-notifier.js';
import { Mailbox } from '../../../src/platform/email/mailbox/mailbox.js';
import { requestPasswordReset, createApiToken } from '../auth/account-helpers.js';
import { PASSWORD, registerUser, type Actor } from '../../support/people/actors.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { waitUntil } from '../../support/wait-until.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { listAuditEntriesBy, registerStaff } from './staff-helpers.js';

const path = '/api/admin/installation';

interface Shown {
  readonly key: string;
  readonly value: string | null;
  readonly source: string;
  readonly variable: string | null;
}

describeInProcess('Installation settings', () => {
  let world: World;
  /** Another process on the same database. */
  let other: TestApp;
  let superAdmin: Actor;
  let admin: Actor;
  beforeAll(async () => {
    world = await World.open();
    ({ superAdmin, admin } = await registerStaff(world));
    other = await createTestApp({}, [], world.testApp.connection);
  });
  afterEach(async () => {
    const { app, em } = world.testApp;
    await em().execute('delete from installation_settings');
    await app.get(InstallationSettingsService).refresh();
    await other.app.get(InstallationSettingsService).refresh();
  });
  afterAll(async () => {
    await other.close();
    await world.close();
  });

  const change = (body: object) => superAdmin.client.patch(path).send(body);
  const readSettings = async (client: Client = superAdmin.client) =>
    (await client.get(path).expect(200)).body as { settings: Shown[]; needsStart: boolean };
  const settingOf = async (key: string, client?: Client) =>
    (await readSettings(client)).settings.find((setting) => setting.key === key);
  /** The same user signed in at another process. */
  async function signInAt({ url }: TestApp, { email }: Actor): Promise<Client> {
    const client = World.prototype.createClient.call({ url } as World);
    await client.post('/api/login').send({ email, password: PASSWORD }).expect(200);
    return client;
  }
  const isApplied = (holds: (config: AppConfig) => boolean) =>
    waitUntil('the other process has the new settings', () => holds(other.config));

  it('apply in every process at once to pages, responses and emails', async () => {
    const set = {
      name: 'Sample Zones',
      address: 'http://zones.example',
      mailFrom: 'Sample <hello@zones.example>',
      contactEmail: 'ask@zones.example',
      companyName: 'Sample Ltd',
      companyAddress: 'Sample Street 1, Ankara',
    };
    expect((await supertest(other.url).get('/api/site').expect(200)).body.name).toBe('Zonary');
    await change(set).expect(200);
    await isApplied(({ appName }) => appName === 'Sample Zones');
    for (const url of [world.url, other.url]) {
      const passkey = supertest(url).post('/api/login/passkey/options').set('Sec-Fetch-Site', 'same-origin');
      expect((await passkey.expect(200)).body.rpId).toBe('zones.example');
      const { body } = await supertest(url).get('/api/site').expect(200);
      expect(body).toMatchObject({ name: 'Sample Zones', contactEmail: 'ask@zones.example' });
      expect(body.company).toMatchObject({ name: 'Sample Ltd', address: 'Sample Street 1, Ankara' });
      const text = async (file: string) => (await supertest(url).get(file).buffer(true).expect(200)).text;
      expect(await text('/robots.txt')).toContain('Sitemap: http://zones.example/sitemap.xml');
      expect(await text('/sitemap.xml')).toContain('<loc>http://zones.example/pricing</loc>');
      expect(await text('/.well-known/security.txt')).toContain('Contact: mailto:ask@zones.example');
    }
    const person = await registerUser(world);
    await requestPasswordReset(world, person.email);
    const mail = await world.waitForEmail(person.email, ({ text }) => text.includes('reset-password'));
    expect(mail.text).toContain('http://zones.example/reset-password?token=');
    expect(mail.text).toContain('Sent by Sample Zones. http://zones.example');
    expect((await world.testApp.app.get(Mailbox).find(mail.id))?.from).toContain('hello@zones.example');
  });

  it('are reloaded periodically by processes that missed the event', async () => {
    const silentNotifier = { listenForSettings: () => Promise.resolve() } as unknown as JobNotifier;
    const { app } = world.testApp;
    const config = AppConfig.from({ DATA_DIR: world.testApp.config.dataDir });
    const reloader = new InstallationSettingsService(
      app.get(MikroORM),
      app.get(InstallationSettingRepository),
      config,
      app.get(AuditRepository),
      silentNotifier,
      {
        pollInterval: 10,
      },
    );
    await reloader.onApplicationBootstrap();
    try {
      await change({ name: 'Sample' }).expect(200);
      await waitUntil('the settings are reloaded', () => config.appName === 'Sample');
    } finally {
      await reloader.onModuleDestroy();
    }
  });

  it('report the source of each value, and a variable takes precedence', async () => {
    const varied = await createTestApp({ APP_NAME: 'By Variable' }, [], world.testApp.connection);
    try {
      await change({ name: 'By Setting', companyPhone: '+90 312' }).expect(200);
      const client = await signInAt(varied, superAdmin);
      expect(await settingOf('name', client)).toEqual({
        key: 'name',
        value: 'By Variable',
        source: 'variable',
        variable: 'APP_NAME',
      });
      const { body } = await client.patch(path).send({ companyType: 'Sole trader', name: 'Mine' }).expect(409);
      expect(body).toMatchObject({ code: 'SETTING_OVERRIDDEN' });
      expect(body.message).toContain('APP_NAME');
      expect(await settingOf('companyType')).toMatchObject({ value: null, source: 'default' });
    } finally {
      await varied.close();
    }
    expect(await settingOf('name')).toMatchObject({ value: 'By Setting', source: 'setting', variable: 'APP_NAME' });
    expect(await settingOf('companyPhone')).toMatchObject({ value: '+90 312', source: 'setting' });
    expect(await settingOf('companyType')).toMatchObject({ value: null, source: 'default', variable: 'COMPANY_TYPE' });
  });

  it('return to the default when set to null, and changes are audited', async () => {
    await change({ companyType: 'Sole trader', name: 'Sample' }).expect(200);
    await change({ name: 'Sample' }).expect(200);
    const { body } = await change({ name: null }).expect(200);
    expect(body.settings.find(({ key }: Shown) => key === 'name')).toMatchObject({
      value: 'Zonary',
      source: 'default',
    });
    expect(await settingOf('companyType')).toMatchObject({ value: 'Sole trader', source: 'setting' });
    const entries = (await listAuditEntriesBy(world, superAdmin)).filter(({ type }) => type === 'installation.changed');
    expect(entries.slice(-2).map(({ params }) => params)).toEqual([
      { settings: 'name, companyType' },
      { settings: 'name' },
    ]);
    const rows = await world.testApp.em().execute('select key, changed_by_id from installation_settings');
    expect(rows).toEqual([{ key: 'companyType', changed_by_id: expect.anything() }]);
    expect(Number(rows[0]!.changed_by_id)).toBe(superAdmin.id);
  });

  it('normalise the address and report when HTTPS needs a restart', async () => {
    await change({ address: ' HTTP://Zones.Example/ ' }).expect(200);
    expect(await settingOf('address')).toMatchObject({ value: 'http://zones.example' });
    expect((await readSettings()).needsStart).toBe(false);
    const limited = await createTestApp({ RATE_LIMIT: 'on' }, [], world.testApp.connection);
    try {
      const client = await signInAt(limited, superAdmin);
      await client.patch(path).send({ address: 'https://zones.example' }).expect(200);
      expect((await readSettings(client)).needsStart).toBe(true);
      expect(limited.config.isSecure).toBe(false);
    } finally {
      await limited.close();
    }
    const { body } = await change({ address: 'https://zones.example' }).expect(400);
    expect(body.errors.address[0]).toContain('RATE_LIMIT=off');
  });

  it.each([
    [
      'address',
      ['zones.example', 'ftp://zones.example', 'http://zones.example/path', 'http://a;b.example', 'http://u:p@a.b'],
    ],
    [
      'mailFrom',
      ['Sample', 'a@b.example, c@d.example', 'A, B <a@b.example>', '<a@b.example> x', 'A <a@b.example>\nBcc: x'],
    ],
    ['contactEmail', ['nobody', '']],
    ['name', ['', '  ', 'x'.repeat(61), 'two\nlines', 7]],
    ['companyPhone', ['1', 'x'.repeat(51)]],
  ])('reject invalid values of %s, in both languages', async (field, values) => {
    for (const value of values) {
      const sentences = [];
      for (const language of ['en', 'tr']) {
        await superAdmin.client.put('/api/user/profile').send({ language }).expect(200);
        const { body } = await change({ [field]: value }).expect(400);
        expect([value, body.code, Object.keys(body.errors)]).toEqual([value, 'VALIDATION_FAILED', [field]]);
        sentences.push(body.errors[field][0]);
      }
      expect(new Set(sentences).size).toBe(2);
    }
    expect((await readSettings()).settings.filter(({ source }) => source === 'setting')).toEqual([]);
  });

  it('are restricted to super admins in a session', async () => {
    await admin.client.get(path).expect(403);
    await admin.client.patch(path).send({ name: 'Mine' }).expect(403);
    const { token } = await createApiToken(superAdmin, 'admin');
    const withToken = supertest(world.url).get(path).set('Authorization', `Bearer ${token}`);
    expect((await withToken.expect(403)).body.code).toBe('SESSION_REQUIRED');
    expect((await change({}).expect(400)).body.code).toBe('NOTHING_TO_CHANGE');
  });
});
