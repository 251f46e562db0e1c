import { createServer, type AddressInfo, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { MINUTE } from '../../../src/platform/clock/clock.js';
import { DnsTxtResolver } from '../../../src/platform/email/dns/dns-txt-resolver.js';
import { MailStateRepository } from '../../../src/platform/email/mail-state.repository.js';
import { reservePort } from '../../support/fakes/reserve-port.js';
import { SmtpSink } from '../../support/fakes/smtp-sink.js';
import { PASSWORD, type Actor } from '../../support/people/actors.js';
import { createTestApp } from '../../support/test-app.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { registerStaff } from './staff-helpers.js';

const path = '/api/admin/installation';
const to = 'me@example.org';

interface TestEmailResult {
  readonly ok: boolean;
  readonly stage: string | null;
  readonly sentence: string;
  readonly said: string | null;
}

describeInProcess('POST /api/admin/installation/test-mail', () => {
  let world: World;
  let superAdmin: Actor;
  let sink: SmtpSink;
  beforeAll(async () => {
    world = await World.open();
    ({ superAdmin } = await registerStaff(world));
  });
  beforeEach(async () => {
    sink = await SmtpSink.listen();
  });
  afterEach(() => sink.stop());
  afterAll(() => world.close());

  const settingsFor = (port: number, more: object = {}) => ({
    host: '127.0.0.1',
    port,
    security: 'starttls',
    user: 'me',
    password: 'secret word',
    ...more,
  });
  const send = (server: object | undefined, client: Client = superAdmin.client) =>
    client.post(`${path}/test-mail`).send({ to, server });
  const tried = async (server?: object, client?: Client) =>
    (await send(server, client).expect(200)).body as TestEmailResult;
  async function signedIn(url: string): Promise<Client> {
    const client = World.prototype.createClient.call({ url } as World);
    await client.post('/api/login').send({ email: superAdmin.email, password: PASSWORD }).expect(200);
    return client;
  }

  it("sends one email before anything is saved, in the user's language", async () => {
    const sentences: string[] = [];
    for (const language of ['en', 'tr']) {
      await superAdmin.client.put('/api/user/profile').send({ language }).expect(200);
      const response = await tried(settingsFor(sink.port));
      expect(response).toMatchObject({ ok: true, stage: null, said: expect.stringMatching(/^250/) });
      sentences.push(response.sentence);
    }
    expect(new Set(sentences).size).toBe(2);
    expect(sink.messagesTo(to)).toHaveLength(2);
    expect(sink.logins).toEqual([1, 2].map(() => ({ user: 'me', password: 'secret word' })));
    const { body } = await superAdmin.client.get(path).expect(200);
    expect(body.mail).toMatchObject({ source: 'default', host: null });
    await superAdmin.client.put('/api/user/profile').send({ language: 'en' }).expect(200);
  });

  it.each([
    ['greeting', 554, 'connect'],
    ['password', 535, 'sign-in'],
    ['sender', 553, 'sender'],
  ] as const)('rejected at its %s with %d reports a failure at %s', async (when, code, stage) => {
    sink.sessionRejection = { code, when, text: 'Not with "secret word"' };
    const response = await tried(settingsFor(sink.port));
    expect(response).toMatchObject({ ok: false, stage, said: `${code} Not with "…"` });
    expect(sink.messages).toEqual([]);
  });

  it('reports a rejected recipient or message', async () => {
    sink.decideReply = () => ({ code: 550, when: 'recipient', text: 'No such user' });
    expect(await tried(settingsFor(sink.port))).toMatchObject({ stage: 'recipient', said: '550 No such user' });
    sink.decideReply = () => ({ code: 554, when: 'after-data', text: 'Not from you' });
    expect(await tried(settingsFor(sink.port))).toMatchObject({ stage: 'sender', said: '554 Not from you' });
  });

  it('distinguishes unreachable, unknown and non-mail servers without revealing more', async () => {
    expect(await tried(settingsFor(await reservePort()))).toMatchObject({ ok: false, stage: 'connect', said: null });
    const unknown = await tried(settingsFor(sink.port, { host: `${'x'.repeat(64)}.example` }));
    expect(unknown).toMatchObject({ stage: 'resolve', said: null });
    const port = await reservePort();
    const shell: Server = createServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-Inner_3\r\n'));
    await new Promise<void>((resolve) => shell.listen(port, '127.0.0.1', resolve));
    const response = await tried(settingsFor((shell.address() as AddressInfo).port));
    expect(response).toMatchObject({ stage: 'connect', said: null });
    expect(JSON.stringify(response)).not.toContain('Inner');
    await new Promise((resolve) => shell.close(resolve));
  });

  it('reports a failed TLS handshake and sends no password', async () => {
    expect(await tried(settingsFor(sink.port, { security: 'tls' }))).toMatchObject({ stage: 'tls', said: null });
    const port = await reservePort();
    // A TLS server without a certificate, so no cipher can be agreed on.
    const tlsServer = createTlsServer().on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => tlsServer.listen(port, '127.0.0.1', resolve));
    expect(await tried(settingsFor(port, { security: 'tls' }))).toMatchObject({ stage: 'tls', said: null });
    await new Promise((resolve) => tlsServer.close(resolve));
    const strict = await createTestApp({ SMTP_TLS: 'required' }, [], world.testApp.connection);
    expect(await tried(settingsFor(sink.port), await signedIn(strict.url))).toMatchObject({ stage: 'tls' });
    await strict.close();
    expect(sink.logins).toEqual([]);
  });

  it('tests the server in use if none is given', async () => {
    expect(Object.keys((await send(undefined).expect(400)).body.errors)).toEqual(['server.host']);
    const varied = await createTestApp({ SMTP_URL: sink.url }, [], world.testApp.connection);
    expect(await tried(undefined, await signedIn(varied.url))).toMatchObject({ ok: true });
    await varied.close();
    expect(sink.recipients).toEqual([to]);
  });

  it('updates the state of the server in use only when that is tested', async () => {
    const readHealth = () => world.testApp.app.get(MailStateRepository).getState();
    await world.testApp.em().execute('update mail_state set refusing_since = now(), taken_at = null');
    const before = await readHealth();
    // The outcome is recorded at most once a minute.
    world.testApp.clock.advance(2 * MINUTE);
    expect(await tried(settingsFor(sink.port))).toMatchObject({ ok: true });
    sink.sessionRejection = { code: 535, when: 'password', text: 'No' };
    expect(await tried(settingsFor(sink.port))).toMatchObject({ ok: false });
    expect(await readHealth()).toEqual(before);
    sink.sessionRejection = null;
    const varied = await createTestApp({ SMTP_URL: sink.url }, [], world.testApp.connection);
    try {
      expect(await tried(undefined, await signedIn(varied.url))).toMatchObject({ ok: true });
    } finally {
      await varied.close();
    }
    expect(await readHealth()).toMatchObject({ takenAt: expect.any(Date), refusingSince: null });
  });

  it('is limited to five tests a minute', async () => {
    const limited = await createTestApp({ RATE_LIMIT: 'on' }, [], world.testApp.connection);
    const client = await signedIn(limited.url);
    for (let times = 0; times < 5; times++)
      expect(await tried(settingsFor(sink.port), client)).toMatchObject({ ok: true });
    const { body } = await send(settingsFor(sink.port), client).expect(429);
    expect(body.code).toBe('TOO_MANY_REQUESTS');
    expect(sink.recipients).toHaveLength(5);
    await limited.close();
  });

  it("is accompanied by the sender's DNS records and the expected ones", async () => {
    const checkDns = async () => (await superAdmin.client.get(`${path}/dns`).expect(200)).body;
    expect(await checkDns()).toEqual({ domain: null, records: [] });
    const queries: string[] = [];
    const dnsAnswers: Record<string, string[] | null> = {
      'zones.example': ['v=spf1 mx -all'],
      '_dmarc.zones.example': null,
    };
    jest.spyOn(world.testApp.app.get(DnsTxtResolver), 'resolveTexts').mockImplementation(async (name) => {
      queries.push(name);
      return dnsAnswers[name] ?? null;
    });
    await superAdmin.client.patch(path).send({ mailFrom: 'Zones <hello@zones.example>' }).expect(200);
    expect(await checkDns()).toEqual({
      domain: 'zones.example',
      records: [
        { kind: 'spf', state: 'done', record: { name: 'zones.example', type: 'TXT', value: 'v=spf1 mx ~all' } },
        { kind: 'dkim', state: 'unknown', record: null },
        { kind: 'dmarc', state: 'unknown', record: expect.objectContaining({ name: '_dmarc.zones.example' }) },
      ],
    });
    expect(queries.sort()).toEqual(['_dmarc.zones.example', 'zones.example']);
    Object.assign(dnsAnswers, { '_dmarc.mail.zones.example': [], '_dmarc.zones.example': ['v=DMARC1; p=reject'] });
    await superAdmin.client.patch(path).send({ mailFrom: 'hello@mail.zones.example' }).expect(200);
    expect((await checkDns()).records[2]).toMatchObject({ kind: 'dmarc', state: 'done' });
    jest.restoreAllMocks();
  });
});
