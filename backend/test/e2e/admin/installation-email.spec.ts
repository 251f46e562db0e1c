import { MikroORM } from '@mikro-orm/postgresql';
import { AuditRepository } from '../../../src/platform/audit/audit.repository.js';
import { AppConfig } from '../../../src/platform/config/app-config.js';
import { toSettingValues } from '../../../src/platform/config/settings.js';
import { InstallationSettingsService } from '../../../src/platform/installation/installation-settings.service.js';
import { InstallationSettingRepository } from '../../../src/platform/installation/installation-setting.repository.js';
import { JobNotifier } from '../../../src/platform/jobs/job-notifier.js';
import { BulkMailer } from '../../../src/platform/email/bulk/bulk-mailer.js';
import { MailboxKey } from '../../../src/platform/email/mailbox/mailbox-key.js';
import { registerUser, PASSWORD, type Actor } from '../../support/people/actors.js';
import { SmtpSink } from '../../support/fakes/smtp-sink.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { waitUntil } from '../../support/wait-until.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { insertMembers, setEmailQuota, createDraft, createSender } from '../campaigns/campaign-helpers.js';
import { listAuditEntriesBy, registerStaff } from './staff-helpers.js';

const path = '/api/admin/installation';
const SECRET = 'p:ä@/?#% word';

describeInProcess('Mail server settings', () => {
  let world: World;
  let other: TestApp;
  let superAdmin: Actor;
  let admin: Actor;
  let sink: SmtpSink;
  let second: SmtpSink;
  beforeAll(async () => {
    world = await World.open();
    ({ superAdmin, admin } = await registerStaff(world));
    other = await createTestApp({}, [], world.testApp.connection);
  });
  beforeEach(async () => {
    [sink, second] = await Promise.all([SmtpSink.listen(), SmtpSink.listen()]);
  });
  afterEach(async () => {
    await world.testApp.em().execute('delete from installation_settings');
    for (const { app } of [world.testApp, other]) await app.get(InstallationSettingsService).refresh();
    await Promise.all([sink.stop(), second.stop()]);
  });
  afterAll(async () => {
    await other.close();
    await world.close();
  });

  const settingsFor = ({ port }: SmtpSink, more: object = {}) => ({
    host: '127.0.0.1',
    port,
    security: 'starttls',
    user: 'zones@example.org',
    password: SECRET,
    ...more,
  });
  const without = (server: object) => ({ ...server, password: undefined });
  const set = (server: object) => superAdmin.client.put(`${path}/mail`).send(server);
  const readMailSettings = async (client: Client = superAdmin.client) => (await client.get(path).expect(200)).body.mail;
  const rows = () =>
    world.testApp.em().execute<{ key: string; value: string }[]>('select key, value from installation_settings');
  const refresh = () => world.testApp.app.get(InstallationSettingsService).refresh();
  const bulk = (app: TestApp, to: string) =>
    app.app.get(BulkMailer).send({
      to,
      fromName: 'Sample',
      replyTo: null,
      subject: 'Hello',
      text: 'Hello',
      html: '<p>Hello</p>',
      messageId: `<${to}>`,
      headers: {},
    } as unknown as Parameters<BulkMailer['send']>[0]);

  it('are applied in every process to single and campaign emails and end the mailbox', async () => {
    const person = await registerUser(world);
    const mailbox = () => world.testApp.app.get(MailboxKey).mailboxUrl(world.url);
    expect(mailbox()).not.toBeNull();
    const { body } = await set(settingsFor(sink)).expect(200);
    const validServer = { host: '127.0.0.1', port: sink.port, security: 'starttls', user: 'zones@example.org' };
    expect(body.mail).toEqual({ ...validServer, source: 'setting', variable: 'SMTP_URL', password: 'set' });
    await waitUntil('the other process has the new settings', () => other.config.smtpUrl !== null);
    expect(mailbox()).toBeNull();
    expect((await superAdmin.client.get('/api/admin/system').expect(200)).body.sendsMail).toBe(true);
    await world.createClient().post('/api/forgot-password').send({ email: person.email }).expect(200);
    await world.testApp.drain();
    expect(await bulk(other, 'recipient@example.org')).toEqual({ kind: 'sent' });
    expect(sink.recipients).toEqual([person.email, 'recipient@example.org']);
    expect(sink.logins).toEqual([1, 2].map(() => ({ user: 'zones@example.org', password: SECRET })));
    await superAdmin.client.delete(`${path}/mail`).expect(200);
    expect(await readMailSettings()).toMatchObject({ source: 'default', host: null, password: 'none' });
    expect(mailbox()).not.toBeNull();
    expect(await rows()).toEqual([]);
  });

  it('keep the password out of responses, plain rows and the audit log', async () => {
    const { text } = await set(settingsFor(sink)).expect(200);
    const storedSettings = await rows();
    expect(storedSettings.map(({ key }) => key).sort()).toEqual(['mail', 'mailPassword']);
    const everything = [
      text,
      JSON.stringify(await readMailSettings()),
      JSON.stringify(storedSettings),
      JSON.stringify(await listAuditEntriesBy(world, superAdmin)),
    ];
    for (const form of [SECRET, encodeURIComponent(SECRET), Buffer.from(SECRET).toString('base64')]) {
      expect(everything.join('\n')).not.toContain(form);
    }
    expect((await listAuditEntriesBy(world, superAdmin)).at(-1)).toMatchObject({
      type: 'installation.changed',
      params: { settings: 'mail, mailPassword' },
    });
  });

  it('keep the password for its host and user only', async () => {
    await set(settingsFor(sink)).expect(200);
    const otherServer = without(settingsFor(sink, { host: 'localhost' }));
    const getErrors = async (server: object) => (await set(server).expect(400)).body.errors;
    expect(Object.keys(await getErrors(otherServer))).toEqual(['password']);
    expect(Object.keys(await getErrors(without(settingsFor(sink, { user: 'another' }))))).toEqual(['password']);
    const test = superAdmin.client.post(`${path}/test-mail`).send({ to: 'me@example.org', server: otherServer });
    expect(Object.keys((await test.expect(400)).body.errors)).toEqual(['server.password']);
    expect(sink.connectionCount).toBe(0);
    await set(without(settingsFor(second))).expect(200);
    expect(await bulk(world.testApp, 'recipient@example.org')).toEqual({ kind: 'sent' });
    expect(second.logins).toEqual([{ user: 'zones@example.org', password: SECRET }]);
    await set(without(settingsFor(second, { user: null }))).expect(200);
    expect(await readMailSettings()).toMatchObject({ user: null, password: 'none' });
    await set(without(settingsFor(second))).expect(400);
  });

  it('keep a password just set by another process', async () => {
    await set(settingsFor(sink)).expect(200);
    const given = await rows();
    await world.testApp.em().execute('delete from installation_settings');
    await refresh();
    expect(await readMailSettings()).toMatchObject({ source: 'default' });
    // Simulates a change by another process that this one hasn't been notified of.
    for (const { key, value } of given) {
      await world.testApp
        .em()
        .execute('insert into installation_settings (key, value, changed_at) values (?, ?::jsonb, now())', [
          key,
          JSON.stringify(value),
        ]);
    }
    await set(without(settingsFor(second))).expect(200);
    expect(await readMailSettings()).toMatchObject({ port: second.port, password: 'set' });
  });

  it('require the password again when it cannot be decrypted, and emails wait', async () => {
    await set(settingsFor(sink)).expect(200);
    // Like an attacker with write access to the database only.
    await world.testApp
      .em()
      .execute(`update installation_settings set value = ?::jsonb where key = 'mail'`, [
        JSON.stringify(`smtp://zones%40example.org@localhost:${sink.port}`),
      ]);
    await refresh();
    expect(await readMailSettings()).toMatchObject({ host: 'localhost', password: 'lost' });
    expect(await bulk(world.testApp, 'recipient@example.org')).toMatchObject({ kind: 'server-error' });
    expect([sink.messages, sink.logins]).toEqual([[], []]);
    const started = await createTestApp({}, [], world.testApp.connection);
    expect(started.config.mailServer).toMatchObject({ source: 'setting', password: 'lost' });
    await started.close();
    const test = superAdmin.client.post(`${path}/test-mail`).send({ to: 'me@example.org' });
    expect(Object.keys((await test.expect(400)).body.errors)).toEqual(['server.password']);
    await set(without(settingsFor(sink, { host: 'localhost' }))).expect(400);
    await set(settingsFor(sink)).expect(200);
    expect(await readMailSettings()).toMatchObject({ host: '127.0.0.1', password: 'set' });
  });

  it('re-encrypt the password with the newest secret at the next start', async () => {
    await set(settingsFor(sink)).expect(200);
    const { app, config } = world.testApp;
    // This process can't decrypt values encrypted with the newest secret, and learns of the change at some time.
    const { smtpUrl } = config;
    const newest = 'the newest secret of this suite that is long enough';
    const secrets = { DATA_DIR: config.dataDir, APP_SECRET: `${newest},${config.appSecret}` };
    const next = AppConfig.from(secrets);
    const settings = app.get(InstallationSettingRepository);
    const [audit, signal] = [app.get(AuditRepository), app.get(JobNotifier)];
    await new InstallationSettingsService(app.get(MikroORM), settings, next, audit, signal, {
      pollInterval: 10_000,
    }).reencryptMailPassword();
    const later = AppConfig.from({ ...secrets, APP_SECRET: newest });
    later.applySettings(toSettingValues(await rows()));
    expect(smtpUrl).toContain('%20word@');
    expect([next.smtpUrl, later.smtpUrl]).toEqual([smtpUrl, smtpUrl]);
    await refresh();
    expect(await readMailSettings()).toMatchObject({ password: 'lost' });
  });

  it('can change during a campaign without losing or duplicating emails', async () => {
    const sender = await createSender(world);
    await setEmailQuota(world, sender, 1000);
    const emails = await insertMembers(world, sender.zone, 80);
    await set(settingsFor(sink)).expect(200);
    let resume = () => undefined as void;
    sink.acceptGate = new Promise<void>((resolve) => (resume = resolve));
    const id = await createDraft(sender);
    await sender.owner.client.post(`/api/campaigns/${id}/send`).expect(200);
    const drained = world.testApp.drain();
    await waitUntil('emails are being sent over the first server', () => sink.pendingCount > 0);
    await set(settingsFor(second)).expect(200);
    expect(sink.messages).toEqual([]);
    resume();
    await drained;
    const sent = [...sink.recipients, ...second.recipients].filter((to) => emails.includes(to));
    expect(sent.sort()).toEqual([...emails].sort());
    expect(sink.recipients.length).toBeGreaterThan(0);
    expect(second.recipients.length).toBeGreaterThan(0);
    await waitUntil('the connections to the first server are closed', () => sink.openConnections === 0);
  });

  it('are overridden by a variable, whose password stays hidden', async () => {
    const varied = await createTestApp({ SMTP_URL: 'smtps://me:topsecret@mail.example' }, [], world.testApp.connection);
    try {
      const client = World.prototype.createClient.call({ url: varied.url } as World);
      await client.post('/api/login').send({ email: superAdmin.email, password: PASSWORD }).expect(200);
      expect(await readMailSettings(client)).toEqual({
        host: 'mail.example',
        port: 465,
        security: 'tls',
        user: 'me',
        password: 'set',
        source: 'variable',
        variable: 'SMTP_URL',
      });
      const rejected = await client.put(`${path}/mail`).send(settingsFor(sink)).expect(409);
      expect(rejected.body).toMatchObject({ code: 'SETTING_OVERRIDDEN' });
      await client.delete(`${path}/mail`).expect(409);
      await client
        .post(`${path}/test-mail`)
        .send({ to: 'me@example.org', server: settingsFor(sink) })
        .expect(409);
    } finally {
      await varied.close();
    }
    expect(await rows()).toEqual([]);
  });

  it.each([
    [
      'host',
      ['', 'a b', 'smtp://mail.example', 'me:pass@mail.example', 'mail.example/x', 'mail\n.example', 'a?b', '-x', 7],
    ],
    ['port', [0, 65_536, 1.5, '25', null]],
    ['security', ['none', '', null]],
    ['user', ['', ' ', 'two\nlines', 'x'.repeat(321), '\ud800', 7]],
    ['password', ['', 'two\r\nlines', 'x'.repeat(501), null]],
  ])('reject invalid values of %s', async (field, values) => {
    for (const value of values) {
      const { body } = await set({ ...settingsFor(sink), [field]: value }).expect(400);
      expect([value, body.code, Object.keys(body.errors)]).toEqual([value, 'VALIDATION_FAILED', [field]]);
    }
    expect(await rows()).toEqual([]);
  });

  it('are restricted to super admins', async () => {
    await admin.client.put(`${path}/mail`).send(settingsFor(sink)).expect(403);
    await admin.client.delete(`${path}/mail`).expect(403);
    await admin.client
      .post(`${path}/test-mail`)
      .send({ to: 'me@example.org', server: settingsFor(sink) })
      .expect(403);
    expect(sink.connectionCount).toBe(0);
  });
});
